/** Plain data: the values that events, snapshots and stores hold, their checks, and the signatures that decide whether two are the same. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** The nesting limit for data from outside: recursive functions must not overflow the stack. */
export const LEVELS_MAX = 1_000

/** Whether a parsed value is nested deeper than `levels`. */
export function isTooDeep(value: unknown, levels = LEVELS_MAX): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(inner => isTooDeep(inner, levels - 1))
}

/** The values in a parsed value, with itself and those at any depth. Infinite if it is nested deeper than `levels`. */
export function valuesIn(value: unknown, levels = LEVELS_MAX): number {
  if (typeof value !== 'object' || value === null) return 1
  if (levels === 0) return Number.POSITIVE_INFINITY
  let sum = 1
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    sum += valuesIn(inner, levels - 1)
  return sum
}

/** The JSON value in a text. Models also write invalid JSON: such a text stays unchanged. */
export function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The JSON value in a text; `undefined` if it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A text as it is, any other value as JSON. */
export const printed = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** The characters of a value as JSON; 0 for a value with a cycle or a BigInt. */
export function jsonLength(value: unknown): number {
  try {
    return (JSON.stringify(value) ?? '').length
  } catch {
    return 0
  }
}

/** The message of a value that is nested too deep. */
export const TOO_DEEP = `is nested deeper than ${LEVELS_MAX} levels`

/** The beginning of the path of a value that is nested too deep, for its message. */
export const beginningOf = (path: string): string => `${path.slice(0, 60)}…`

const VALUE = '(value)'

/** Names the first place where a value is not plain data, as `a.b[2] is a function`. */
export function notJsonAt(value: unknown, path = ''): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'object') return notPlainAt(value, path, [])
  if (Number.isFinite(value)) return undefined
  const kind = value === undefined || typeof value === 'number' ? value : `a ${typeof value}`
  return `${path || VALUE} is ${kind}`
}

/** `notJsonAt` for a value derived from a checked one: shared parts are skipped. */
export function notJsonSince(
  before: Json | undefined,
  value: unknown,
  path = '',
): string | undefined {
  if (value === before && value !== undefined) return undefined
  if (Array.isArray(before) && Array.isArray(value)) {
    // By index: the keys of a long list would cost more than the comparison.
    for (let index = 0; index < value.length; index++) {
      if (value[index] === before[index] && index < before.length) continue
      const fault = notJsonSince(before[index], value[index], `${path}[${index}]`)
      if (fault) return fault
    }
    return undefined
  }
  if (!isMap(before) || !isMap(value) || !isPlain(value)) return notJsonAt(value, path)
  for (const key of Object.keys(value)) {
    const at = path ? `${path}.${key}` : key
    const fault = notJsonSince(before[key], value[key], at)
    if (fault) return fault
  }
  return undefined
}

export const isMap = (value: unknown): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a path such as `job.steps.0`. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  let inner = value
  for (const key of path.split('.')) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined
    inner = (inner as Readonly<Record<string, Json>>)[key]
  }
  return inner
}

