/** The bound: the most that one round of a thread can spend, whatever its tools, models and people do. From the spec alone. */
import { DEPTH, GRACE } from '../watch/policy.ts'
import { roundMoney, type Spent } from '../watch/budget/spent.ts'
import {
  type Inside,
  modelCallsOf,
  runsGraphs,
  stepsOf,
  type Terms,
  timeOf,
  toolCallsOf,
  rollbackTime,
} from './worst-case/cost.ts'
import { formatAmount, type Figure, minFigure, formatUnit } from './worst-case/figure.ts'
import { tightestLimit } from './worst-case/limit.ts'
import { totalOf, maxConcurrentCalls, maxCallCost, overshoot } from './worst-case/money.ts'
import { maxPathCost } from './worst-case/path-cost.ts'
import { escapeBudgets, type EscapeBudgets } from './worst-case/escape-budgets.ts'
import type { WorkingNode } from './spec/node.ts'
import { type Spec, workingNodes } from './spec/spec.ts'
import { policyOf } from './spec/to-policy.ts'

export type { Figure } from './worst-case/figure.ts'

/** A figure for people: `2,000`, `1.5`, `10m`; `no bound`. */
export function figureText(most: number, unit: keyof Spent): string {
  return most === Number.POSITIVE_INFINITY ? 'no bound' : formatAmount(most, formatUnit(unit))
}

/** A figure for each unit of an account; `duration` is in ms. */
export type WorstCase = Readonly<Record<keyof Spent, Figure>>

/** A spec with the graphs inside it, by the names it has for them; `undefined` where one is not known. */
export interface Nested {
  readonly spec: Spec
  readonly inside: (name: string) => Nested | undefined
}

/**
 * Counts on limits and what may be granted on top of them, on budgets of the ladder, attempts, deadlines, and the edges of the
 * graph. Not on detectors, for answers that are new each time pass them all; nor on breakers, for whoever shares one may close it.
 * Left out is what a process that died must do again, and calls that undo others on the way back to a mark: limits hold all the
 * same, and undoing is owed. A round after the first can also go back to its beginning, as often as `rollback` has budget.
 *
 * @example boundOf(loaded).toolCalls // { most: 60, because: '60 from limits.toolCalls' }
 */
export function worstCaseOf(nested: Nested): WorstCase {
  return worstInside(nested, Number.POSITIVE_INFINITY, new Map()).bound
}

/** By spec, and how many graphs may still stand one inside another below it. */
type Known = Map<Spec, Map<number, Inside>>

function worstInside({ spec, inside }: Nested, above: number, known: Known): Inside {
  const policy = policyOf(spec)
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
  const paid = (unit: 'tokens' | 'usd') => {
    const call = maxCallCost(of, unit)
    const figure = boundUnit(of, unit, totalOf(modelCalls, call), overshoot(of, call))
    return unit === 'usd' ? { ...figure, most: roundMoney(figure.most) } : figure
  }
  return {
    steps,
    toolCalls: boundUnit(of, 'toolCalls', costing(toolCallsOf, steps.most)),
    modelCalls,
    tokens: paid('tokens'),
    usd: paid('usd'),
    duration: durationOf(of, () => costing(timeOf, steps.most, 'ms')),
  }
}

/** Either a limit binds first, or what the graph itself can come to. */
function boundUnit(
  { policy, out }: Of,
  unit: keyof Spent,
  itself: Figure,
  late: Figure = { most: 0, because: '' },
): Figure {
  if (out.endless !== undefined && itself.most > 0)
    return { most: Number.POSITIVE_INFINITY, because: out.endless }
  const limit = tightestLimit(policy.limits, unit, { beyond: out.beyond, late })
  if (limit) return minFigure(limit, itself)
  if (itself.most < Number.POSITIVE_INFINITY || late.most === Number.POSITIVE_INFINITY)
    return itself
  return {
    ...itself,
    because: `${itself.because}${itself.because.includes(': set ') ? ', or' : ': set'} limits.${unit}`,
  }
}

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
}
