/** Kinds that hold other values: lists, maps, and values with a short form. */
import { type Problem, unknownKey } from '../data/fault.ts'
import { isMap, type Json, mapFields } from '../data/json.ts'
import { below, kind, readAt, report, schemaAt, UNFIT } from './policy-kinds.ts'
import type { At, InOf, Kind, OutOf, Terms } from './policy-kinds.ts'

export type Keys = Readonly<Record<string, Kind>>

type NamesOf<K extends Keys, P> = {
  [N in keyof K]: K[N] extends Kind<unknown, unknown, infer Q> ? (Q extends P ? N : never) : never
}[keyof K]
/** Makes editors show the keys instead of the intersection. */
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

type ListTerms = Terms & Readonly<{ min?: number; max?: number; unique?: true }>

export function list<K extends Kind, const T extends ListTerms>(of: K, terms = {} as T) {
  const { min = 0, max, unique, ...rest }: ListTerms = terms
  const range = `${min > 0 ? ` of at least ${min} item` : ''}${max === undefined ? '' : ` of at most ${max} items`}`
  return kind<readonly OutOf<K>[], readonly InOf<K>[], T>(
    {
      expected: `a list${range}`,
      read(value, at) {
        if (!Array.isArray(value) || value.length < min || value.length > (max ?? value.length))
          return UNFIT
        if (unique && new Set(value).size < value.length) report(at, 'expected each item once')
        return value.map((item, index) => readAt(of, item, below(at, index)))
      },
      schema: defs => ({ type: 'array', items: schemaAt(of, defs), maxItems: max }),
      write: value => (Array.isArray(value) ? value.map(item => written(of, item)) : value),
    },
    rest,
  )
}

export function record<K extends Kind, const T extends Terms>(name: Kind, of: K, terms = {} as T) {
  type Map<V> = Readonly<Record<string, V>>
  return kind<Map<OutOf<K>>, Map<InOf<K>>, T>(
    {
      expected: 'a map',
      read(value, at) {
        if (!isMap(value)) return UNFIT
        return mapFields(value, (inner, key) => {
          readAt(name, key, below(at, key))
          return readAt(of, inner, below(at, key))
        })
      },
      schema: defs => ({
        type: 'object',
        propertyNames: schemaAt(name, defs),
        additionalProperties: schemaAt(of, defs),
      }),
      write: value => (isMap(value) ? mapFields(value, inner => written(of, inner)) : value),
    },
    terms,
  )
}

export interface PartTerms {
  /** The kind of unlisted keys. Absent: unlisted keys are rejected. */
  readonly custom?: Kind
  /** Rules across keys. They run if each key is valid. */
  readonly check?: (value: never) => readonly Problem[]
}

/** A map whose absent keys inherit from the policy in force. `id` names its definition in the JSON Schema; `''` inlines it. */
export const settings = <K extends Keys>(id: string, keys: K, terms: PartTerms = {}) =>
  part<SettingsOut<K>, SettingsIn<K>>(id, keys, true, terms)

/** A map whose absent keys take their defaults. */
export const options = <K extends Keys>(id: string, keys: K, terms: PartTerms = {}) =>
  part<OptionsOut<K>, OptionsIn<K>>(id, keys, false, terms)

function part<Out, In>(id: string, keys: Keys, inherits: boolean, { custom, check }: PartTerms) {
  const readKey = (of: Kind, given: unknown, at: At) => {
    const { default: by, inherits: deep } = of
    if (given !== undefined)
      return readAt(of, at.fill && isMap(by) && isMap(given) ? { ...by, ...given } : given, at)
    if (of.required) return report(at, `is missing; expected ${of.expected}`)
    const absent = inherits && !at.fill ? undefined : (by ?? (at.fill && deep ? {} : undefined))
    const read = absent === undefined ? undefined : readAt(of, absent, at)
    return deep && isMap(read) && Object.keys(read).length === 0 ? undefined : read
  }
  const readOther = (key: string, given: Json, at: At) =>
    custom ? readAt(custom, given, at) : report(at, unknownKey(key, Object.keys(keys)))
  return kind<Out, In>(
    {
      expected: 'a map',
      inherits,
      defaults: inherits ? undefined : mapFields(keys, ({ default: by }) => by),
      read(value, at) {
        if (!isMap(value)) return UNFIT
        const before = at.problems.length
        const whole = {
          ...mapFields(keys, (of, key) => readKey(of, value[key], below(at, key))),
          ...mapFields(value, (given, key) =>
            Object.hasOwn(keys, key) ? undefined : readOther(key, given, below(at, key)),
          ),
        }
        const sound = at.problems.length === before
        for (const { path, message } of (sound && check?.(whole as never)) || [])
          report({ ...at, path: [...at.path, ...path] }, message)
        return whole
      },
      schema: defs => ({
        type: 'object',
        properties: mapFields(keys, of => schemaAt(of, defs)),
        required: Object.keys(keys).filter(key => keys[key]?.required),
        additionalProperties: custom ? schemaAt(custom, defs) : false,
      }),
      write: value =>
        isMap(value) ? mapFields(value, (inner, key) => written(keys[key], inner)) : value,
    },
    id ? { id } : {},
  )
}

/** One of the words, or a value of another kind. */
export function wordOr<const W extends string | boolean, K extends Kind>(
  words: readonly W[],
  of: K,
  terms: Terms = {},
) {
  const [first] = words
  const isBoolean = typeof first === 'boolean'
  const one = isBoolean ? { const: first } : { type: 'string', enum: words }
  const shape = isBoolean && words.length > 1 ? { type: 'boolean' } : one
  return kind<W | OutOf<K>, W | InOf<K>>(
    {
      expected: `${of.expected}, or ${words.join(', ')}`,
      defaults: of.defaults,
      read: (value, at) => (words.includes(value as W) ? value : of.read(value, at)),
      schema: defs => ({ anyOf: [shape, schemaAt(of, defs)] }),
      write: value => written(of, value),
    },
    terms,
  )
}

/** A value, or `false` to switch it off. */
export function optOut<K extends Kind>(of: K): Kind<false | OutOf<K>, false | InOf<K>, 'optional'> {
  return { ...wordOr([false], of)``, description: of.description }
}

/** A map, or a short form of it. */
export function short<Out, In, P, By>(
  of: Kind<Out, In, P>,
  by: Kind<By>,
  as: (value: By) => object,
): Kind<Out, In | By, P> {
  return {
    ...(of as Kind<Out, In | By, P>),
    expected: `${of.expected} or ${by.expected}`,
    read(value, at) {
      const read = isMap(value) ? UNFIT : by.read(value, at)
      if (read === UNFIT) return of.read(value, at)
      return read === undefined ? undefined : of.read(as(read as By), at)
    },
    schema: defs => ({ anyOf: [schemaAt(by, defs), of.schema(defs)] }),
  }
}

/** The value in the notation, with durations as text. */
export const written = (of: Kind | undefined, value: Json): Json => of?.write?.(value) ?? value
