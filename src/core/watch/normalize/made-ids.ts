/**
 * What a declared write makes each time: a branch, a session, a task. Its id is new, and the calls that are given the id are the same calls.
 *
 * Intuition: to create a branch, to run the same statement in it and to delete it is one lap, although no two of these calls are equal.
 * Hard case: a sandbox for each task. What runs in it is new, therefore only `sequence` reads calls without such ids: it needs laps in
 * which nothing else differs.
 */
import { callKey, hash, isMap, type Json, mapFields, remember, shortHash } from '../data/json.ts'
import type { AnsweredObservation } from './observed.ts'
import type { LapCall } from './request-features.ts'
import { PART, pieces, VALUE, valueHash, valuesOf } from './values.ts'

/** The content of an answer, the values in it that may be ids, and those that differ from the answer before. */
export type Made = readonly [id: string, values: string, fresh: string]

const MADE_MAX = 4

export function madeAfter(
  all: readonly Made[],
  { subject, answerHash, failed }: AnsweredObservation,
  text: string | undefined,
): readonly Made[] {
  const values = text === undefined || failed ? [] : valuesOf(text)
  if (values.length === 0) return all
  const id = shortHash(hash(`${subject} ${answerHash}`))
  const known = all.find(([other]) => other === id)
  const before = pieces(known?.[1] ?? '')
  const fresh = known ? values.filter((value, place) => value !== before[place]) : []
  const next: Made = [id, values.join(''), fresh.join('')]
  return remember(
    all.filter(made => made !== known),
    next,
    MADE_MAX,
  )
}

/** A call without the ids that were made for it; `undefined` if it is given none. */
export function lapCall(all: readonly Made[], subject: string, args: Json): LapCall | undefined {
  const fresh = new Set(all.flatMap(([, , ids]) => pieces(ids)))
  if (fresh.size === 0) return undefined
  const given = new Set<string>()
  const rest = mapTexts(args, text => without(fresh, text, id => given.add(id)))
  return given.size > 0 ? { key: callKey(subject, rest), ids: [...given].join('') } : undefined
}

/** An answer without the ids that its call was given. A number names an item: "Order 4849 shipped." */
export const withoutMade = ({ ids }: LapCall, text: string): string => {
  const given = new Set(pieces(ids))
  return text.replace(VALUE, value =>
    NUMBER.test(value) || !given.has(valueHash(value)) ? value : NO_ID,
  )
}

const NUMBER = /^\d+$/
const NO_ID = '…'

/** An id may also be a part of a name: `app-3f2a9c1e.log`. */
function without(ids: ReadonlySet<string>, text: string, onId: (id: string) => void): string {
  const replaced = (value: string): string => {
    const id = valueHash(value)
    if (!ids.has(id)) return value
    onId(id)
    return NO_ID
  }
  return text.replace(VALUE, value => {
    const whole = replaced(value)
    const parts = (part: string) => (NUMBER.test(part) ? part : replaced(part))
    return whole === value ? value.replace(PART, parts) : whole
  })
}

/** A longer text is what is written, not an id. */
const TEXT_MAX = 1_000

function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return value.length <= TEXT_MAX ? map(value) : value
  if (typeof value === 'number') return map(`${value}`) === NO_ID ? NO_ID : value
  if (Array.isArray(value)) return value.map(inner => mapTexts(inner, map))
  return isMap(value) ? mapFields(value, inner => mapTexts(inner, map)) : value
}
