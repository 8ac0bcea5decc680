/** What escapes add to limits: how often they can continue past one, and how long undoing calls can take. */
import { LOOPS_MAX } from '../../watch/ladder.ts'
import { type Counted, type Policy, type RungBudget, RUNGS } from '../../watch/policy.ts'
import { outcomeEdges } from '../edges.ts'
import { defined } from '../spec/defined.ts'
import { isFinal, nodesOf, type Spec, workingNodes } from '../spec/spec.ts'
import { type Figure, maxFigure, unknown } from './figure.ts'

<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
export interface EscapeBudgets {
  /** How often one limit can be answered by going on; each time it grows by a quarter. */
  readonly beyond: number
  /** How often the run can be led elsewhere than its own edges lead; `alternatives`: of these, by the edges named for it. */
  readonly led: number
  readonly alternatives: number
  /** Where to; any node, if a person or the way back decides. */
  readonly to: readonly string[]
  /** Why neither is bounded. */
  readonly endless?: string
}

/** People may dismiss any repetition, and breakers and detectors see only what is shown to them: nothing is counted on but budgets. */
export function escapeBudgets(spec: Spec, policy: Policy): EscapeBudgets {
  const acts = policy.mode === 'act'
  const { ladder, budget, restarts, review } = policy.escape
=======
/** How often escapes can continue past one limit, by the budgets and the restarts of the ladder. */
export function renewalsOf(spec: Spec, { mode, escape }: Policy): number {
  const { ladder, budget, restarts, review } = escape
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
  const lives = mayProgress(spec) ? restarts + 1 : 1
  const times = (rung: Counted, possible: boolean) =>
    possible && ladder.includes(rung) ? maxEscapes(budget[rung]) : 0
  return (
    lives *
    (times('alternative', namesBudget(spec)) +
      times('review', mode === 'act' && review !== undefined))
  )
}

/** A rung that is not built in: its own code decides how often it continues past a limit. */
export function customRung({ escape }: Policy): string | undefined {
  return escape.ladder.find(rung => !RUNGS.some(name => name === rung))
}

/** How often a rung may be taken for one finding: its count is forgotten once `LOOPS_MAX` others have taken the same rung. */
function maxEscapes({ perLoop, total }: RungBudget): number {
  const round = perLoop + LOOPS_MAX
  return Math.floor(total / round) * perLoop + Math.min(perLoop, total % round)
}

/** Whether an edge is named for a spent limit. */
function namesBudget(spec: Spec): boolean {
  return [...nodesOf(spec).values()].some(
    node => !isFinal(node) && outcomeEdges(node).some(([outcome]) => outcome === 'budget'),
  )
}

/** Whether anything in the graph can be progress, which starts the ladder again. */
function mayProgress(spec: Spec): boolean {
  return (
    spec.machine !== undefined ||
    spec.progress !== undefined ||
    workingNodes(spec).some(([, { phase }]) => phase === true) ||
    Object.values(spec.tools).some(
      ({ use, effects = use.startsWith('./') ? 'write' : 'read' }) => effects === 'write',
    )
  )
}

const NONE: Figure = { most: 0, because: '' }

/** The longest silence of a call that undoes another, since no deadline of a node ends it. 0 where undoing is impossible. */
export function rollbackTime({ tools }: Spec, { mode, escape, retry }: Policy): Figure {
  const { perLoop, total } = escape.budget.rollback
  if (mode !== 'act' || !escape.ladder.includes('rollback') || perLoop * total === 0) return NONE
  const undoable = Object.entries(tools).filter(
    ([, { use, effects }]) => use.startsWith('./') && effects !== 'read',
  )
  return maxFigure(
    undoable.map(([name, { timeout, retry: custom }]) =>
      timeout === undefined
        ? unknown(`unknown time to undo '${name}': set tools.${name}.timeout`)
        : { most: Math.max(timeout, { ...retry, ...defined(custom ?? {}) }.cap), because: '' },
    ),
    NONE,
  )
}
