/** One condition of an oracle: compiled once, and evaluated in a run only when a fact that it reads has changed. */
import { codedError, guardOf } from '../../core/watch/data/fault.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { factsOf } from '../../core/watch/failure/failure.ts'
import { compileCondition, type FactName } from '../scenario/condition.ts'
import { type ReadFact, stampOf } from './facts.ts'

/** A condition threw an error: the scenario is invalid, not the agent. */
export class OracleFailed extends codedError('OracleFailed', 'oracle-failed') {}

/** Whether an error is an `OracleFailed`. */
export const isOracleFailed = guardOf(OracleFailed)

/** A compiled condition. It has no state, so all runs share it. */
export interface Condition {
  readonly text: string
  readonly names: readonly FactName[]
  readonly evaluate: (read: ReadFact) => Json
}

/** @throws OracleFailed */
export function conditionOf(text: string): Condition {
  const { evaluate, names, fault } = compileCondition(text)
  if (!evaluate) throw new OracleFailed(fault)
  return {
    text,
    names: names as readonly FactName[],
    evaluate: evaluate as Condition['evaluate'],
  }
}

/** Follows a condition through one run. */
export class FollowedCondition {
  readonly text: string
  readonly #condition: Condition
  #last: { readonly stamps: readonly unknown[]; readonly holds: boolean } | undefined

  constructor(condition: Condition) {
    this.text = condition.text
    this.#condition = condition
  }

  /** @throws OracleFailed for a condition that throws, or that is not true or false */
  holds(read: ReadFact, seq: number): boolean {
    const stamps = this.#condition.names.map(name => stampOf(name, read(name)))
    const last = this.#last
    if (last && stamps.every((stamp, index) => stamp === last.stamps[index])) return last.holds
    const holds = evaluated(this.#condition, read, seq)
    this.#last = { stamps, holds }
    return holds
  }
}

function evaluated({ text, evaluate }: Condition, read: ReadFact, seq: number): boolean {
  const value = valueOf(text, seq, () => evaluate(read))
  if (typeof value === 'boolean') return value
  const wrong = `the condition \`${text}\` is ${JSON.stringify(value)} after event ${seq}`
  throw new OracleFailed(`${wrong}; expected true or false`)
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