function notPlainAt(value: object, path: string, above: object[]): string | undefined {
  if (above.length > LEVELS_MAX) return `${beginningOf(path)} ${TOO_DEEP}`
  if (above.includes(value)) return `${path || VALUE} refers to itself`
  if (!Array.isArray(value) && !isPlain(value))
    return `${path || VALUE} is a ${value.constructor?.name || 'foreign object'}`
  const keys = Object.keys(value)
  if (Array.isArray(value) && keys.length < value.length)
    return `${path || VALUE} is a list with gaps`
  above.push(value)
  for (const key of keys) {
    const inner = (value as Readonly<Record<string, unknown>>)[key]
    if (inner === null || typeof inner === 'string' || typeof inner === 'boolean') continue
    const at = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key
    const fault = typeof inner === 'object' ? notPlainAt(inner, at, above) : notJsonAt(inner, at)
    if (fault) return fault
  }
  above.pop()
  return undefined
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Appends an item, and drops the oldest beyond `max`. Detectors call this at every event, so it copies the list once. */
export function remember<T>(items: readonly T[], item: T, max: number): readonly T[] {
  const dropped = Math.max(0, items.length + 1 - max)
  const next = new Array<T>(items.length + 1 - dropped)
  for (let index = dropped; index < items.length; index++) next[index - dropped] = items[index] as T
  next[items.length - dropped] = item
  return next
}

/** Adds a value as the latest of a record, and drops the oldest beyond `max`. */
export function withLatest<T>(
  of: Readonly<Record<string, T>>,
  [key, value]: readonly [string, T],
  max: number,
): Readonly<Record<string, T>> {
  const others = Object.entries(of).filter(([other]) => other !== key)
  return Object.fromEntries([...others, [key, value] as const].slice(-max))
}

/** The object without its undefined values: spread over defaults, it hides none of them. */
export function defined<T extends object>(part: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const next: Partial<T> = {}
  for (const key in part) if (part[key] !== undefined) next[key] = part[key]
  return next as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** Maps each field and drops undefined fields. */
export function mapFields<T, U>(
  of: Readonly<Record<string, T>>,
  map: (value: T, key: string) => U,
): Record<string, Exclude<U, undefined>> {
  const entries = Object.entries(of).flatMap(([key, value]) => {
    const next = value === undefined ? undefined : map(value, key)
    return next === undefined ? [] : [[key, next] as const]
  })
  return Object.fromEntries(entries) as Record<string, Exclude<U, undefined>>
}

/** The identity of a payload. `hash` covers the whole text, `length` is in characters. */
export type Digest = Readonly<{ hash: string; length: number }>

/** Deeper levels do not count. A model that writes ten thousand brackets must not overflow the stack. */
export const DEPTH_MAX = 256

/** A stable text for any JSON value, in any order of keys, down to `DEPTH_MAX` levels. As in JSON, an undefined field does not count. */
export const canonical = (value: unknown): string => canonicalAt(value, 0, new Set())

function canonicalAt(value: unknown, depth: number, unordered: Set<object>): string {
  if (depth > DEPTH_MAX) return '"…"'
  // Most values are small and in order.
  if (isInOrder(value, depth, unordered)) return JSON.stringify(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const textOf = (inner: unknown) => canonicalAt(inner, depth + 1, unordered)
  if (Array.isArray(value)) {
    // `join` would copy the texts of all levels below at each level.
    let items = ''
    for (const inner of value) items += items === '' ? textOf(inner) : `,${textOf(inner)}`
    return `[${items}]`
  }
  let fields = ''
  for (const key of Object.keys(value).sort()) {
    const inner = (value as Readonly<Record<string, unknown>>)[key]
    if (inner === undefined) continue
    if (fields !== '') fields += ','
    fields += `${JSON.stringify(key)}:${textOf(inner)}`
  }
  return `{${fields}}`
}

/**
 * Whether `JSON.stringify` gives the canonical text: plain data with ordered keys, not nested too deep. Adds a value that is not, and each
 * one around it, to `unordered`: without it, the check of each level would read all levels below again.
 */
function isInOrder(value: unknown, depth: number, unordered: Set<object>): boolean {
  if (typeof value !== 'object')
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  if (value === null) return true
  if (depth > DEPTH_MAX || unordered.has(value)) return false
  const inOrder = Array.isArray(value)
    ? value.every(inner => isInOrder(inner, depth + 1, unordered))
    : hasOrder(value, depth, unordered)
  if (!inOrder) unordered.add(value)
  return inOrder
}

function hasOrder(value: object, depth: number, unordered: Set<object>): boolean {
  if ('toJSON' in value) return false
  let last = ''
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (key < last || !isInOrder(inner, depth + 1, unordered)) return false
    last = key
  }
  return true
}

/** The digest of a text, or of the canonical JSON of any other value. */
export function digest(value: unknown): Digest {
  const text = typeof value === 'string' ? value : canonical(value)
  return { hash: hash(text), length: text.length }
}

/** 53 bits of a text as 11 base-36 characters, stable across processes and machines. Not for secrets. */
export function hash(text: string): string {
  const sum = hashNumber(text)
  // In two parts: V8 formats integers of 31 bits in base 36 ten times as fast as those of 53.
  const high = Math.floor(sum / FIVE_DIGITS)
  return high.toString(36) + (sum - high * FIVE_DIGITS).toString(36).padStart(5, '0')
}

const FIVE_DIGITS = 36 ** 5

// Signed: with one number beyond 32 bits, V8 treats all as fractions and takes twice the time.
const A = 2654435761 | 0
const B = 1597334677
const C = 2246822507 | 0
const D = 3266489909 | 0

/** The 53 bits of `hash` as an integer. Source: cyrb53, a public-domain mix of two MurmurHash-like lanes. */
export function hashNumber(text: string): number {
  let a = 0xdeadbeef | 0
  let b = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, A)
    b = Math.imul(b ^ code, B)
  }
  a = Math.imul(a ^ (a >>> 16), C) ^ Math.imul(b ^ (b >>> 13), D)
  b = Math.imul(b ^ (b >>> 16), C) ^ Math.imul(a ^ (a >>> 13), D)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

/** The end of a hash: enough for the hundred items that a detector remembers. */
export const shortHash = (hash: string): string => hash.slice(-SHORT_HASH)

export const SHORT_HASH = 7

/** 32 bits in as many characters as a short hash. */
export const encodeBits = (bits: number): string =>
  (bits >>> 0).toString(36).padStart(SHORT_HASH, '0')

/** The identity of a call: the tool or model and its arguments, in any order of keys. */
export const callKey = (subject: string, args: unknown): string =>
  hash(`${subject} ${canonical(args)}`)

/** The identity of a cycle, equal for all its rotations. */
export function cycleKey(members: readonly string[]): string {
  const rotations = members.map((_, start) => rotate(members, start).join())
  return hash(rotations.sort()[0] ?? '')
}

/** The cycle from its `start`th member. */
export const rotate = <T>(cycle: readonly T[], start: number): readonly T[] => [
  ...cycle.slice(start),
  ...cycle.slice(0, start),
]

/** A pseudorandom number in [0, 1) from a seed and a purpose. Unlike in a stream, another draw does not shift the later ones. */
export const draw = (seed: number, ...purpose: readonly (string | number)[]): number =>
  hashNumber(`${seed}|${purpose.join('|')}`) / 2 ** 53
