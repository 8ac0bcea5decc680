/** Kinds of policy values. A kind reads a value, names what it expects and gives its JSON Schema; a template adds the description. */
import { SPAN, SPAN_EXPECTED, SPAN_MAX, spanIn, spanText } from '../data/duration.ts'
import { isTypo, kindOf, type OrFaults, type Problem } from '../data/fault.ts'
import { type Json, notJsonAt } from '../data/json.ts'
import { patternFault } from '../data/pattern.ts'

/** `Out` is the parsed value, `In` the notation. */
export interface Kind<Out = unknown, In = Out, Presence = unknown> extends Terms, Reader {
  readonly description: string
  /** For the type checker only. */
  readonly types?: { readonly out: Out; readonly in: In; readonly presence: Presence }
}

/** What a key adds to its kind. */
export interface Terms {
  readonly id?: string
  /** The description of the definition, if it differs from that of the key. */
  readonly definition?: string
  readonly default?: unknown
  readonly required?: true
}

interface Reader {
  readonly expected: string
  /** Returns the parsed value, or `UNFIT`. Problems inside the value are reported. */
  readonly read: (value: unknown, at: At) => unknown
  readonly schema: (defs: Definitions) => object
  /** Converts a parsed value back to the notation. */
  readonly write?: (value: Json) => Json
  /** Words that a typo may stand for. */
  readonly known?: readonly string[] | undefined
  /** Of a map: whether absent keys inherit from the policy in force. */
  readonly inherits?: boolean
  /** Of a map: the defaults of absent keys. */
  readonly defaults?: object | undefined
}

export interface At {
  readonly path: readonly PropertyKey[]
  readonly problems: Problem[]
  /** Whether inherited keys take their defaults. */
  readonly fill: boolean
  /** Compiles a condition and returns what is wrong with it. */
  readonly conditionFault: (text: string) => string | undefined
}

export type Definitions = Record<string, object>

/** Marks a value that does not match the kind. */
export const UNFIT = Symbol('unfit')

export type OutOf<K> = K extends { readonly types?: { readonly out: infer Out } } ? Out : never
export type InOf<K> = K extends { readonly types?: { readonly in: infer In } } ? In : never
type PresenceOf<T> = T extends { readonly required: true }
  ? 'required'
  : T extends { readonly default: unknown }
    ? 'default'
    : 'optional'

/** The parsed value, or its problems. */
export function readKind<K extends Kind>(
  kind: K,
  value: unknown,
  { fill = false, conditionFault = () => undefined }: Partial<At> = {},
): OrFaults<{ readonly value: OutOf<K> }, Problem> {
  const problems: Problem[] = []
  const read = readAt(kind, value, { path: [], problems, fill, conditionFault })
  return problems.length > 0 ? { faults: problems } : { value: read as OutOf<K> }
}

export function readAt(kind: Kind, value: unknown, at: At): unknown {
  const read = kind.read(value, at)
  if (read !== UNFIT) return read
  const near = kind.known?.find(name => typeof value === 'string' && isTypo(value, name))
  const hint = near === undefined ? '' : `; did you mean '${near}'?`
  return report(at, `expected ${kind.expected}, received ${received(value)}${hint}`)
}

export function report({ path, problems }: At, message: string): undefined {
  problems.push({ path, message })
}

export const below = (at: At, key: PropertyKey): At => ({ ...at, path: [...at.path, key] })

const SHOWN_MAX = 60

function received(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN_MAX))
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value)
}

/** The JSON Schema of a key. Kinds with an id become definitions. */
export function schemaAt({ id, default: by, ...kind }: Kind, defs: Definitions): object {
  const { description, definition } = kind
  const shared =
    by === undefined ? {} : { default: by && kind.defaults ? { ...kind.defaults, ...by } : by }
  if (id === undefined) return { ...kind.schema(defs), ...described(description), ...shared }
  if (!Object.hasOwn(defs, id)) {
    defs[id] = {}
    defs[id] = { ...kind.schema(defs), ...described(definition ?? description) }
  }
  return { $ref: `#/$defs/${id}`, ...described(definition ? description : ''), ...shared }
}

const described = (description: string) => (description === '' ? {} : { description })

/** Takes the description as a template. Its line breaks count as blanks. */
export function kind<Out, In = Out, T = Terms>(reader: Reader, terms: Terms = {}) {
  return (words: TemplateStringsArray): Kind<Out, In, PresenceOf<T>> => ({
    ...reader,
    ...terms,
    description: textOf(words),
  })
}

const textOf = (words: TemplateStringsArray) => words.join('').replace(/\s+/g, ' ')

/** The same kind with a description and terms for one key. */
export function as<Out, In, const T extends Terms>(of: Kind<Out, In>, terms = {} as T) {
  return (words: TemplateStringsArray): Kind<Out, In, PresenceOf<T>> => ({
    ...(of as Kind<Out, In, PresenceOf<T>>),
    ...terms,
    definition: of.definition ?? of.description,
    description: textOf(words) || of.description,
  })
}

type Range = Readonly<{ min?: number; max?: number }>

function rangeText({ min, max }: Range, unit: string): string {
  if (max === undefined) return min === undefined ? '' : ` of at least ${min}${unit}`
  return min === undefined ? ` of at most ${max}${unit}` : ` from ${min} to ${max}${unit}`
}

