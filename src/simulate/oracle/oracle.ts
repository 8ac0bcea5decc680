/** Checks the conditions of a scenario against a journal while it is written. */
import type { Row, Run } from '../../core/run/run.ts'
import type { Oracle } from '../scenario/scenario.ts'
import { type Condition, conditionOf, FollowedCondition } from './condition.ts'
import { factsAfter, type Surroundings } from './facts.ts'

/** A condition that did not hold, and the event at which this was certain. */
export interface Violation {
  readonly rule: 'always' | 'never' | 'eventually'
  readonly condition: string
  readonly seq: number
}

type Bound = Oracle['eventually'][number]

/** The conditions of an oracle, compiled. */
interface Conditions
  extends Readonly<Record<'always' | 'never' | 'sometimes', readonly Condition[]>> {
  readonly eventually: readonly (readonly [Bound, Condition])[]
  readonly correct?: Condition
  readonly degraded?: Condition
}

/** Compiling a condition costs more than a step: it is done once for all runs of a scenario. */
const COMPILED = new WeakMap<Oracle, Conditions>()

function conditionsOf(oracle: Oracle): Conditions {
  const { always, never, sometimes, eventually, correct, degraded } = oracle
  const known = COMPILED.get(oracle) ?? {
    always: always.map(conditionOf),
    never: never.map(conditionOf),
    sometimes: sometimes.map(conditionOf),
    eventually: eventually.map(bound => [bound, conditionOf(bound.is)] as const),
    ...(correct === undefined ? {} : { correct: conditionOf(correct) }),
    ...(degraded === undefined ? {} : { degraded: conditionOf(degraded) }),
  }
  COMPILED.set(oracle, known)
  return known
}

type Observed = Readonly<{ row: Row; run: Run; around: Surroundings }>

/** Follows one run. */
export class OracleWatch {
  readonly violations: Violation[] = []
  /** The `sometimes` that were true. */
  readonly seen = new Set<string>()
  /** The last event. */
  #last: Observed | undefined
  #healedAt: { readonly steps: number; readonly at: number } | undefined
  readonly #conditions: Conditions
  readonly #always: readonly FollowedCondition[]
  readonly #never: readonly FollowedCondition[]
  readonly #sometimes: readonly FollowedCondition[]
  readonly #open: Map<Bound, FollowedCondition>

  constructor(oracle: Oracle) {
    const follow = (condition: Condition) => new FollowedCondition(condition)
    this.#conditions = conditionsOf(oracle)
    const { always, never, sometimes, eventually } = this.#conditions
    this.#always = always.map(follow)
    this.#never = never.map(follow)
    this.#sometimes = sometimes.map(follow)
    this.#open = new Map(eventually.map(([bound, condition]) => [bound, follow(condition)]))
  }

  /** Whether the scenario has any condition. */
  get isNeeded(): boolean {
    const { always, never, eventually, sometimes, correct, degraded } = this.#conditions
    const lists = [always, never, eventually, sometimes]
    return lists.some(({ length }) => length > 0) || (correct ?? degraded) !== undefined
  }

  /** Checks the conditions after an event. */
  observe(observed: Observed): void {
    const { row, run, around } = observed
    this.#last = observed
    const read = factsAfter(observed)
    for (const condition of this.#always)
      if (!condition.holds(read, row.seq)) this.#add('always', condition, row.seq)
    for (const condition of this.#never)
      if (condition.holds(read, row.seq)) this.#add('never', condition, row.seq)
    for (const condition of this.#sometimes)
      if (!this.seen.has(condition.text) && condition.holds(read, row.seq))
        this.seen.add(condition.text)
    if (around.healed) this.#healedAt ??= { steps: stepsOf(run), at: run.at }
    for (const [bound, condition] of this.#open) {
      if (!this.#isLate(bound, run) && condition.holds(read, row.seq)) this.#open.delete(bound)
      else if (this.#isLate(bound, run)) this.#miss(bound, condition, row.seq)
    }
  }

  /** The run is over: what has not happened will not happen. */
  end(): void {
    for (const [bound, condition] of this.#open)
      if (this.#since(bound) !== undefined) this.#miss(bound, condition, this.#last?.row.seq ?? 0)
  }

  /** Whether the result is correct and complete; `undefined` if the scenario has no condition for it. */
  judge(rule: 'correct' | 'degraded'): boolean | undefined {
    const condition = this.#conditions[rule]
    if (!condition || !this.#last) return undefined
    return new FollowedCondition(condition).holds(factsAfter(this.#last), this.#last.row.seq)
  }

  #since({ after }: Bound) {
    return after === 'start' ? { steps: 0, at: this.#last?.run.startedAt ?? 0 } : this.#healedAt
  }

  #isLate(bound: Bound, run: Run): boolean {
    const since = this.#since(bound)
    if (!since) return false
    const { steps = Number.POSITIVE_INFINITY, time = Number.POSITIVE_INFINITY } = bound
    return stepsOf(run) - since.steps > steps || run.at - since.at > time
  }

  #miss(bound: Bound, condition: FollowedCondition, seq: number): void {
    this.#open.delete(bound)
    this.#add('eventually', condition, seq)
  }

  /** Reports each condition once in a run. */
  #add(rule: Violation['rule'], { text }: FollowedCondition, seq: number): void {
    if (this.violations.some(known => known.rule === rule && known.condition === text)) return
    this.violations.push({ rule, condition: text, seq })
  }
}

const stepsOf = (run: Run): number => run.watch.account.spent.steps
