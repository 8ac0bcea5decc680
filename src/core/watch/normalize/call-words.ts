/** The words and numbers of a call in a text: what only repeats the call says nothing new. */
import type { RequestFeatures } from './request-features.ts'
import { decodeHashes } from '../text/similarity.ts'
import { hashSet, read } from '../text/words.ts'

/** Common words stand in a call and in an error without one quoting the other. */
export const COMMON = hashSet(
  'a an the this that it its is are was be of in on at to for from with by as and or not no any all if while we there file files directory command error errors line syntax unexpected end find found looking matching search invalid argument arguments option failed',
)

export const quotedHashes = (request: RequestFeatures | undefined): ReadonlySet<number> =>
  request ? decodeHashes(request.words + request.numbers) : NO_HASHES

export const NO_HASHES: ReadonlySet<number> = new Set()

/** Whether a text has a number of the call, or a word that is not common. */
export function hasQuotes(text: string, quoted: ReadonlySet<number>): boolean {
  let found = false
  const word = (hash: number) => {
    found ||= quoted.has(hash) && !COMMON.has(hash)
  }
  const number = (hash: number) => {
    found ||= quoted.has(hash)
  }
  read(text, 'none', { word, number })
  return found
}

/** Whether most numbers and uncommon words of a text are those of the call, and more than one: "Order not found" answers any order. */
export function repeatsCall(text: string, quoted: ReadonlySet<number>): boolean {
  let known = 0
  let others = 0
  const number = (hash: number) => {
    if (quoted.has(hash)) known++
    else others++
  }
  const word = (hash: number) => {
    if (!COMMON.has(hash)) number(hash)
  }
  read(text, 'none', { word, number })
  return known > 1 && known > others
}
