/** MinHash sketches of sets of words, and their similarity. */

import { read } from './words.ts'

/** The least hashes of a set in order, 3 characters each: enough to estimate the similarity of sets of any size. */
export type MinHash = string

/** With this many hashes, an estimate is off by a tenth. Most calls have fewer words, and their similarity is exact. */
const HASHES_MAX = 20
/** In the order of their character codes: encoded hashes compare like numbers. */
const DIGITS = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const CODES = Uint8Array.from(DIGITS, digit => digit.charCodeAt(0))
const VALUES = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, DIGITS.indexOf(String.fromCharCode(code))),
)

/** Inserts a hash of 18 bits into the ordered list of the least hashes, in place. */
export function insertHash(least: number[], hash: number): void {
  let at = least.length
  while (at > 0 && (least[at - 1] as number) > hash) at--
  if (least[at - 1] === hash || at === HASHES_MAX) return
  if (least.length === HASHES_MAX) least.pop()
  for (let index = least.length; index > at; index--) least[index] = least[index - 1] as number
  least[at] = hash
}

/** Encodes hashes in the given order. */
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

export function decodeHashes(sketch: MinHash): ReadonlySet<number> {
  const hashes = new Set<number>()
  for (let at = 0; at < sketch.length; at += 3)
    hashes.add(
      (valueAt(sketch, at) << 12) | (valueAt(sketch, at + 1) << 6) | valueAt(sketch, at + 2),
    )
  return hashes
}

const valueAt = (sketch: MinHash, at: number): number => VALUES[sketch.charCodeAt(at)] as number

/** The sketch of both sets together. */
export function mergeHashes(one: MinHash, other: MinHash): MinHash {
  if (one === '' || one === other) return other
  const least = [...decodeHashes(one)]
  for (const hash of decodeHashes(other)) insertHash(least, hash)
  return encodeHashes(least)
}

/** A number as a hash. */
export const oneHash = (number: number): MinHash => encodeHashes([number % 0x40000])

/** The most hashes of a vocabulary: the words of dozens of calls. */
const VOCABULARY_MAX = 120

/** Adds the hashes of a sketch to a vocabulary, and drops the oldest beyond its maximum. */
export const addHashes = (vocabulary: string, sketch: MinHash, most = VOCABULARY_MAX): string =>
  (vocabulary + newHashes(vocabulary, sketch)).slice(-3 * most)

/** The hashes of a sketch that a vocabulary does not have. */
export function newHashes(vocabulary: string, sketch: MinHash): string {
  let added = ''
  for (let at = 0; at < sketch.length; at += 3) {
    const piece = sketch.slice(at, at + 3)
    if (!hasPiece(vocabulary, piece) && !hasPiece(added, piece)) added += piece
  }
  return added
}

/** Whether a vocabulary has all hashes of a sketch. */
export function hasHashes(vocabulary: string, sketch: MinHash): boolean {
  for (let at = 0; at < sketch.length; at += 3)
    if (!hasPiece(vocabulary, sketch.slice(at, at + 3))) return false
  return true
}

/** A search costs less than a set of all pieces. It may find the end of one hash and the beginning of the next. */
function hasPiece(vocabulary: string, piece: string): boolean {
  let at = vocabulary.indexOf(piece)
  while (at % 3 > 0) at = vocabulary.indexOf(piece, at + 1)
  return at >= 0
}

/**
 * The Dice similarity of two sets, from 0 to 1: twice the shared hashes, by the hashes of both. Two empty sets are equal. If a set
 * is larger than its sketch, the least hashes of both together are a fair sample.
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

export const hashCount = (sketch: MinHash): number => sketch.length / 3

/** The number of shared words in two sketches. */
export const sharedCount = (one: MinHash, other: MinHash): number =>
  Math.round((similarity(one, other) * (one.length + other.length)) / 6)

function comparePlaces(one: string, a: number, other: string, b: number): number {
  return (
    one.charCodeAt(a) - other.charCodeAt(b) ||
    one.charCodeAt(a + 1) - other.charCodeAt(b + 1) ||
    one.charCodeAt(a + 2) - other.charCodeAt(b + 2)
  )
}

/** The words and numbers of a text, as hashes for a sketch. */
export function wordHashes(text: string): readonly number[] {
  const hashes: number[] = []
  const add = (hash: number) => insertHash(hashes, hash)
  read(text, 'none', { word: add, number: add })
  return hashes
}
