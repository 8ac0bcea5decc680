/**
 * The kinds of values that a policy is written with. A kind is plain data: the reader checks values by it, defaults are
 * taken from it, and the JSON Schema and the reference are made from it. Its description follows it as a template.
 */
import { DURATION } from './duration.ts'
import type { Json } from './json.ts'

/** `Out` is the value as it is read, `In` as people write it. */
export interface Kind<Out = unknown, In = Out, Presence = unknown> extends Terms {
  readonly shape: Shape
  readonly description: string
  /** For the type checker only. */
  readonly types?: { readonly out: Out; readonly in: In; readonly presence: Presence }
}

interface Terms {
  /** The name of its definition in the JSON Schema. */
  readonly id?: string
  /** What the definition means, where the key says something of its own. */
  readonly definition?: string
  /** As people write it. */
  readonly default?: unknown
  readonly required?: true
}

interface Range {
  readonly min?: number
  readonly max?: number
}

export type Shape =
  | ({ readonly type: 'number'; readonly whole: boolean; readonly above?: number } & Range)
  | { readonly type: 'duration' | 'flag' | 'json' | 'condition' }
  | ({ readonly type: 'text'; readonly rule?: TextRule } & Range)
  | { readonly type: 'choice'; readonly of: readonly string[] }
  | ({ readonly type: 'list'; readonly of: Kind; readonly unique?: boolean } & Range)
  | { readonly type: 'record'; readonly key: Kind; readonly of: Kind }
  | {
      readonly type: 'literalOr'
      readonly literals: readonly (string | false)[]
      readonly of: Kind
    }
  | PartShape

/** A map with fixed keys. */
export interface PartShape extends PartTerms {
  readonly type: 'part'
  readonly keys: Readonly<Record<string, Kind>>
  /** Absent keys take their defaults when the map is read; else they inherit from the policy in force. */
  readonly fills: boolean
}

interface PartTerms {
  /** What other keys hold. */
  readonly custom?: Kind
  /** The key that a number in place of the map stands for, less `plus`. */
  readonly short?: { readonly key: string; readonly min: number; readonly plus: number }
  /** The key that a text in place of the map stands for. */
  readonly shortText?: string
  /** Rules that span several keys, checked once each key is sound. */
  readonly check?: (value: never) => readonly Problem[]
}

/** `path` leads from the map to the fault. */
export interface Problem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** What a text must be like. */
export interface TextRule {
  readonly test: (text: string) => boolean
  readonly expected: string
  /** The names that are built in. */
  readonly known?: readonly string[]
}

export type OutOf<K> = K extends { readonly types?: { readonly out: infer Out } } ? Out : never
export type InOf<K> = K extends { readonly types?: { readonly in: infer In } } ? In : never

type Keys = Readonly<Record<string, Kind>>
type PresenceOf<T> = T extends { readonly required: true }
  ? 'required'
  : T extends { readonly default: unknown }
    ? 'default'
    : 'optional'
type NamesOf<K extends Keys, P> = {
  [N in keyof K]: K[N] extends Kind<unknown, unknown, infer Q> ? (Q extends P ? N : never) : never
}[keyof K]
/** Spelled out, so that editors show the keys and not how they were made. */
type Flat<T> = T extends infer Whole ? { readonly [N in keyof Whole]: Whole[N] } : never
type SettingsOut<K extends Keys> = Flat<{ [N in keyof K]?: OutOf<K[N]> }>
type SettingsIn<K extends Keys> = Flat<{ [N in keyof K]?: InOf<K[N]> | undefined }>
type OptionsOut<K extends Keys> = Flat<
  { [N in NamesOf<K, 'default' | 'required'>]: OutOf<K[N]> } & {
    [N in NamesOf<K, 'optional'>]?: OutOf<K[N]>
  }
>
type OptionsIn<K extends Keys> = Flat<
  { [N in NamesOf<K, 'required'>]: InOf<K[N]> } & {
    [N in NamesOf<K, 'default' | 'optional'>]?: InOf<K[N]> | undefined
  }
>
type ShortOf<T> = T extends { readonly short: object }
  ? number
  : T extends { readonly shortText: string }
    ? string
    : never

/** Takes the description, whose line breaks count as blanks. */
type Described<K> = (words: TemplateStringsArray, ...values: readonly string[]) => K

