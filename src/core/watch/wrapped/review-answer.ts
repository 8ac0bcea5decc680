/** The answer of a person to a pending escape. */
import { DECISIONS } from '../event/event.ts'
import { unfit } from '../policy/key.ts'
import type { WatchdogSetup, WatchdogState } from './state.ts'

export const REVIEW_ANSWERS = ['approved', 'dismiss', 'rejected', 'stop'] as const

/** `dismiss`: the finding is not a loop. Detectors ignore it from then on. */
export type ReviewAnswer = (typeof REVIEW_ANSWERS)[number]

/** After the deadline, `review.otherwise` applies instead. @throws TypeError */
export function answerEvent(
  state: WatchdogState,
  setup: WatchdogSetup,
  answer: ReviewAnswer,
  at: number,
) {
  checkWord('answer', answer, REVIEW_ANSWERS)
  const { pendingEscape, askedAt = 0 } = state
  const { review } = setup.policy.escape
  const { deadline = Number.POSITIVE_INFINITY, otherwise = 'stop' } = review ?? {}
  const late = otherwise === 'stop' ? 'stop' : 'approved'
  const decision = at >= askedAt + deadline ? late : answer
  const from = pendingEscape?.route.rung === 'review' ? pendingEscape.route.from : setup.agent
  return { type: 'resume', effect: `${from}#ask`, decision, at } as const
}

/** @throws TypeError */
export const checkDecision = (decision: string): void => checkWord('decision', decision, DECISIONS)

/** A mistyped word would count as consent: only `stop` and `rejected` end the watch. */
function checkWord(path: string, word: string, known: readonly string[]): void {
  if (known.includes(word)) return
  const expected = `one of ${known.map(each => `'${each}'`).join(', ')}`
  throw new TypeError(`${path}: ${unfit(expected, known)({ input: word })}`)
}
