/** The worst case: the most that one round of a thread can spend, from its limits alone. */
import { roundMoney, type Spent } from '../../watch/event/spent.ts'
import { GRACE, type Policy } from '../../watch/policy/policy.ts'
import { workingNodes } from '../spec/nodes.ts'
import { policyOf, type Spec } from '../spec/spec.ts'
import {
  customRung,
  type Figure,
  formatAmount,
  isUnknown,
  NOTHING,
  rollbackTime,
  tightestLimit,
  unknown,
} from './limit.ts'
import {
  graphsFrom,
  maxCallCost,
  type Nested,
  NO_MODEL,
  overshootOf,
  runsGraphs,
  totalOf,
  unknownGraph,
} from './model-cost.ts'

/** A figure for each unit; `duration` is in ms. */
export type WorstCase = Readonly<Record<keyof Spent, Figure>>

/** A figure for people: `2,000`, `1.5`, `10m`, `1,000 + calls`, `unknown`. */
export function figureText({ most, stopsAt }: Omit<Figure, 'because'>, unit: keyof Spent): string {
  if (stopsAt !== undefined) return `${formatAmount(stopsAt, unit)} + calls`
  return most === Number.POSITIVE_INFINITY ? 'unknown' : formatAmount(most, unit)
}

/**
 * Uses the limits, and their extensions by escapes. Detectors and breakers do not count: new answers pass every detector, and
 * another thread may close a shared breaker. Work that a crashed process repeats, and calls that a rollback undoes, are
 * excluded: limits hold all the same, and undoing is mandatory.
 * @example worstCaseOf(loaded).toolCalls // { most: 200, because: 'limits.toolCalls: 200 (default)' }
 */
export function worstCaseOf(nested: Nested): WorstCase {
  const { spec } = nested
  const policy = policyOf(spec)
  const graphs = graphsFrom(nested)
  const rung = customRung(policy)
  const limit = (unit: keyof Spent, overshoot = NOTHING) =>
    rung === undefined
      ? tightestLimit(spec, policy, unit, overshoot)
      : unknown(`the code of the rung '${rung}' decides how often it continues past a limit`)
  const callsModels = maxCallCost(graphs, 'tokens').most > 0
  const modelCalls = callsModels ? limit('modelCalls') : NO_MODEL
  const paid = (unit: 'tokens' | 'usd') => {
    if (!callsModels) return NO_MODEL
    const call = maxCallCost(graphs, unit)
    const byLimit = limit(unit, overshootOf(nested, call))
    const byCalls = totalOf(modelCalls, call)
    return byCalls.most < byLimit.most ? byCalls : byLimit
  }
  const usd = paid('usd')
  return {
    steps: limit('steps'),
    toolCalls: callsTools(graphs) ? limit('toolCalls') : NO_TOOL,
    modelCalls,
    tokens: paid('tokens'),
    usd: { ...usd, most: roundMoney(usd.most) },
    duration: spec.machine === undefined ? limit('duration', lateEnd(spec, policy)) : HAND_WRITTEN,
  }
}

const NO_TOOL: Figure = { most: 0, because: 'no tool is called' }
const HAND_WRITTEN = unknown('how long a hand-written statechart waits is not in its spec')

function callsTools(graphs: readonly Nested[]): boolean {
  const isDeclared = graphs.some(({ spec }) => Object.keys(spec.tools).length > 0)
  return isDeclared || unknownGraph(graphs) !== undefined
}

/** The time that remaining work needs to end. Nested graphs end before the graphs around them. */
function lateEnd(spec: Spec, policy: Policy): Figure {
  const undoing = rollbackTime(spec, policy)
  if (isUnknown(undoing)) return undoing
  const isNesting = workingNodes(spec).some(([, node]) => runsGraphs(spec, node))
  const most = GRACE * (isNesting ? 1 + policy.limits.depth : 1) + undoing.most
  return { most, because: `${formatAmount(most, 'duration')} more for what is left to end` }
}
