/** What escapes add to limits: how often they can continue past one, and how long undoing calls can take. */
import { LOOPS_MAX } from '../../watch/escape/ladder.ts'
import type { Counted, Policy, RungBudget } from '../../watch/policy/policy.ts'
import { RUNGS } from '../../watch/policy/policy-keys.ts'
import { isFinal, nodesOf, outcomeEdges, workingNodes } from '../spec/nodes.ts'
import { defined } from '../../watch/data/defined.ts'
import { isCustomUse } from '../spec/name.ts'
import type { Spec } from '../spec/spec.ts'
import { type Figure, maxFigure, unknown } from './figure.ts'

/** How often escapes can continue past one limit, by the budgets and the restarts of the ladder. */
export function renewalsOf(spec: Spec, { mode, escape }: Policy): number {
  const { ladder, budget, restarts, review } = escape
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
      ({ use, effects = isCustomUse(use) ? 'write' : 'read' }) => effects === 'write',
    )
  )
}

const NONE: Figure = { most: 0, because: '' }

/** The longest silence of a call that undoes another, since no deadline of a node ends it. 0 where undoing is impossible. */
export function rollbackTime({ tools }: Spec, { mode, escape, retry }: Policy): Figure {
  const { perLoop, total } = escape.budget.rollback
  if (mode !== 'act' || !escape.ladder.includes('rollback') || perLoop * total === 0) return NONE
  const undoable = Object.entries(tools).filter(
    ([, { use, effects }]) => isCustomUse(use) && effects !== 'read',
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
