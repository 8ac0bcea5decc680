/** A key of the policy notation: a zod schema with its presence, description and default, and the expectation in its messages. */
import { z } from 'zod'
import { doc } from '../data/doc.ts'
import { isTypo, kindOf } from '../data/fault.ts'

export interface KeyOptions {
  readonly default?: unknown
  readonly required?: true
}

export type Keys = Readonly<Record<string, z.ZodType>>

type Key<S extends z.ZodType, O> = O extends { readonly required: true }
  ? S
  : O extends { readonly default: unknown }
    ? z.ZodPrefault<S>
    : z.ZodOptional<S>

/** The schema of a key without its presence. */
export type Plain<K> = K extends z.ZodPrefault<infer S> | z.ZodOptional<infer S> ? S : K

export type OutOf<K> = z.output<Plain<K> & z.ZodType>
export type InOf<K> = z.input<Plain<K> & z.ZodType>

export const plainOf = <K extends z.ZodType>(key: K): Plain<K> & z.ZodType =>
  (key instanceof z.ZodOptional || key instanceof z.ZodPrefault ? key.unwrap() : key) as never

/** Takes the description of a key as a template. */
export function key<S extends z.ZodType, const O extends object>(schema: S, options = {} as O) {
  return (words: TemplateStringsArray): Key<S, O> => {
    const { default: by, required }: KeyOptions = options
    const described = doc(schema)(words)
    if (by !== undefined) return described.prefault(by as never) as never
    return (required ? described : described.optional()) as never
  }
}

/** The same schema with a description and options for one key. */
export const as = <K extends z.ZodType, const O extends KeyOptions>(of: K, options = {} as O) =>
  key(plainOf(of), options)

/** What zod does not record of a schema. Schemas that are derived from it inherit this. */
interface Metadata {
  /** What messages say that a value should be. */
  readonly expected?: string
  /** Of a map whose absent keys inherit: the defaults of all its keys, parsed. */
  readonly defaults?: (() => object | undefined) | undefined
  /** Of a key that inherits: its default in the notation. */
  readonly default?: unknown
}

export const METADATA = z.registry<Metadata>()

export const expectedOf = (key: z.ZodType): string =>
  METADATA.get(plainOf(key))?.expected ?? 'a map'

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