function kind<Out, In, P>(shape: Shape, { id, definition, default: by, required }: Terms) {
  return ((words, ...values) => ({
    shape,
    id,
    definition,
    default: by,
    required,
    description: textOf(words, values),
  })) as Described<Kind<Out, In, P>>
}

function textOf(words: TemplateStringsArray, values: readonly string[]): string {
  return words.reduce((text, next, index) => text + values[index - 1] + next).replace(/\s+/g, ' ')
}

/** A whole number of at least 1, where `min` says nothing else. */
export function count<const T extends Terms & Range>(terms = {} as T) {
  const { min = 1, max = Number.MAX_SAFE_INTEGER } = terms
  return kind<number, number, PresenceOf<T>>({ type: 'number', whole: true, min, max }, terms)
}

export const json = kind<Json, Json, 'optional'>({ type: 'json' }, { id: 'value' })`Any JSON value.`

/** Any number above 0. */
export const amount = kind<number, number, 'optional'>(
  { type: 'number', whole: false, above: 0 },
  {},
)

/** Written as `30s` or in milliseconds; read as milliseconds. */
export function duration<const T extends Terms>(terms = {} as T) {
  return kind<number, number | string, PresenceOf<T>>(
    { type: 'duration' },
    { ...terms, id: 'duration', definition: DURATION },
  )
}

export function text<const T extends Terms & Range & { rule?: TextRule }>(terms = {} as T) {
  const { min, max, rule } = terms
  return kind<string, string, PresenceOf<T>>({ type: 'text', min, max, rule }, terms)
}

export function choice<const C extends string, const T extends Terms>(
  of: readonly C[],
  terms = {} as T,
) {
  return kind<C, C, PresenceOf<T>>({ type: 'choice', of }, terms)
}

export function flag<const T extends Terms>(terms = {} as T) {
  return kind<boolean, boolean, PresenceOf<T>>({ type: 'flag' }, terms)
}

export function list<K extends Kind, const T extends Terms & Range & { unique?: true }>(
  of: K,
  terms = {} as T,
) {
  const { min, max, unique } = terms
  return kind<readonly OutOf<K>[], readonly InOf<K>[], PresenceOf<T>>(
    { type: 'list', of, min, max, unique },
    terms,
  )
}

export function record<K extends Kind, const T extends Terms>(key: Kind, of: K, terms = {} as T) {
  return kind<Readonly<Record<string, OutOf<K>>>, Readonly<Record<string, InOf<K>>>, PresenceOf<T>>(
    { type: 'record', key, of },
    terms,
  )
}

/** A map whose absent keys inherit from the policy in force. */
export function settings<K extends Keys, const T extends Terms & PartTerms>(
  keys: K,
  terms = {} as T,
) {
  const { id, ...rest } = terms
  const shape = { type: 'part', keys, fills: false, ...rest } as const
  return kind<SettingsOut<K>, SettingsIn<K> | ShortOf<T>, 'optional'>(shape, { id })
}

/** A map that is complete by itself: absent keys take their defaults. */
export function options<K extends Keys, const T extends Terms & PartTerms>(
  keys: K,
  terms = {} as T,
) {
  const { id, ...rest } = terms
  const shape = { type: 'part', keys, fills: true, ...rest } as const
  return kind<OptionsOut<K>, OptionsIn<K> | ShortOf<T>, 'optional'>(shape, { id })
}

/** The same, or `false` to switch it off. */
export function optOut<K extends Kind>(of: K): Kind<false | OutOf<K>, false | InOf<K>, 'optional'> {
  return { shape: { type: 'literalOr', literals: [false], of }, description: of.description }
}

/** One of the words, or something else. */
export function wordOr<const W extends string, K extends Kind>(
  words: readonly W[],
  of: K,
  terms: Terms,
) {
  const shape = { type: 'literalOr', literals: words, of } as const
  return kind<W | OutOf<K>, W | InOf<K>, 'optional'>(shape, terms)
}

/** A condition in CEL. What compiles it checks it. */
export const condition = kind<string, string, 'optional'>({ type: 'condition' }, {})

/** The same kind at a key that says what it means there, and what its default is. */
export function as<Out, In, const T extends Terms>(of: Kind<Out, In>, terms = {} as T) {
  return (words: TemplateStringsArray): Kind<Out, In, PresenceOf<T>> =>
    ({
      ...of,
      ...terms,
      definition: of.definition ?? of.description,
      description: words[0] === '' ? of.description : textOf(words, []),
    }) as Kind<Out, In, PresenceOf<T>>
}
