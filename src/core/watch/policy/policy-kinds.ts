/** Values of the policy notation: zod schemas with the messages, descriptions and defaults of their keys. */
import { z } from 'zod'
import { SPAN, SPAN_EXPECTED, SPAN_MAX, spanIn, spanText } from '../data/duration.ts'
import { isTypo, kindOf } from '../data/fault.ts'
import { isMap, type Json, mapFields } from '../data/json.ts'
import { patternFault } from '../data/pattern.ts'

/** What a key adds to its schema. */
export interface Terms {
  readonly default?: unknown
  readonly required?: true
}

type Key<S extends z.ZodType, T> = T extends { readonly required: true }
  ? S
  : T extends { readonly default: unknown }
    ? z.ZodPrefault<S>
    : z.ZodOptional<S>

/** The schema of a key without its presence. */
export type Plain<K> = K extends z.ZodPrefault<infer S> | z.ZodOptional<infer S> ? S : K

export type OutOf<K> = z.output<Plain<K> & z.ZodType>
export type InOf<K> = z.input<Plain<K> & z.ZodType>

export const plainOf = <K extends z.ZodType>(key: K): Plain<K> & z.ZodType =>
  (key instanceof z.ZodOptional || key instanceof z.ZodPrefault ? key.unwrap() : key) as never

/** Takes the description of a key as a template. Its line breaks count as blanks. */
export function key<S extends z.ZodType, const T extends object>(schema: S, terms = {} as T) {
  return (words: TemplateStringsArray): Key<S, T> => {
    const description = words.join('').replace(/\s+/g, ' ')
    const described = description === '' ? schema : schema.meta({ description })
    const { default: by, required }: Terms = terms
    if (by !== undefined) return described.prefault(by as never) as never
    return (required ? described : described.optional()) as never
  }
}

/** The same schema with a description and terms for one key. */
export const as = <K extends z.ZodType, const T extends Terms>(of: K, terms = {} as T) =>
  key(plainOf(of), terms)

/** The message for a value that does not fit. `known`: words that a typo may stand for. */
export function unfit(expected: string, known: readonly string[] = []) {
  return ({ input }: { readonly input?: unknown }): string => {
    if (input === undefined) return `is missing; expected ${expected}`
    const near = known.find(name => typeof input === 'string' && isTypo(input, name))
    const hint = near === undefined ? '' : `; did you mean '${near}'?`
    return `expected ${expected}, received ${received(input)}${hint}`
  }
}

const SHOWN_MAX = 60

function received(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN_MAX))
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value)
}

/** The expectation of a schema in the messages of schemas that hold it. */
const EXPECTED = new WeakMap<z.ZodType, string>()

export function expecting<S extends z.ZodType>(expected: string, schema: S): S {
  EXPECTED.set(schema, expected)
  return schema
}

/** What is known of a schema, of the schema that it describes anew, or of its branch for maps. */
function known<V>(map: WeakMap<z.ZodType, V>, key: z.ZodType): V | undefined {
  const schema = plainOf(key) as z.ZodType
  const { parent } = schema._zod
  const found = map.get(schema) ?? (parent && known(map, parent as z.ZodType))
  if (found !== undefined || !(schema instanceof z.ZodUnion)) return found
  return schema.options.map(of => known(map, of as z.ZodType)).find(of => of !== undefined)
}

export const expectedOf = (key: z.ZodType): string => known(EXPECTED, key) ?? 'a map'

type Range = Readonly<{ min?: number; max?: number }>

function rangeText({ min, max }: Range, unit: string): string {
  if (max === undefined) return min === undefined ? '' : ` of at least ${min}${unit}`
  return min === undefined ? ` of at most ${max}${unit}` : ` from ${min} to ${max}${unit}`
}

/** An integer of at least `min`, by default 1. */
export function count<const T extends Terms & Range>(terms = {} as T) {
  const { min = 1, max = Number.MAX_SAFE_INTEGER }: Range = terms
  const expected = `a whole number${rangeText({ min, ...(terms.max && { max }) }, '')}`
  const error = unfit(expected)
  return key(expecting(expected, z.int({ error }).min(min, { error }).max(max, { error })), terms)
}

const AMOUNT = 'a number above 0'
export const amount = key(z.number({ error: unfit(AMOUNT) }).positive({ error: unfit(AMOUNT) }))

const SHARE = { error: unfit('a number above 0 and below 1') }
/** A part of a whole. */
export const share = key(z.number(SHARE).gt(0, SHARE).lt(1, SHARE))

