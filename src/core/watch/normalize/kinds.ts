/**
 * How often the calls of one kind succeed. A kind is a tool with what it is to do, such as its `method`, or a command without the names
 * and addresses in it: `aws s3api get-bucket-policy --bucket`.
 *
 * Intuition: an agent that fetches sixty pages, of which twenty refuse it alike, learns something about twenty pages. Its tool works. It
 * works no longer if so many items in a row fail as chance explains once in two thousand times: three if one in twenty fails otherwise, seven if
 * one in three does.
 * Hard cases: failures in a row do not count for the share, because it would explain them. An agent that searches guesses one name
 * after the other.
 */
import { type AnsweredObservation, type FailedItems, isEmptySearch } from './observed.ts'
import { remember } from '../data/json.ts'

/** `share`: how many in a thousand of the latest `calls` succeeded, without the `row` of those that failed last. */
export type Kind = readonly [name: string, share: number, calls: number, row: number]
export type Kinds = readonly Kind[]

export const NO_KINDS: Kinds = []

const KINDS_MAX = 4
const CALLS_MAX = 20
const SHARE_MAX = 950
/** A kind of which nothing is known. One success is not enough to trust it. */
const UNKNOWN: Kind = ['', 500, 4, 0]
/** Clearly more than half of the calls succeed. */
const WORKS = 600
const CHANCE = Math.log(1 / 2_000)

/** `undefined` for a search: it guesses. A statement in SQL does not. */
function kindOf({ subject, request, tone }: AnsweredObservation): string | undefined {
  if (!request || tone === 'unseen') return undefined
  const { aim, runs, operation } = request
  if (operation === undefined && (aim === 'seek' || runs)) return undefined
  return `${subject} ${operation ?? ''}`
}

/** The kinds after an answer, and the failures of its kind, if it is one and that kind is known to work. */
export function kindsAfter(
  kinds: Kinds,
  answer: AnsweredObservation,
): readonly [Kinds, FailedItems | undefined] {
  const name = kindOf(answer)
  if (name === undefined) return [kinds, undefined]
  const known = kinds.find(([other]) => other === name) ?? UNKNOWN
  const [, share, calls, row] = known
  // `sameAnswer` weighs searches.
  const succeeded = !answer.failed || isEmptySearch(answer)
  const next: Kind = succeeded ? afterSuccess(name, known) : [name, share, calls, row + 1]
  // A tool that always succeeds needs no new state for each of its calls.
  const isSame = known.every((value, at) => value === next[at])
  const others = kinds.filter(kind => kind !== known)
  const all = isSame ? kinds : remember(others, next, KINDS_MAX)
  if (succeeded || share <= WORKS) return [all, undefined]
  return [all, { row: row + 1, beyond: Math.ceil(CHANCE / Math.log(1 - share / 1_000)) }]
}

function afterSuccess(name: string, [, share, calls, row]: Kind): Kind {
  let now = share
  let of = calls
  for (let left = row; left >= 0; left--) {
    now += ((left === 0 ? 1_000 : 0) - now) / (of + 1)
    of = Math.min(of + 1, CALLS_MAX)
  }
  return [name, Math.min(Math.round(now), SHARE_MAX), of, 0]
}
