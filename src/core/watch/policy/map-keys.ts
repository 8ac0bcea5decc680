/** Keys with a map, or with a shorter form of it. */
import { z } from 'zod'
import { spanText } from '../data/duration.ts'
import { doc } from '../data/doc.ts'
import { type Json, isMap, mapFields } from '../data/json.ts'
import { type InOf, type KeyOptions, type Keys, METADATA, type OutOf, type Plain } from './key.ts'
import { expectedOf, key, plainOf, unfit } from './key.ts'
import { isDuration } from './value-keys.ts'

export function record<K extends z.ZodType, const O extends KeyOptions>(
  name: z.ZodType<string | undefined, string | undefined>,
  of: K,
  options = {} as O,
) {
  const names = plainOf(name) as z.ZodType<string, string>
  const map = z.record(names, plainOf(of), { error: unfit('a map') })
  return key(map.readonly(), options)
}

export interface MapOptions {
  /** The schema of unlisted keys. Absent: unlisted keys are rejected. */
  readonly custom?: z.ZodType
  /** Rules across keys. They run if each key is valid. */
  readonly check?: (value: never, context: z.RefinementCtx) => void
}

type Inheriting<K extends Keys> = { [N in keyof K]: z.ZodOptional<Plain<K[N]> & z.ZodType> }

/** A map whose absent keys inherit from the policy in force. `id` names its definition in the JSON Schema; `''` inlines it. */
export const settings = <K extends Keys>(id: string, keys: K, options: MapOptions = {}) =>
  mapOf(id, inheriting(keys), options, () => {
    const all = mapFields<z.ZodType, unknown>(keys, key =>
      key instanceof z.ZodPrefault ? key.parse(undefined) : defaultsOf(key),
    )
    return Object.values(all).some(value => value !== undefined) ? all : undefined
  })

/** A map whose absent keys take their defaults. */
export const options = <K extends Keys>(id: string, keys: K, options: MapOptions = {}) =>
  mapOf(id, keys, options)

/** The keys without their defaults, which are only shown. */
export function inheriting<K extends Keys>(keys: K): Inheriting<K> {
  return mapFields<z.ZodType, z.ZodType>(keys, key => {
    const plain = plainOf(key)
    if (!(key instanceof z.ZodPrefault)) return plain.optional()
    const shown = written(key, key.parse(undefined) as Json)
    return plain.meta({}).register(METADATA, { default: shown }).optional()
  }) as Inheriting<K>
}

function mapOf<K extends Keys>(
  id: string,
  shape: K,
  options: MapOptions,
  defaults?: () => object | undefined,
) {
  const { custom, check } = options
  const error = ({ code, input }: { readonly code: string; readonly input?: unknown }) =>
    code === 'invalid_type' ? unfit('a map')({ input }) : undefined
  const closed = z.strictObject(shape as z.core.$ZodLooseShape, { error })
  const open = custom ? closed.catchall(plainOf(custom)) : closed
  const checked = (check ? open.superRefine(check as never) : open) as unknown as z.ZodObject<
    { -readonly [N in keyof K]: K[N] },
    z.core.$strict
  >
  return (words: TemplateStringsArray) =>
    doc(checked, id)(words).register(METADATA, { defaults }).optional()
}

export const defaultsOf = (of: z.ZodType): object | undefined =>
  METADATA.get(plainOf(of))?.defaults?.()

/** One of the words, or another value. */
export function wordOr<const W extends string | boolean, K extends z.ZodType>(
  words: readonly W[],
  of: K,
) {
  const expected = `${expectedOf(of)}, or ${words.join(', ')}`
  return either([z.literal(words as readonly [W]), plainOf(of)], expected)
}

/** Branches of which a map is judged by the last one. It describes the value unless the key has its own description. */
function either<const B extends readonly [z.ZodType, z.ZodType]>(branches: B, expected: string) {
  const error = ({ input }: { readonly input?: unknown }) =>
    isMap(input) ? undefined : unfit(expected)({ input })
  const union = z.union(branches, { error }).meta({ description: branches[1].description })
  METADATA.add(union, { expected, defaults: METADATA.get(branches[1])?.defaults })
  return union
}

/** A value, or `false` to switch it off. */
export const optOut = <K extends z.ZodType>(of: K) => wordOr([false], of).optional()

/** A map, or a short form of it. */
export function short<K extends z.ZodType, B extends z.ZodType>(
  of: K,
  brief: B,
  expand: (value: OutOf<B>) => object,
) {
  const map = plainOf(of)
  const expanded = plainOf(brief)
    .transform(expand as never)
    .pipe(map as never) as unknown as z.ZodType<OutOf<K>, InOf<B>>
  return either([expanded, map], `${expectedOf(of)} or ${expectedOf(brief)}`).optional()
}

/** The value in the notation, with durations as text. */
export function written(of: z.ZodType | undefined, value: Json): Json {
  const schema = of && plainOf(of)
  if (schema instanceof z.ZodReadonly) return written(schema.unwrap() as z.ZodType, value)
  if (schema && isDuration(schema)) return typeof value === 'number' ? spanText(value) : value
  if (schema instanceof z.ZodUnion) return written(schema.options.at(-1) as z.ZodType, value)
  if (!isMap(value)) return value
  if (schema instanceof z.ZodRecord)
    return mapFields(value, inner => written(schema.valueType as z.ZodType, inner))
  if (!(schema instanceof z.ZodObject)) return value
  return mapFields(value, (inner, name) => written(schema.shape[name] as z.ZodType, inner))
}
