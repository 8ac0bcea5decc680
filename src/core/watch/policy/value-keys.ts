/** Keys with a single value: numbers, durations, texts, names, patterns and choices. */
import { z } from 'zod'
import { doc } from '../data/doc.ts'
import { SPAN, SPAN_EXPECTED, SPAN_MAX, spanIn, spanText } from '../data/duration.ts'
import { patternFault } from '../data/pattern.ts'
import { type KeyOptions, METADATA, key, plainOf, unfit } from './key.ts'

type Range = Readonly<{ min?: number; max?: number }>

function rangeText({ min, max }: Range, unit: string): string {
  if (max === undefined) return min === undefined ? '' : ` of at least ${min}${unit}`
  return min === undefined ? ` of at most ${max}${unit}` : ` from ${min} to ${max}${unit}`
}

/** An integer of at least `min`, by default 1. */
export function count<const O extends KeyOptions & Range>(options = {} as O) {
  const { min = 1, max }: Range = options
  const expected = `a whole number${rangeText({ min, ...(max && { max }) }, '')}`
  const error = unfit(expected)
  const integer = z.int({ error }).min(min, { error })
  const limited = integer.max(max ?? Number.MAX_SAFE_INTEGER, { error })
  return key(limited.register(METADATA, { expected }), options)
}

const AMOUNT = { error: unfit('a number above 0') }
export const amount = key(z.number(AMOUNT).positive(AMOUNT))

const SHARE = { error: unfit('a number above 0 and below 1') }
/** A part of a whole. */
export const share = key(z.number(SHARE).gt(0, SHARE).lt(1, SHARE))

const ABORT = { abort: true }
const SPANS = doc(
  z
    .union([z.number().min(0, ABORT), z.string().regex(SPAN, ABORT)], {
      error: unfit(SPAN_EXPECTED),
    })
    .transform((value, context) => {
      const ms = typeof value === 'string' ? (spanIn(value) ?? 0) : value
      if (ms > SPAN_MAX) context.addIssue(`expected at most ${spanText(SPAN_MAX)}`)
      return ms
    }),
  'duration',
)`A duration: 250ms, 30s, 10m, 1h or 1d; a bare number counts milliseconds.`

/** Parsed to milliseconds. */
export const duration = <const O extends KeyOptions>(options = {} as O) => key(SPANS, options)

/** Whether a schema parses durations. */
export const isDuration = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodPipe && schema.def.in === SPANS.def.in

interface TextOptions extends KeyOptions, Range {
  readonly test?: (text: string) => boolean
  readonly expected?: string
  readonly known?: readonly string[]
}

export function text<const O extends TextOptions>(options = {} as O) {
  const { min, max, test, known }: TextOptions = options
  const { expected = `a text${rangeText({ min, max } as Range, ' characters')}` }: TextOptions =
    options
  const error = unfit(expected, known)
  let schema = z.string({ error })
  if (min !== undefined) schema = schema.min(min, { error })
  if (max !== undefined) schema = schema.max(max, { error })
  if (test) schema = schema.refine(test, { error })
  const any = known ? z.union([z.enum(known as [string]), schema], { error }) : schema
  return key((any as z.ZodType<string, string>).register(METADATA, { expected }), options)
}

/** Whether a node, channel, tool, model or detector may have this name. Fields of every JavaScript object are reserved. */
export const isName = (text: string): boolean => NAME.test(text) && isFree(text)

const NAME = /^[A-Za-z][\w-]*$/
const isFree = (text: string) => text !== 'prototype' && !(text in {})

const NAME_ERROR = { error: unfit('a name of letters, digits, _ and -, beginning with a letter') }
export const name = doc(
  z
    .string(NAME_ERROR)
    .regex(NAME, { ...NAME_ERROR, abort: true })
    .refine(isFree, 'this name is reserved by JavaScript'),
  'name',
)`A name of letters, digits, _ and -, beginning with a letter.`

export const pattern = doc(
  z.string({ error: unfit('a regular expression') }).superRefine((text, context) => {
    const fault = patternFault(text)
    if (fault !== undefined) context.addIssue(`expected a regular expression: ${fault}`)
  }),
  'pattern',
)`A regular expression in the syntax of RE2, without lookaround and backreferences; case is ignored.`

export function choice<const C extends string, const O extends KeyOptions>(
  words: readonly C[],
  options = {} as O,
) {
  const expected = `one of: ${words.join(', ')}`
  const schema = z.enum(words as [C], { error: unfit(expected, words) })
  return key(schema.register(METADATA, { expected }), options)
}

export const flag = <const O extends KeyOptions>(options = {} as O) =>
  key(z.boolean({ error: unfit('true or false') }), options)

/** A condition in CEL. */
export const condition = key(
  z.string({ error: unfit('a condition') }).register(METADATA, { expected: 'a condition' }),
)

type ListOptions = KeyOptions & Readonly<{ min?: number; max?: number; unique?: true }>

export function list<K extends z.ZodType, const O extends ListOptions>(of: K, options = {} as O) {
  const { min = 0, max, unique }: ListOptions = options
  const least = min > 0 ? ` of at least ${min} item` : ''
  const expected = `a list${least}${max === undefined ? '' : ` of at most ${max} items`}`
  const error = unfit(expected)
  let items = z.array(plainOf(of), { error }).min(min, { error })
  if (max !== undefined) items = items.max(max, { error })
  if (unique)
    items = items.refine(all => new Set(all).size === all.length, 'expected each item once')
  return key(items.readonly().register(METADATA, { expected }), options)
}
