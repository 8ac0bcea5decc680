/**
 * The kinds of values that a policy is written with. A kind reads a value, says what it expects, and gives its JSON
 * Schema. Its description follows it as a template.
 */
import { SPAN, SPAN_EXPECTED, SPAN_MAX, spanIn, spanText } from '../data/duration.ts'
import { isTypo, kindOf, type Problem } from '../data/fault.ts'
import { type Json, notJsonAt } from '../data/json.ts'

/** `Out` is the value as it is read, `In` as people write it. */
export interface Kind<Out = unknown, In = Out, Presence = unknown> extends Terms, Reader {
  readonly description: string
  /** For the type checker only. */
  readonly types?: { readonly out: Out; readonly in: In; readonly presence: Presence }
}

/** What a key says beside its kind. */
export interface Terms {
  /** The name of the definition in the JSON Schema. */
  readonly id?: string
  /** What the definition means, where the key says something of its own. */
  readonly definition?: string
  /** As people write it. */
  readonly default?: unknown
  readonly required?: true
}

export interface Reader {
  readonly expected: string
  /** The value as it is kept, or `UNFIT`. Faults further inside are reported. */
  readonly read: (value: unknown, at: At) => unknown
  readonly schema: (defs: Definitions) => object
  /** The value as people write it. */
  readonly write?: (value: Json) => Json
  /** Words that a typo may stand for. */
  readonly known?: readonly string[] | undefined
  /** Of a map: whether absent keys inherit from the policy in force. */
  readonly inherits?: boolean
  /** Of a map: what absent keys hold. */
  readonly defaults?: object | undefined
}

export interface At {
  readonly path: readonly PropertyKey[]
  readonly problems: Problem[]
  /** Whether inherited keys take their defaults. */
  readonly fill: boolean
  /** What is wrong with a condition; conditions are checked by what compiles them. */
  readonly conditionFault: (text: string) => string | undefined
}

export type Definitions = Record<string, object>

/** Stands for a value that is not of the kind. */
export const UNFIT = Symbol('unfit')

export type OutOf<K> = K extends { readonly types?: { readonly out: infer Out } } ? Out : never
export type InOf<K> = K extends { readonly types?: { readonly in: infer In } } ? In : never
export type PresenceOf<T> = T extends { readonly required: true }
  ? 'required'
  : T extends { readonly default: unknown }
    ? 'default'
    : 'optional'

/** The value, or what is wrong with it. */
export type Reading<T> =
  | { readonly value: T; readonly problems?: undefined }
  | { readonly value?: undefined; readonly problems: readonly Problem[] }

export function readKind<K extends Kind>(
  kind: K,
  value: unknown,
  { fill = false, conditionFault = () => undefined }: Partial<At> = {},
): Reading<OutOf<K>> {
  const problems: Problem[] = []
  const read = readAt(kind, value, { path: [], problems, fill, conditionFault })
  return problems.length > 0 ? { problems } : { value: read as OutOf<K> }
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

export function below(at: At, key: PropertyKey): At {
  return { ...at, path: [...at.path, key] }
}

const SHOWN_MAX = 60

function received(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN_MAX))
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value)
}

/** The JSON Schema of a key; kinds with an id become definitions. */
export function schemaAt({ id, default: by, ...kind }: Kind, defs: Definitions): object {
  const shared =
    by === undefined ? {} : { default: by && kind.defaults ? { ...kind.defaults, ...by } : by }
  const { description } = kind
  if (id === undefined) return { ...kind.schema(defs), ...said(description), ...shared }
  if (!Object.hasOwn(defs, id)) {
    defs[id] = {}
    defs[id] = { ...kind.schema(defs), ...said(kind.definition ?? description) }
  }
  return { $ref: `#/$defs/${id}`, ...said(kind.definition ? description : ''), ...shared }
}

const said = (description: string) => (description === '' ? {} : { description })

/** Takes the description, whose line breaks count as blanks. */
export function kind<Out, In = Out, T = Terms>(reader: Reader, terms: Terms = {}) {
  return (words: TemplateStringsArray): Kind<Out, In, PresenceOf<T>> => ({
    ...reader,
    ...terms,
    description: textOf(words),
  })
}

const textOf = (words: TemplateStringsArray) => words.join('').replace(/\s+/g, ' ')

/** The same kind at a key that says what it means there, and what its default is. */
export function as<Out, In, const T extends Terms>(of: Kind<Out, In>, terms = {} as T) {
  return (words: TemplateStringsArray): Kind<Out, In, PresenceOf<T>> => ({
    ...(of as Kind<Out, In, PresenceOf<T>>),
    ...terms,
    definition: of.definition ?? of.description,
    description: textOf(words) || of.description,
  })
}

interface Range {
  readonly min?: number
  readonly max?: number
}

function rangeText({ min, max }: Range, unit: string): string {
  if (max === undefined) return min === undefined ? '' : ` of at least ${min}${unit}`
  return min === undefined ? ` of at most ${max}${unit}` : ` from ${min} to ${max}${unit}`
}

const isWithin = (amount: number, { min = 0, max = Number.POSITIVE_INFINITY }: Range) =>
  amount >= min && amount <= max

/** A whole number of at least 1, where `min` says nothing else. */
export function count<const T extends Terms & Range>(terms = {} as T) {
  const { min = 1, max, ...rest }: Terms & Range = terms
  const range = { min, ...(max === undefined ? {} : { max }) }
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

const DURATION = 'A duration: 250ms, 30s, 10m, 1h or 1d; a bare number counts milliseconds.'

/** Read as milliseconds. */
export function duration<const T extends Terms>(terms = {} as T) {
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
  return kind<number, number | string, T>(reader, {
    ...terms,
    id: 'duration',
    definition: DURATION,
  })
}

/** What a text must be like. */
interface TextRule {
  readonly test: (text: string) => boolean
  readonly expected: string
  /** The names that are built in. */
  readonly known?: readonly string[]
}

export function text<const T extends Terms & Range & Partial<TextRule>>(terms = {} as T) {
  const {
    min,
    max,
    test = () => true,
    known,
    expected,
    ...rest
  }: Terms & Range & Partial<TextRule> = terms
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

export const json = kind<Json>(
  {
    expected: 'a JSON value',
    read: value => (notJsonAt(value) === undefined ? value : UNFIT),
    schema: () => ({}),
  },
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
