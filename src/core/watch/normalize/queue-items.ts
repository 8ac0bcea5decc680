/**
 * The items of a queue: a call that is answered alike each time, and each time about another item.
 *
 * Intuition: an id does not count as content, because it is new in a loop, too. An agent that passes the new id of each answer to a
 * call that takes effect works through items. A word of failure in such an answer is what the agent works on.
 * Hard cases: a session is new each time and passed on, too, but what it is used for returns what is known. A note may quote the id of a
 * request that failed, a write that was refused may return an id, and a test or a command names each of its runs.
 * Rejected: each new id as another answer. Tools name their failures by ids.
 */
import { hash, type Json, remember, SHORT_HASH, shortHash } from '../data/json.ts'
import { itemTexts } from './items.ts'
import type { AnsweredObservation } from './observed.ts'
import { addHashes } from '../text/similarity.ts'
import { spacedName } from '../text/tool-name.ts'
import { pieces, VALUE, valueHash, valuesOf } from './values.ts'

/** The latest answers by their content, and those of them that came more than once. */
export interface AlikeAnswers {
  /** Short hashes of tool and content in one string, newest last. */
  readonly known: string
  readonly repeated: readonly RepeatedAnswer[]
}

/**
 * `values`: the hashes of the values in the latest of these answers that may name an item, each at its place. `used`: those of them that
 * were passed to a call that took effect since then. `seen`: such values of earlier answers.
 */
type RepeatedAnswer = readonly [id: string, values: string, used: string, seen: string]

export const NO_ANSWERS: AlikeAnswers = { known: '', repeated: [] }

/** What a call passes on: the id of a repeated answer, and the values of it. */
export type Uses = readonly (readonly [id: string, values: string])[]

const KNOWN_MAX = 12 * SHORT_HASH
const REPEATED_MAX = 2
const SEEN_MAX = 8 * 3
/** A write that takes an item. Others make what their answer names. */
const TAKES =
  /\b(?:next|pop|claim|take|receive|dequeue|pull|poll|lease|reserve|shift|consume|accept)\b/i

/** Whether the answer of the tool may be an item. */
export const mayTake = (tool: string, effects: 'read' | 'write'): boolean =>
  effects === 'read' || TAKES.test(spacedName(tool))

/** What a call passes on of the answers that came more than once. */
export function usesOf({ repeated }: AlikeAnswers, args: Json): Uses {
  if (repeated.length === 0) return []
  const words = itemTexts(args).flatMap(text => text.match(VALUE) ?? [])
  const passed = new Set(words.map(valueHash))
  return repeated.flatMap(([id, values]) => {
    const used = pieces(values).filter(value => passed.has(value))
    return used.length > 0 ? [[id, used.join('')] as const] : []
  })
}

interface Answered {
  readonly uses: Uses
  /** The text of the answer, if it may be an item. */
  readonly text: string | undefined
}

/** The answers after another one, and its observation: an answer about another item is another answer. */
export function withItem(
  before: AlikeAnswers,
  answer: AnsweredObservation,
  { uses, text }: Answered,
): readonly [AlikeAnswers, AnsweredObservation] {
  const { subject, answerHash, request } = answer
  const id = shortHash(hash(`${subject} ${answerHash}`))
  const isRepeated = before.repeated.some(([other]) => other === id)
  const isKnown = isRepeated || before.known.includes(id)
  const known = isKnown ? before.known : (before.known + id).slice(-KNOWN_MAX)
  const repeated = takesEffect(answer, isKnown) ? withUses(before.repeated, uses) : before.repeated
  if (!isKnown || text === undefined || request?.checks || request?.runs)
    return [{ known, repeated }, answer]
  const last = repeated.find(([other]) => other === id)
  const others = repeated.filter(other => other !== last)
  const [, , used, seen] = last ?? [id, '', '', '']
  const values = valuesOf(text)
  const item = newItem(values, last)
  const next = [id, values.join(''), '', (seen + used).slice(-SEEN_MAX)] as const
  const after = { known, repeated: remember(others, next, REPEATED_MAX) }
  return [after, item === undefined ? answer : aboutItem(answer, item)]
}

/** The call that returned an item has not failed with it. */
const aboutItem = (answer: AnsweredObservation, item: string): AnsweredObservation => ({
  ...answer,
  answerHash: hash(`${answer.answerHash} ${item}`),
  ok: true,
  failed: false,
  report: undefined,
  complains: undefined,
  message: undefined,
})

/** The value in the place of one that was used, if it is new. */
function newItem(values: readonly string[], last: RepeatedAnswer | undefined): string | undefined {
  if (!last || last[2] === '') return undefined
  const [, earlier, used, seen] = last
  const [gone, known] = [pieces(used), [...pieces(seen), ...pieces(used)]]
  return pieces(earlier)
    .flatMap((value, place) => (gone.includes(value) ? [values[place] ?? ''] : []))
    .find(value => value !== '' && !known.includes(value))
}

/**
 * The call succeeded, and wrote something or returned something new. A receipt without content is the answer to a write. A report states
 * what came of the item.
 */
const takesEffect = (answer: AnsweredObservation, isKnown: boolean): boolean => {
  const { ok, failed, complains, report, wrote, tone } = answer
  if (failed || complains) return report === true
  return ok && (wrote === true || tone === 'bland' || !isKnown)
}

const withUses = (repeated: AlikeAnswers['repeated'], uses: Uses) =>
  uses.length === 0
    ? repeated
    : repeated.map(([id, values, used, seen]): RepeatedAnswer => {
        const more = uses.find(([other]) => other === id)?.[1] ?? ''
        return [id, values, addHashes(used, more), seen]
      })
