/** The kinds of fields in journal rows. Each names what was expected. */
import { z } from 'zod'
import { TIME_MAX } from '../../core/watch/data/duration.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { explain, type Reason } from '../../core/watch/reason/reason.ts'

export type Fields = Readonly<Record<string, z.ZodType>>

export const text = z.string({ error: 'expected a text' })
export const texts = z.array(text, { error: 'expected a list of texts' })
export const flag = z.boolean({ error: 'expected true or false' })
export const count = z.int({ error: 'expected a whole number' })
export const amount = z.number({ error: 'expected a number' })
/** In ms. Infinity, which JSON writes as null, is a valid time for a deadline. */
export const time = amount.nullable()
export const json = z.custom<Json>(value => value !== undefined, { error: 'expected a value' })
export const oneOf = <const W extends readonly string[]>(words: W) =>
  z.enum(words, { error: `expected one of ${words.join(', ')}` })
export const object = (fields: Fields) => z.looseObject(fields, { error: 'expected an object' })
export const list = (of: z.ZodType) => z.array(of, { error: 'expected a list' })
export const record = (of: z.ZodType) => z.record(z.string(), of, { error: 'expected an object' })

/** The times that a date can have. */
export const at = amount
  .min(0, { error: 'expected a time after 1970' })
  .max(TIME_MAX, { error: 'expected a time before the year 275760' })

/** Reasons have a sentence for each code. */
export const reason = z.custom<Reason>(isReason, {
  error: 'expected a reason: a code and its parameters',
})

function isReason(value: unknown): boolean {
  try {
    return (
      typeof (value as Reason).code === 'string' && typeof explain(value as Reason) === 'string'
    )
  } catch {
    return false
  }
}
