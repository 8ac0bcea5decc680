/** Checks the conditions of a scenario against a journal while it is written. */
import type { Row, Run } from '../../core/run.ts'
import { codedError, guardOf } from '../../core/watch/data/fault.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { factsOf } from '../../core/watch/failure/failure.ts'
import { compileCondition } from '../scenario/condition.ts'
import type { Oracle } from '../scenario/scenario.ts'
import { factsAfter, type Surroundings } from './facts.ts'

/** A condition that did not hold, and the event at which this was certain. */
export interface Violation {
  readonly rule: 'always' | 'never' | 'eventually'
  readonly condition: string
  readonly seq: number
}

/** A condition threw an error: the scenario is invalid, not the agent. */
export class OracleFailed extends codedError('OracleFailed', 'oracle-failed') {}

/** Whether an error is an `OracleFailed`. */
export const isOracleFailed = guardOf(OracleFailed)

interface Condition {
  readonly text: string
  readonly holds: (read: (name: string) => Json, seq: number) => boolean
}

function conditionOf(text: string): Condition {
  const { evaluate, fault } = compileCondition(text)
  if (!evaluate) throw new OracleFailed(fault)
  return {
    text,
    holds: (read, seq) => {
      const value = valueOf(text, seq, () => evaluate(read))
      if (typeof value === 'boolean') return value
      const wrong = `the condition \`${text}\` is ${JSON.stringify(value)} after event ${seq}`
      throw new OracleFailed(`${wrong}; expected true or false`)
    },
  }
}

function valueOf(text: string, seq: number, evaluate: () => Json): Json {
  try {
    return evaluate()
  } catch (error) {
    const { message } = factsOf(error)
    throw new OracleFailed(
      `the condition \`${text}\` failed after event ${seq}: ${message.split('\n')[0]}`,
      { cause: error },
    )
  }
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
  readonly #oracle: Oracle
  readonly #always: readonly Condition[]
  readonly #never: readonly Condition[]
  readonly #sometimes: readonly Condition[]
  readonly #open: Map<Oracle['eventually'][number], Condition>

  constructor(oracle: Oracle) {
    this.#oracle = oracle
    this.#always = oracle.always.map(conditionOf)
    this.#never = oracle.never.map(conditionOf)
    this.#sometimes = oracle.sometimes.map(conditionOf)
    this.#open = new Map(oracle.eventually.map(bound => [bound, conditionOf(bound.is)]))
  }

  /** Whether the scenario has any condition. */
  get isNeeded(): boolean {
    const { always, never, eventually, sometimes, correct, degraded } = this.#oracle
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
    for (const { text, holds } of this.#sometimes)
      if (!this.seen.has(text) && holds(read, row.seq)) this.seen.add(text)
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
    const text = this.#oracle[rule]
    if (text === undefined || !this.#last) return undefined
    return conditionOf(text).holds(factsAfter(this.#last), this.#last.row.seq)
  }

  #since({ after }: Oracle['eventually'][number]) {
    return after === 'start' ? { steps: 0, at: this.#last?.run.startedAt ?? 0 } : this.#healedAt
  }

  #isLate(bound: Oracle['eventually'][number], run: Run): boolean {
    const since = this.#since(bound)
    if (!since) return false
    const { steps = Number.POSITIVE_INFINITY, time = Number.POSITIVE_INFINITY } = bound
    return stepsOf(run) - since.steps > steps || run.at - since.at > time
  }

  #miss(bound: Oracle['eventually'][number], condition: Condition, seq: number): void {
    this.#open.delete(bound)
    this.#add('eventually', condition, seq)
  }

  /** Reports each condition once in a run. */
  #add(rule: Violation['rule'], { text }: Condition, seq: number): void {
    if (this.violations.some(known => known.rule === rule && known.condition === text)) return
    this.violations.push({ rule, condition: text, seq })
  }
}

const stepsOf = (run: Run): number => run.watch.account.spent.steps
