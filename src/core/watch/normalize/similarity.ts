/** Sketches of sets of words, and how much two of them have in common. */

/** The least hashes of a set, 3 characters each, in order: enough to tell how alike two sets are, however large they were. */
export type MinHash = string

/** Of so many words, an estimate is off by a tenth; most calls have fewer, and theirs is exact. */
const HASHES_MAX = 20
/** In the order of their codes, so that sketches are compared as they stand. */
const DIGITS = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const CODES = Uint8Array.from(DIGITS, digit => digit.charCodeAt(0))
const VALUES = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, DIGITS.indexOf(String.fromCharCode(code))),
)

/** Takes one more hash of 18 bits among the least of a set: `least` is in order, and changed in place, for it is made and read at once. */
export function insertHash(least: number[], hash: number): void {
  let at = least.length
  while (at > 0 && (least[at - 1] as number) > hash) at--
  if (least[at - 1] === hash || at === HASHES_MAX) return
  if (least.length === HASHES_MAX) least.pop()
  for (let index = least.length; index > at; index--) least[index] = least[index - 1] as number
  least[at] = hash
}

/** Hashes in the order in which they are, 3 characters each. */
export function encodeHashes(hashes: readonly number[]): MinHash {
  const codes = new Array<number>(3 * hashes.length)
  for (let index = 0; index < hashes.length; index++) {
    const hash = hashes[index] as number
    codes[3 * index] = CODES[hash >>> 12] as number
    codes[3 * index + 1] = CODES[(hash >>> 6) & 63] as number
    codes[3 * index + 2] = CODES[hash & 63] as number
  }
  return String.fromCharCode.apply(undefined, codes)
}

/** The hashes in a sketch. */
export function decodeHashes(sketch: MinHash): ReadonlySet<number> {
  const hashes = new Set<number>()
  for (let at = 0; at < sketch.length; at += 3)
    hashes.add(
      (valueAt(sketch, at) << 12) | (valueAt(sketch, at + 1) << 6) | valueAt(sketch, at + 2),
    )
  return hashes
}

function valueAt(sketch: MinHash, at: number): number {
  return VALUES[sketch.charCodeAt(at)] as number
}

/**
 * How alike two sets are, from 0 to 1: twice what they share, by what both have (Dice). Two empty sets are alike.
 * Where a set was larger than its sketch, the least hashes of both together are a fair sample of all.
 */
export function similarity(one: MinHash, other: MinHash): number {
  if (one === other) return 1
  const most =
    Math.max(one.length, other.length) >= HASHES_MAX * 3 ? HASHES_MAX : Number.POSITIVE_INFINITY
  let seen = 0
  let shared = 0
  let a = 0
  let b = 0
  while (seen < most && (a < one.length || b < other.length)) {
    const order = a >= one.length ? 1 : b >= other.length ? -1 : comparePlaces(one, a, other, b)
    if (order === 0) shared++
    if (order <= 0) a += 3
    if (order >= 0) b += 3
    seen++
  }
  return (2 * shared) / (seen + shared)
}

/** How many words two sets have in common; of large ones, of their sketches. */
export function sharedCount(one: MinHash, other: MinHash): number {
  return Math.round((similarity(one, other) * (one.length + other.length)) / 6)
}

function comparePlaces(one: string, a: number, other: string, b: number): number {
  return (
    one.charCodeAt(a) - other.charCodeAt(b) ||
    one.charCodeAt(a + 1) - other.charCodeAt(b + 1) ||
    one.charCodeAt(a + 2) - other.charCodeAt(b + 2)
  )
}
