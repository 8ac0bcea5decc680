/**
 * How often the calls of one kind succeed. A kind is a tool with what it is to do, such as its `method`, or the words of a command
 * before its last one: `aws s3api get-bucket-policy --bucket`.
 *
 * Intuition: an agent that fetches sixty pages, of which twenty refuse it alike, learns something about twenty pages. Its tool works.
 * Hard cases: commands of one shell succeed and fail for reasons of their own, and an agent that searches guesses one name after the other.
 */
import type { AnsweredObservation } from '../normalize/observed.ts'
import { remember } from '../data/json.ts'

/** `share`: how many in a thousand of the latest `calls` succeeded. */
export type Kind = readonly [name: string, share: number, calls: number]
export type Kinds = readonly Kind[]

const KINDS_MAX = 4
const CALLS_MAX = 10
const SHARE_MAX = 800
/** A kind of which nothing is known. One success is not enough to trust it. */
const UNKNOWN: Kind = ['', 500, 4]
/** Clearly more than half of the calls succeed. */
const WORKS = 600
/** Words of a command that name one item at the end. */
const WORDS_MIN = 3
const WORD_LENGTH = 4
const SEVERAL = /[|;&\n]/

/** `undefined` for a search, for a command of other words, and for several commands. */
export function kindOf({ subject, request }: AnsweredObservation): string | undefined {
  if (!request || request.aim === 'seek') return undefined
  if (!request.runs) return `${subject} ${request.operation ?? ''}`
  const { operands = '', texts = [] } = request
  if (operands.length < WORDS_MIN * WORD_LENGTH || texts.some(text => SEVERAL.test(text)))
    return undefined
  return `${subject} ${operands.slice(0, -WORD_LENGTH)}`
}

/** How much the failures of different items count: less if the calls of their kind mostly succeed. */
export function weightOfItems(kinds: Kinds, name: string | undefined): number {
  const [, share] = find(kinds, name)
  return share > WORKS ? 1 - share / 1_000 : 1
}

const find = (kinds: Kinds, name: string | undefined): Kind =>
  kinds.find(([other]) => other === name) ?? UNKNOWN

export function kindsAfter(kinds: Kinds, name: string | undefined, succeeded: boolean): Kinds {
  if (name === undefined) return kinds
  const known = find(kinds, name)
  const [, share, calls] = known
  const now = Math.round(share + ((succeeded ? 1_000 : 0) - share) / (calls + 1))
  const next: Kind = [name, Math.min(now, SHARE_MAX), Math.min(calls + 1, CALLS_MAX)]
  // A tool that always succeeds needs no new state for each of its calls.
  if (known.every((value, at) => value === next[at])) return kinds
  return remember(
    kinds.filter(kind => kind !== known),
    next,
    KINDS_MAX,
  )
}