const isWithin = (amount: number, { min = 0, max = Number.POSITIVE_INFINITY }: Range) =>
  amount >= min && amount <= max

/** An integer of at least `min`, by default 1. */
export function count<const T extends Terms & Range>(terms = {} as T) {
  const { min = 1, max, ...rest }: Terms & Range = terms
  const range: Range = max === undefined ? { min } : { min, max }
  const reader: Reader = {
    expected: `a whole number${rangeText(range, '')}`,
    read: value =>
      Number.isSafeInteger(value) && isWithin(value as number, range) ? value : UNFIT,
    schema: () => ({ type: 'integer', minimum: min, maximum: max ?? Number.MAX_SAFE_INTEGER }),
  }
  return kind<number, number, T>(reader, rest)
}

export const amount = kind<number>({
  expected: 'a number above 0',
  read: value => (Number.isFinite(value) && (value as number) > 0 ? value : UNFIT),
  schema: () => ({ type: 'number', exclusiveMinimum: 0 }),
})

/** A part of a whole. */
export const share = kind<number>({
  expected: 'a number above 0 and below 1',
  read: value => (typeof value === 'number' && value > 0 && value < 1 ? value : UNFIT),
  schema: () => ({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }),
})

/** Parsed to milliseconds. */
export function duration<const T extends Terms>(terms = {} as T) {
  const definition = 'A duration: 250ms, 30s, 10m, 1h or 1d; a bare number counts milliseconds.'
  const reader: Reader = {
    expected: SPAN_EXPECTED,
    read(value, at) {
      const ms = typeof value === 'string' ? spanIn(value) : value
      if (typeof ms !== 'number' || !(ms >= 0)) return UNFIT
      return ms <= SPAN_MAX ? ms : report(at, `expected at most ${spanText(SPAN_MAX)}`)
    },
    schema: () => ({
      anyOf: [
        { type: 'number', minimum: 0 },
        { type: 'string', pattern: SPAN.source },
      ],
    }),
    write: value => (typeof value === 'number' ? spanText(value) : value),
  }
  return kind<number, number | string, T>(reader, { ...terms, id: 'duration', definition })
}

interface TextTerms extends Terms, Range {
  readonly test?: (text: string) => boolean
  readonly expected?: string
  readonly known?: readonly string[]
}

export function text<const T extends TextTerms>(terms = {} as T) {
  const { min, max, test = () => true, known, expected, ...rest }: TextTerms = terms
  const reader: Reader = {
    expected: expected ?? `a text${rangeText({ min, max }, ' characters')}`,
    known,
    read: value =>
      typeof value === 'string' && isWithin(value.length, { min, max }) && test(value)
        ? value
        : UNFIT,
    schema: () => {
      const any = { type: 'string', minLength: min, maxLength: max }
      return known ? { anyOf: [{ type: 'string', enum: known }, any] } : any
    },
  }
  return kind<string, string, T>(reader, rest)
}

export const NAME_EXPECTED = 'a name of letters, digits, _ and -, beginning with a letter'

/** Whether a node, channel, tool, model or detector may have this name. Fields of every JavaScript object are reserved. */
export const isName = (text: string): boolean =>
  /^[A-Za-z][\w-]*$/.test(text) && text !== 'prototype' && !(text in {})

export const name = text({
  id: 'name',
  test: isName,
  expected: NAME_EXPECTED,
})`A name of letters, digits, _ and -, beginning with a letter.`

export const pattern = kind<string>(
  {
    expected: 'a regular expression',
    read: (value, at) => {
      if (typeof value !== 'string') return UNFIT
      const fault = patternFault(value)
      return fault === undefined ? value : report(at, `expected a regular expression: ${fault}`)
    },
    schema: () => ({ type: 'string' }),
  },
  { id: 'pattern' },
)`A regular expression in the syntax of RE2, without lookaround and backreferences; case is
  ignored.`

export function choice<const C extends string, const T extends Terms>(
  of: readonly C[],
  terms = {} as T,
) {
  const reader: Reader = {
    expected: `one of: ${of.join(', ')}`,
    known: of,
    read: value => (of.includes(value as C) ? value : UNFIT),
    schema: () => ({ type: 'string', enum: of }),
  }
  return kind<C, C, T>(reader, terms)
}

export function flag<const T extends Terms>(terms = {} as T) {
  const reader: Reader = {
    expected: 'true or false',
    read: value => (typeof value === 'boolean' ? value : UNFIT),
    schema: () => ({ type: 'boolean' }),
  }
  return kind<boolean, boolean, T>(reader, terms)
}

const readJson = (value: unknown) => (notJsonAt(value) === undefined ? value : UNFIT)

export const json = kind<Json>(
  { expected: 'a JSON value', read: readJson, schema: () => ({}) },
  { id: 'value' },
)`Any JSON value.`

/** A condition in CEL. */
export const condition = kind<string>({
  expected: 'a condition',
  read(value, at) {
    if (typeof value !== 'string') return UNFIT
    const fault = at.conditionFault(value)
    return fault === undefined ? value : report(at, fault)
  },
  schema: () => ({ type: 'string' }),
})
