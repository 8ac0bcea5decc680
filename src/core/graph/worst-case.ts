/** The worst case: the most that one round of a thread can spend, whatever its tools, models and people do. From the limits alone. */
import { roundMoney, type Spent } from '../watch/budget/spent.ts'
import { DEPTH, GRACE, type Policy } from '../watch/policy.ts'
import { type Spec, workingNodes } from './spec/spec.ts'
import { policyOf } from './spec/to-policy.ts'
import { customRung, renewalsOf, rollbackTime } from './worst-case/escape-budgets.ts'
import { type Figure, formatAmount, isUnknown, minFigure, unknown } from './worst-case/figure.ts'
import { tightestLimit } from './worst-case/limit.ts'
import {
  graphsFrom,
  maxCallCost,
  type Nested,
  NO_MODEL,
  overshoot,
  runsGraphs,
  totalOf,
  unknownGraph,
} from './worst-case/model-cost.ts'

export type { Figure } from './worst-case/figure.ts'
export { DEFAULT } from './worst-case/limit.ts'
export type { Nested } from './worst-case/model-cost.ts'

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
<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
  const depth = Math.min(policy.limits.depth ?? DEPTH, above)
  const before = known.get(spec)?.get(depth)
  if (before) return before
  const one = (node: WorkingNode): Inside | undefined => {
    if (depth < 1) return REFUSED
    const child = 'graph' in node ? inside(node.graph) : undefined
    return child && worstInside(child, depth - 1, known)
  }
  const terms: Terms = { spec, policy, inside: one }
  const found = {
    bound: worstSpending({ ...terms, out: escapeBudgets(spec, policy), depth }),
    call: { tokens: maxCallCost(terms, 'tokens'), usd: maxCallCost(terms, 'usd') },
    atOnce: maxConcurrentCalls(terms),
  }
  known.set(spec, (known.get(spec) ?? new Map<number, Inside>()).set(depth, found))
  return found
}

/** A graph that would stand too deep is not started. */
const NOTHING: Figure = { most: 0, because: 'limits.depth lets no graph be run here' }
const REFUSED: Inside = {
  bound: {
    steps: NOTHING,
    toolCalls: NOTHING,
    modelCalls: NOTHING,
    tokens: NOTHING,
    usd: NOTHING,
    duration: NOTHING,
  },
  call: { tokens: NOTHING, usd: NOTHING },
  atOnce: 0,
}

interface Of extends Terms {
  readonly out: EscapeBudgets
  readonly depth: number
}

function worstSpending(of: Of): WorstCase {
  const costing = (
    costs: (terms: Terms, node: WorkingNode) => Figure,
    within: number,
    unit: 'count' | 'ms' = 'count',
  ) => maxPathCost({ ...of, steps: within, costs: node => costs(of, node), unit })
  const steps = boundUnit(of, 'steps', costing(stepsOf, Number.POSITIVE_INFINITY))
  const modelCalls = boundUnit(of, 'modelCalls', costing(modelCallsOf, steps.most))
=======
  const graphs = graphsFrom(nested)
  const rung = customRung(policy)
  const terms = { limits: policy.limits, named: spec.limits, renewals: renewalsOf(spec, policy) }
  const limit = (unit: keyof Spent, late: Figure = NOTHING) =>
    rung === undefined
      ? tightestLimit(unit, { ...terms, late })
      : unknown(`the code of the rung '${rung}' decides how often it continues past a limit`)
  const callsModels = maxCallCost(graphs, 'tokens').most > 0
  const modelCalls = callsModels ? limit('modelCalls') : NO_MODEL
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
  const paid = (unit: 'tokens' | 'usd') => {
    const call = maxCallCost(graphs, unit)
    return minFigure(limit(unit, overshoot(nested, call)), totalOf(modelCalls, call))
  }
  const usd = callsModels ? paid('usd') : NO_MODEL
  return {
    steps: limit('steps'),
    toolCalls: callsTools(graphs) ? limit('toolCalls') : NO_TOOL,
    modelCalls,
<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
    tokens: paid('tokens'),
    usd: paid('usd'),
    duration: durationOf(of, () => costing(timeOf, steps.most, 'ms')),
=======
    tokens: callsModels ? paid('tokens') : NO_MODEL,
    usd: { ...usd, most: roundMoney(usd.most) },
    wall: spec.machine === undefined ? limit('duration', lateEnd(spec, policy)) : HAND_WRITTEN,
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
  }
}

const NOTHING: Figure = { most: 0, because: '' }
const NO_TOOL: Figure = { most: 0, because: 'no tool is called' }
const HAND_WRITTEN = unknown('how long a hand-written statechart waits is not in its spec')

function callsTools(graphs: readonly Nested[]): boolean {
  const declared = graphs.some(({ spec }) => Object.keys(spec.tools).length > 0)
  return declared || unknownGraph(graphs) !== undefined
}

<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
function durationOf(of: Of, itself: () => Figure): Figure {
  if (of.spec.machine !== undefined)
    return {
      most: Number.POSITIVE_INFINITY,
      because: 'how long a statechart written by hand waits is not in its spec',
    }
  const undoing = rollbackTime(of)
  // What is left below ends before what is left above.
  const grace =
    GRACE * (workingNodes(of.spec).some(([, node]) => runsGraphs(of.spec, node)) ? 1 + of.depth : 1)
  const late = {
    most: grace + undoing.most,
    because:
      undoing.because || `${formatAmount(grace + undoing.most, 'ms')} more for what is left to end`,
  }
  return boundUnit(
    of,
    'duration',
    undoing.most === 0
      ? itself()
      : { most: Number.POSITIVE_INFINITY, because: undoing.because || 'undoing takes its time' },
    late,
  )
=======
/** The time for what is left to end. What is left below ends before what is left above. */
function lateEnd(spec: Spec, policy: Policy): Figure {
  const undoing = rollbackTime(spec, policy)
  if (isUnknown(undoing)) return undoing
  const nested = workingNodes(spec).some(([, node]) => runsGraphs(spec, node))
  const most = GRACE * (nested ? 1 + (policy.limits.depth ?? DEPTH) : 1) + undoing.most
  return { most, because: `${formatAmount(most, 'duration')} more for what is left to end` }
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
}
