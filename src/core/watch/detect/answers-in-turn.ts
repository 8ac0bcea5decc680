/**
 * Two or three long answers of a child graph in turn, each `times` times.
 *
 * Intuition: a child that answers A, B, A, B is asked in turns that were known, whatever its input is.
 * Hard case: children that sort items into two or three kinds return few answers, too. Only an exact turn is a loop, and only of
 * answers longer than a sentence. Rejected: counting each answer by itself, which stops such children.
 */
import type { AnsweredObservation } from '../normalize/observed.ts'
import { remember, shortHash } from '../data/json.ts'

/** The latest answers of a child, and for each period how many consecutive ones equal the answer one period earlier. */
export type AnswerTurn = {
  readonly subject: string
  readonly latest: readonly string[]
  readonly runs: readonly number[]
  readonly batch: number
  readonly signs: readonly string[]
  readonly seqs: readonly number[]
}

const PERIODS = [2, 3] as const
const SUBJECTS_MAX = 4
const SEQS_MAX = 12

/** Whether only the answer of the call is known: the input of a child is not. */
export const hasUnknownInput = ({ request }: AnsweredObservation): boolean =>
  request?.words === '' && request.numbers === ''

/** The turns after an answer of a child, and the turn of that child. */
export function turnsAfter(turns: readonly AnswerTurn[], of: AnsweredObservation) {
  const { subject, batch, tone, seq } = of
  const known = turns.find(turn => turn.subject === subject)
  const others = turns.filter(turn => turn !== known)
  if (tone !== 'plain') return [known ? others : turns, undefined] as const
  // Parallel children are one lap.
  if (known?.batch === batch) return [turns, undefined] as const
  const { latest = [], runs = [], signs = [], seqs = [] } = known ?? {}
  const answer = shortHash(of.answerHash)
  const turn: AnswerTurn = {
    ...{ subject, batch },
    latest: remember(latest, answer, Math.max(...PERIODS)),
    runs: PERIODS.map((period, nth) => (latest.at(-period) === answer ? (runs[nth] ?? 0) + 1 : 0)),
    signs: remember(signs, shortHash(of.key), SEQS_MAX),
    seqs: remember(seqs, seq, SEQS_MAX),
  }
  return [remember(others, turn, SUBJECTS_MAX), turn] as const
}

/** The period in which each answer of the turn came `times` times. A turn has different answers. */
export function periodOf({ latest, runs }: AnswerTurn, times: number): number | undefined {
  if (latest.at(-1) === latest.at(-2) && latest.at(-1) === latest.at(-3)) return undefined
  return PERIODS.find((period, nth) => (runs[nth] ?? 0) >= (times - 1) * period)
}
