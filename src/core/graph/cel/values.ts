/** Values in CEL: their conversion from JSON, and how much operators read in them. */
import type { Json } from '../../watch/data/json.ts'

/** Characters and bytes that an operator reads in the time of one step. */
const CHARACTERS = 16
/** Functions of a comparison call themselves at each level. A value of deeper levels is not compared. */
const LEVELS_MAX = 1_000

/** Steps to convert an entry of a map, and to list its key: large maps are hash tables. */
const ENTRY = 8
const KEY = 2

/** `items`: how many items of a list are read. `charge` receives the steps of a list or map before it is converted. */
interface Conversion {
  readonly items: number
  readonly charge: (steps: number) => void
}

/** Converts whole numbers to integers, which `visits + 1 > 3` requires: CEL reads JavaScript numbers as doubles. */
export function toCel(value: Json, of: Conversion): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items = value.length > of.items ? value.slice(0, of.items) : value
    of.charge(items.length)
    return items.map(inner => toCel(inner, of))
  }
  const entries = Object.entries(value)
  of.charge(ENTRY * entries.length)
  return Object.fromEntries(entries.map(([key, inner]) => [key, toCel(inner, of)]))
}

export const fromCel = (value: unknown): Json =>
  typeof value === 'bigint' ? Number(value) : (value as Json)

/** Steps to read a text or bytes. */
export const lengthOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length / CHARACTERS : 0

/** The deep sizes of lists and maps, which do not change. Smaller ones are measured again. */
const SIZES = new WeakMap<object, number>()
const KNOWN_FROM = 32

/**
 * Steps to read all that is in a value. An expression can build lists and maps of which one part is in many places. Each place is
 * read, and each part is measured once.
 */
export function sizeOf(value: unknown, levels = LEVELS_MAX): number {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array)
    return lengthOf(value)
  const known = SIZES.get(value)
  if (known !== undefined) return known
  if (levels === 0) return Number.POSITIVE_INFINITY
  // The keys of a map are listed, and looked up in the other map.
  const each = Array.isArray(value) ? 1 : ENTRY
  let size = 0
  for (const inner of Object.values(value)) size += each + sizeOf(inner, levels - 1)
  if (size >= KNOWN_FROM) SIZES.set(value, size)
  return size
}

const KEYS = new WeakMap<object, number>()

/** Steps to list the keys of a value to iterate over it: 0 for a list. */
export function keysOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0
  if (value instanceof Uint8Array) return value.length
  const keys = KEYS.get(value) ?? KEY * Object.keys(value).length
  KEYS.set(value, keys)
  return keys
}

const FIRST = new WeakMap<object, string>()

/** The first key of a map. To find it, the engine lists all of them. */
export function firstKeyOf(map: object): string | undefined {
  const known = FIRST.get(map)
  if (known !== undefined) return known
  for (const key in map) {
    FIRST.set(map, key)
    return key
  }
  return undefined
}
