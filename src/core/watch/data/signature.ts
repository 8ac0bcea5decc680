/** Signatures and digests: when two calls, results, errors or states count as the same. */

/** What a payload is remembered by. `hash` is of the whole text, so equal hashes mean equal text; `length` is in characters. */
export interface Digest {
  readonly hash: string
  readonly length: number
}

/** Nothing that is meant is nested deeper: what lies below does not count, so that no model that writes ten thousand brackets overflows the stack. */
export const DEPTH_MAX = 256

/** A stable text for any JSON value: the same content gives the same text, whatever the order of keys; of what is nested deeper than `DEPTH_MAX`, down to there. */
export function canonical(value: unknown, depth = 0): string {
  if (depth > DEPTH_MAX) return '"…"'
  // One look at the order, and one call for the whole: most values are small, and written in order.
  if (isInOrder(value, depth)) return JSON.stringify(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(inner => canonical(inner, depth + 1)).join()}]`
  const keys = Object.keys(value).sort()
  return `{${keys.map(key => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key], depth + 1)}`).join()}}`
}

/** Whether its plain JSON is its canonical text: all of it is plain data, with the keys in their order, and not nested too deep. */
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

/** The digest of a payload: of the text itself if it is one, of its canonical JSON otherwise. */
export function digest(value: unknown): Digest {
  const text = typeof value === 'string' ? value : canonical(value)
  return { hash: hash(text), length: text.length }
}

/**
 * 53 bits of a text, as 11 base-36 characters: stable across processes and machines, unlike a salted `hash()`.
 * Source: cyrb53, a public-domain mix of two MurmurHash-like lanes. Not for secrets.
 */
export function hash(text: string): string {
  const sum = hashNumber(text)
  // In two parts, since V8 writes whole numbers of 31 bits in base 36 ten times as fast as those of 53.
  const high = Math.floor(sum / FIVE_DIGITS)
  return high.toString(36) + (sum - high * FIVE_DIGITS).toString(36).padStart(5, '0')
}

const FIVE_DIGITS = 36 ** 5

// With their signs: where one number is beyond 32 bits, V8 takes all for fractions, and twice the time.
const A = 2654435761 | 0
const B = 1597334677
const C = 2246822507 | 0
const D = 3266489909 | 0

/** The same 53 bits as a whole number. */
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

/** The end of a hash: enough of it to tell the hundred things apart that a detector remembers. */
export function shortHash(hash: string): string {
  return hash.slice(-SHORT_HASH)
}

export const SHORT_HASH = 7

/** The identity of a call: the tool (or model) and its arguments, in any key order. */
export function callKey(subject: string, args: unknown): string {
  return hash(`${subject} ${canonical(args)}`)
}

/** The identity of a cycle: the same wherever in it one starts reading. */
export function cycleKey(members: readonly string[]): string {
  const rotations = members.map((_, start) =>
    [...members.slice(start), ...members.slice(0, start)].join(),
  )
  return hash(rotations.sort()[0] ?? '')
}

/**
 * Chance as a function of what it is for: a number in [0, 1) from a seed and a purpose.
 *
 * There is no stream whose next number one takes: adding a draw in one place would shift every draw after
 * it, and two runs of one seed would differ for no reason. Keyed draws leave all others as they were.
 */
export function draw(seed: number, ...purpose: readonly (string | number)[]): number {
  return hashNumber(`${seed}|${purpose.join('|')}`) / 2 ** 53
}