const ABORT = { abort: true }
const SPANS = z
  .union([z.number().min(0, ABORT), z.string().regex(SPAN, ABORT)], { error: unfit(SPAN_EXPECTED) })
  .transform((value, context) => {
    const ms = typeof value === 'string' ? (spanIn(value) ?? 0) : value
    if (ms > SPAN_MAX) context.addIssue(`expected at most ${spanText(SPAN_MAX)}`)
    return ms
  })
  .meta({
    id: 'duration',
    unit: 'ms',
    description: 'A duration: 250ms, 30s, 10m, 1h or 1d; a bare number counts milliseconds.',
  })

/** Parsed to milliseconds. */
export const duration = <const T extends Terms>(terms = {} as T) => key(SPANS, terms)

interface TextTerms extends Terms, Range {
  readonly test?: (text: string) => boolean
  readonly expected?: string
  readonly known?: readonly string[]
}

export function text<const T extends TextTerms>(terms = {} as T) {
  const { min, max, test, known }: TextTerms = terms
  const { expected = `a text${rangeText({ min, max } as Range, ' characters')}` }: TextTerms = terms
  const error = unfit(expected, known)
  let schema = z.string({ error })
  if (min !== undefined) schema = schema.min(min, { error })
  if (max !== undefined) schema = schema.max(max, { error })
  if (test) schema = schema.refine(test, { error })
  const any = known ? z.union([z.enum(known as [string]), schema], { error }) : schema
  return key(expecting(expected, any as z.ZodType<string, string>), terms)
}

export const NAME_EXPECTED = 'a name of letters, digits, _ and -, beginning with a letter'

/** Whether a node, channel, tool, model or detector may have this name. Fields of every JavaScript object are reserved. */
export function isName(text: string): boolean {
  return /^[A-Za-z][\w-]*$/.test(text) && text !== 'prototype' && !(text in {})
}

export const name = text({
  test: isName,
  expected: NAME_EXPECTED,
})`A name of letters, digits, _ and -, beginning with a letter.`

export const pattern = z
  .string({ error: unfit('a regular expression') })
  .superRefine((text, context) => {
    const fault = patternFault(text)
    if (fault !== undefined) context.addIssue(`expected a regular expression: ${fault}`)
  })
  .meta({
    id: 'pattern',
    description:
      'A regular expression in the syntax of RE2, without lookaround and backreferences; case is ignored.',
  })

export function choice<const C extends string, const T extends Terms>(
  of: readonly C[],
  terms = {} as T,
) {
  const expected = `one of: ${of.join(', ')}`
  return key(expecting(expected, z.enum(of as [C], { error: unfit(expected, of) })), terms)
}

export const flag = <const T extends Terms>(terms = {} as T) =>
  key(z.boolean({ error: unfit('true or false') }), terms)

/** A condition in CEL. */
export const condition = key(expecting('a condition', z.string({ error: unfit('a condition') })))

type ListTerms = Terms & Readonly<{ min?: number; max?: number; unique?: true }>

export function list<K extends z.ZodType, const T extends ListTerms>(of: K, terms = {} as T) {
  const { min = 0, max = Number.POSITIVE_INFINITY, unique }: ListTerms = terms
  const range = `${min > 0 ? ` of at least ${min} item` : ''}${terms.max === undefined ? '' : ` of at most ${max} items`}`
  const error = unfit(`a list${range}`)
  let items = z.array(plainOf(of), { error }).min(min, { error })
  if (terms.max !== undefined) items = items.max(max, { error })
  if (unique)
    items = items.refine(all => new Set(all).size === all.length, 'expected each item once')
  return key(expecting(`a list${range}`, items.readonly()), terms)
}

export function record<K extends z.ZodType, const T extends Terms>(
  name: z.ZodType<string | undefined, string | undefined>,
  of: K,
  terms = {} as T,
) {
  const error = unfit('a map')
  const keys = plainOf(name) as z.ZodType<string, string>
  return key(expecting('a map', z.record(keys, plainOf(of), { error }).readonly()), terms)
}

export type Keys = Readonly<Record<string, z.ZodType>>

type Optional<K extends Keys> = { [N in keyof K]: z.ZodOptional<Plain<K[N]> & z.ZodType> }

export interface PartTerms {
  /** The schema of unlisted keys. Absent: unlisted keys are rejected. */
  readonly custom?: z.ZodType
  /** Rules across keys. They run if each key is valid. */
  readonly check?: (value: never, context: z.RefinementCtx) => void
}

/** A map whose absent keys inherit from the policy in force. `id` names its definition in the JSON Schema; `''` inlines it. */
export function settings<K extends Keys>(id: string, keys: K, terms: PartTerms = {}) {
  const optional = mapFields<z.ZodType, z.ZodType>(keys, of => shown(of)) as Optional<K>
  return part(id, optional, terms, schema => DEFAULTS.set(schema, keys))
}

