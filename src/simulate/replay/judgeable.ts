/** The conditions of an oracle that a replay can judge. Its calls are answered from a journal, so the fake system stays as it began. */
import { conditionOf } from '../oracle/condition.ts'
import type { Oracle } from '../scenario/scenario.ts'

interface Judgeable {
  readonly oracle: Oracle
  /** The conditions that read `system`. */
  readonly notJudged: readonly string[]
}

/** @throws OracleFailed */
export function judgeable(given: Oracle): Judgeable {
  const notJudged = new Set<string>()
  const canJudge = (text: string): boolean => {
    const readsSystem = conditionOf(text).names.includes('system')
    if (readsSystem) notJudged.add(text)
    return !readsSystem
  }
  const { always, never, eventually, sometimes, correct, degraded, ...rest } = given
  const oracle = {
    ...rest,
    always: always.filter(canJudge),
    never: never.filter(canJudge),
    eventually: eventually.filter(({ is }) => canJudge(is)),
    sometimes: sometimes.filter(canJudge),
    correct: correct !== undefined && canJudge(correct) ? correct : undefined,
    degraded: degraded !== undefined && canJudge(degraded) ? degraded : undefined,
  }
  return { oracle, notJudged: [...notJudged] }
}
