/** The worst case: the most that one round of a thread can spend, whatever its tools, models and people do. From the limits alone. */
import { roundMoney, type Spent } from '../../watch/event/spent.ts'
import { GRACE, type Policy } from '../../watch/policy/policy.ts'
import { policyOf, type Spec } from '../spec/spec.ts'
import { workingNodes } from '../spec/nodes.ts'
import { customRung, renewalsOf, rollbackTime } from './escape-budgets.ts'
import { type Figure, formatAmount, isUnknown, minFigure, unknown } from './figure.ts'
import { tightestLimit } from './limit.ts'
import {
  graphsFrom,
  maxCallCost,
  type Nested,
  NO_MODEL,
  overshoot,
  runsGraphs,
  totalOf,
  unknownGraph,
} from './model-cost.ts'

export type { Figure } from './figure.ts'
export { DEFAULT } from './limit.ts'
export type { Nested } from './model-cost.ts'

/** A figure for each unit of an account; `duration` is in ms. */
export type WorstCase = Readonly<Record<keyof Spent, Figure>>

/** A figure for people: `2,000`, `1.5`, `10m`, `1,000 + calls`, `unknown`. */
export function figureText({ most, stopsAt }: Omit<Figure, 'because'>, unit: keyof Spent): string {
  if (stopsAt !== undefined) return `${formatAmount(stopsAt, unit)} + calls`
  return most === Number.POSITIVE_INFINITY ? 'unknown' : formatAmount(most, unit)
}

/**
 * Counts on limits, and on what escapes add to them. Detectors and breakers do not count: answers that are new each time
 * pass every detector, and another thread may close a shared breaker. Left out is what a process that died must do again,
 * and calls that undo others on a rollback: limits hold all the same, and undoing is owed.
 *
 * @example worstCaseOf(loaded).toolCalls // { most: 200, because: 'limits.toolCalls: 200 (default)' }
 */
export function worstCaseOf(nested: Nested): WorstCase {
  const { spec } = nested
  const policy = policyOf(spec)
  const graphs = graphsFrom(nested)
  const rung = customRung(policy)
  const terms = { limits: policy.limits, named: spec.limits, renewals: renewalsOf(spec, policy) }
  const limit = (unit: keyof Spent, late: Figure = NOTHING) =>
    rung === undefined
      ? tightestLimit(unit, { ...terms, late })
      : unknown(`the code of the rung '${rung}' decides how often it continues past a limit`)
  const callsModels = maxCallCost(graphs, 'tokens').most > 0
  const modelCalls = callsModels ? limit('modelCalls') : NO_MODEL
  const paid = (unit: 'tokens' | 'usd') => {
    const call = maxCallCost(graphs, unit)
    return minFigure(limit(unit, overshoot(nested, call)), totalOf(modelCalls, call))
  }
  const usd = callsModels ? paid('usd') : NO_MODEL
  return {
    steps: limit('steps'),
    toolCalls: callsTools(graphs) ? limit('toolCalls') : NO_TOOL,
    modelCalls,
    tokens: callsModels ? paid('tokens') : NO_MODEL,
    usd: { ...usd, most: roundMoney(usd.most) },
    duration: spec.machine === undefined ? limit('duration', lateEnd(spec, policy)) : HAND_WRITTEN,
  }
}

const NOTHING: Figure = { most: 0, because: '' }
const NO_TOOL: Figure = { most: 0, because: 'no tool is called' }
const HAND_WRITTEN = unknown('how long a hand-written statechart waits is not in its spec')

function callsTools(graphs: readonly Nested[]): boolean {
  const declared = graphs.some(({ spec }) => Object.keys(spec.tools).length > 0)
  return declared || unknownGraph(graphs) !== undefined
}

/** The time for what is left to end. What is left below ends before what is left above. */
function lateEnd(spec: Spec, policy: Policy): Figure {
  const undoing = rollbackTime(spec, policy)
  if (isUnknown(undoing)) return undoing
  const nested = workingNodes(spec).some(([, node]) => runsGraphs(spec, node))
  const most = GRACE * (nested ? 1 + policy.limits.depth : 1) + undoing.most
  return { most, because: `${formatAmount(most, 'duration')} more for what is left to end` }
}
