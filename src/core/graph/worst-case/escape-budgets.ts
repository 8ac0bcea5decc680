/** How often the escape mechanism can lead on: by the ladder, its budgets and its restarts. */
import { LOOPS_MAX } from '../../watch/ladder.ts'
import { type Counted, type Policy, type RungBudget, RUNGS } from '../../watch/policy.ts'
import { type Spec, rethinkNodes, workingNodes } from '../spec/spec.ts'
import { alternativesIn, namesBudget, concurrentNodes } from './successors.ts'

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
  const lives = mayProgress(spec) ? restarts + 1 : 1
  const times = (rung: Counted, possible: boolean) =>
    possible && ladder.includes(rung) && budget[rung].perLoop > 0 ? budget[rung].total : 0
  const budgets = namesBudget(spec)
  const alternatives = times(
    'alternative',
    acts ? spec.machine !== undefined || alternativesIn(spec).length > 0 : budgets,
  )
  const rethinks = times('rethink', acts && rethinkNodes(spec).length > 0)
  const regions = concurrentNodes(spec, () => true)
  // Back at the mark, every region goes on where it was.
  const rollbacks = times('rollback', acts && mayProgress(spec)) * Math.max(1, regions)
  const reviews = times('review', acts && review !== undefined)
  const own = ladder.find(rung => !RUNGS.some(name => name === rung))
  const anywhere = rollbacks > 0 || reviews > 0 || spec.machine !== undefined
  return {
    beyond:
      lives *
      ((budgets && alternatives > 0 ? maxEscapes(budget.alternative) : 0) +
        (reviews > 0 ? maxEscapes(budget.review) : 0)),
    alternatives: lives * alternatives,
    led: lives * (alternatives + rethinks + rollbacks + reviews),
    to: anywhere
      ? workingNodes(spec).map(([name]) => name)
      : [...alternativesIn(spec), ...rethinkNodes(spec)],
    ...(own === undefined
      ? {}
      : {
          endless: `how often the rung '${own}' is taken, and a limit gone beyond by it, its own code says`,
        }),
  }
}

/** How often a rung may be taken for one finding: its count is forgotten once `LOOPS_MAX` others have taken the same rung. */
function maxEscapes({ perLoop, total }: RungBudget): number {
  const round = perLoop + LOOPS_MAX
  return Math.floor(total / round) * perLoop + Math.min(perLoop, total % round)
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