/** The key of an inheriting map: its default is only shown. */
const shown = (of: z.ZodType) =>
  of instanceof z.ZodPrefault
    ? (of.unwrap() as z.ZodType).optional().meta({ default: of.def.defaultValue })
    : plainOf(of).optional()

/** A map whose absent keys take their defaults. */
export const options = <K extends Keys>(id: string, keys: K, terms: PartTerms = {}) =>
  part(id, keys, terms)

function part<K extends Keys>(
  id: string,
  keys: K,
  { custom, check }: PartTerms,
  register: (schema: z.ZodType) => void = () => {},
) {
  const error = ({ code, input }: { readonly code: string; readonly input?: unknown }) =>
    code === 'invalid_type' ? unfit('a map')({ input }) : undefined
  const open = z.strictObject(keys as z.core.$ZodLooseShape, { error })
  const closed = custom ? open.catchall(plainOf(custom)) : open
  const checked = (check ? closed.superRefine(check as never) : closed) as unknown as z.ZodObject<
    { -readonly [N in keyof K]: K[N] },
    z.core.$strict
  >
  return (words: TemplateStringsArray) => {
    const description = words.join('').replace(/\s+/g, ' ')
    const meta = { ...(id && { id }), ...(description && { description }) }
    const schema = expecting('a map', checked.meta(meta))
    register(schema)
    return schema.optional()
  }
}

const DEFAULTS = new WeakMap<z.ZodType, Keys>()

/** The defaults of all keys of a map that inherits, parsed. */
export function defaultsOf(of: z.ZodType): object | undefined {
  const keys = known(DEFAULTS, of)
  if (!keys) return undefined
  const all = mapFields<z.ZodType, unknown>(keys, of => {
    if (!(of instanceof z.ZodPrefault)) return defaultsOf(of)
    return of.parse(undefined)
  })
  return Object.values(all).some(value => value !== undefined) ? all : undefined
}

/** One of the words, or another value. */
export function wordOr<const W extends string | boolean, K extends z.ZodType>(
  words: readonly W[],
  of: K,
  { id }: { readonly id?: string } = {},
) {
  const expected = `${expectedOf(of)}, or ${words.join(', ')}`
  const union = either([z.literal(words as readonly [W]), plainOf(of)], expected)
  return key(id === undefined ? union : union.meta({ id }))
}

/** Branches of which a map is judged by the one that takes maps. */
function either<const B extends readonly z.ZodType[]>(branches: B, expected: string) {
  const error = ({ input }: { readonly input?: unknown }) =>
    isMap(input) ? undefined : unfit(expected)({ input })
  return expecting(expected, z.union(branches, { error }))
}

/** A value, or `false` to switch it off. */
export function optOut<K extends z.ZodType>(of: K) {
  const { description } = plainOf(of)
  const either = wordOr([false], of)``
  return description === undefined ? either : plainOf(either).meta({ description }).optional()
}

/** A map, or a short form of it. */
export function short<K extends z.ZodType, By extends z.ZodType>(
  of: K,
  by: By,
  as: (value: z.output<Plain<By> & z.ZodType>) => object,
) {
  const map = plainOf(of)
  const brief = plainOf(by)
    .transform(as as never)
    .pipe(map as never) as unknown as z.ZodType<
    z.output<typeof map>,
    z.input<Plain<By> & z.ZodType>
  >
  return either([brief, map], `${expectedOf(of)} or ${expectedOf(by)}`).optional()
}

/** The value in the notation, with durations as text. */
export function written(of: z.ZodType | undefined, value: Json): Json {
  const schema = of && plainOf(of)
  if (schema instanceof z.ZodPipe && schema.meta()?.unit === 'ms')
    return typeof value === 'number' ? spanText(value) : value
  if (schema instanceof z.ZodReadonly) return written(schema.unwrap() as z.ZodType, value)
  if (schema instanceof z.ZodUnion)
    return written(schema.options.find(isMapSchema) as z.ZodType | undefined, value)
  if (!isMap(value)) return value
  if (schema instanceof z.ZodRecord)
    return mapFields(value, inner => written(schema.valueType as z.ZodType, inner))
  if (!(schema instanceof z.ZodObject)) return value
  return mapFields(value, (inner, name) => written(schema.shape[name] as z.ZodType, inner))
}

const isMapSchema = (schema: unknown) =>
  schema instanceof z.ZodObject || schema instanceof z.ZodReadonly || schema instanceof z.ZodUnion
