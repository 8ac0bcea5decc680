/** The kinds of fields in journal rows. Each names what was expected. */
import { z } from 'zod'
import { TIME_MAX } from '../../core/watch/data/duration.ts'
import { isMap, type Json, jsonLength } from '../../core/watch/data/json.ts'
import { explain, type Reason } from '../../core/watch/reason/reason.ts'

export type Fields = Readonly<Record<string, z.ZodType>>

/**
 * Characters of a text, of arguments, of the result of a child, and of a reason. The runtime writes at most half of them. A replay reads each
 * several times.
 */
const LENGTH_MAX = 2_097_152
/** Characters of the result of a tool, of which the runtime stores an eighth. No other value is read as often. */
const RESULT_MAX = 524_288
/** Characters of an output, of which the runtime writes at most half. It is stored and hashed. */
const OUTPUT_MAX = 8_388_608
/** The entries of a list or a map in an event. The runtime writes at most some hundred. */
const ENTRIES_MAX = 10_000

const tooLong = (max: number) => ({ error: `expected at most ${max} characters` })
const isWithin = (max: number) => (value: unknown) =>
  (typeof value === 'string' ? value.length : jsonLength(value)) <= max

export const text = z.string({ error: 'expected a text' }).max(LENGTH_MAX, tooLong(LENGTH_MAX))
export const flag = z.boolean({ error: 'expected true or false' })
export const count = z.int({ error: 'expected a whole number' })
export const amount = z.number({ error: 'expected a number' })
/** In ms. Infinity, which JSON writes as null, is a valid time for a deadline. */
export const time = amount.nullable()
export const json = z.custom<Json>(value => value !== undefined, { error: 'expected a value' })
const jsonUpTo = (max: number) => json.refine(isWithin(max), tooLong(max))
export const shortJson = jsonUpTo(LENGTH_MAX)
export const resultJson = jsonUpTo(RESULT_MAX)
export const outputJson = jsonUpTo(OUTPUT_MAX)
export const oneOf = <const W extends readonly string[]>(words: W) =>
  z.enum(words, { error: `expected one of ${words.join(', ')}` })
export const object = (fields: Fields) => z.looseObject(fields, { error: 'expected an object' })
/** The number of entries is checked before the first of them. */
export const list = (of: z.ZodType, max = ENTRIES_MAX, expected = 'expected a list') =>
  z
    .custom<readonly unknown[]>(value => Array.isArray(value) && value.length <= max, {
      error: ({ input }) => (Array.isArray(input) ? `expected at most ${max} entries` : expected),
    })
    .pipe(z.array(of))
/** A list of which the runtime limits only the characters. */
export const longList = (of: z.ZodType) => list(of, 100_000)
export const texts = list(text, ENTRIES_MAX, 'expected a list of texts')
export const record = (of: z.ZodType) =>
  z
    .custom<object>(value => isMap(value) && Object.keys(value).length <= ENTRIES_MAX, {
      error: ({ input }) =>
        isMap(input) ? `expected at most ${ENTRIES_MAX} entries` : 'expected an object',
    })
    .pipe(z.record(z.string(), of))

/** The times that a date can have. */
export const at = amount
  .min(0, { error: 'expected a time after 1970' })
  .max(TIME_MAX, { error: 'expected a time before the year 275760' })

/** Reasons have a sentence for each code. */
export const reason = z
  .custom<Reason>(isReason, { error: 'expected a reason: a code and its parameters' })
  .refine(isWithin(LENGTH_MAX), tooLong(LENGTH_MAX))

function isReason(value: unknown): boolean {
  try {
    return (
      typeof (value as Reason).code === 'string' && typeof explain(value as Reason) === 'string'
    )
  } catch {
    return false
  }
}
