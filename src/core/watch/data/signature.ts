/** Signatures and digests: they decide whether two calls, results, errors or states are the same. */

/** The identity of a payload. `hash` covers the whole text, `length` is in characters. */
export interface Digest {
  readonly hash: string
  readonly length: number
}

/** Deeper levels do not count. A model that writes ten thousand brackets must not overflow the stack. */
export const DEPTH_MAX = 256

/** A stable text for any JSON value, in any order of keys, down to `DEPTH_MAX` levels. */
export function canonical(value: unknown, depth = 0): string {
  if (depth > DEPTH_MAX) return '"…"'
  // Most values are small and in order.
  if (isInOrder(value, depth)) return JSON.stringify(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(inner => canonical(inner, depth + 1)).join()}]`
  const keys = Object.keys(value).sort()
  const fields = keys.map(
    key =>
      `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key], depth + 1)}`,
  )
  return `{${fields.join()}}`
}

/** Whether `JSON.stringify` gives the canonical text: plain data with ordered keys, not nested too deep. */
function isInOrder(value: unknown, depth: number): boolean {
  if (typeof value !== 'object')
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  if (value === null) return true
  if (depth > DEPTH_MAX) return false
  if (Array.isArray(value)) return value.every(inner => isInOrder(inner, depth + 1))
  if ('toJSON' in value) return false
  let last = ''
  for (const key in value) {
    if (key < last || !isInOrder((value as Record<string, unknown>)[key], depth + 1)) return false
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
export function shortHash(hash: string): string {
  return hash.slice(-SHORT_HASH)
}

export const SHORT_HASH = 7

/** The identity of a call: the tool or model and its arguments, in any order of keys. */
export function callKey(subject: string, args: unknown): string {
  return hash(`${subject} ${canonical(args)}`)
}

/** The identity of a cycle, equal for all its rotations. */
export function cycleKey(members: readonly string[]): string {
  const rotations = members.map((_, start) =>
    [...members.slice(start), ...members.slice(0, start)].join(),
  )
  return hash(rotations.sort()[0] ?? '')
}

/** A pseudorandom number in [0, 1) from a seed and a purpose. Unlike in a stream, another draw does not shift the later ones. */
export function draw(seed: number, ...purpose: readonly (string | number)[]): number {
  return hashNumber(`${seed}|${purpose.join('|')}`) / 2 ** 53
}
