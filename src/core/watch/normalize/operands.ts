/**
 * The words of a command in their places: two commands that differ in operands are about two items.
 *
 * Intuition: `ping web` and `ping api` with the same answer are two results. `npm test` and `npm test | tail -5` are one.
 * Hard case: `cat page-1.txt` and `cat page-2.txt` may be a number that drifts without progress, therefore digits do not count.
 * Rejected: the share of common words, which is high between short commands; and searches, whose agents guess one name after the other.
 */
import { hashNumber, isMap, type Json } from '../data/json.ts'
import { encodeHashes } from './similarity.ts'

const COMMAND = /^(?:command|cmd|script)$/i
/** A longer command does more than one thing. */
const LENGTH_MAX = 300
const WORDS_MAX = 16
/** Two commands that differ in more words are not compared by their places. */
const DIFFERENT_MAX = 2
/** A sign for an option or an operand, and a hash of 18 bits. */
const LENGTH = 4

/** The words of a command of one line, in order; `undefined` for another call. */
export function operandsOf(args: Json): string | undefined {
  if (!isMap(args)) return undefined
  const command = Object.entries(args).find(([name]) => COMMAND.test(name))?.[1]
  if (typeof command !== 'string' || command.length > LENGTH_MAX || command.includes('\n'))
    return undefined
  // The value of an option is an operand.
  const words = command.replaceAll(/(?<=\s-[\w-]{1,40})=/g, ' ').split(/\s+/)
  return words.length > WORDS_MAX ? undefined : words.map(encoded).join('')
}

function encoded(word: string): string {
  const hash = hashNumber(word.replace(/\d+/g, '').toLowerCase()) % 0x40000
  return (/^[-+\d]/.test(word) ? '-' : '=') + encodeHashes([hash])
}

/** Whether two commands differ, and only in a few operands. */
export function namesOther(one = '', other = ''): boolean {
  if (one.length !== other.length) return false
  let different = 0
  for (let at = 0; at < one.length; at += LENGTH) {
    if (one.startsWith(other.slice(at, at + LENGTH), at)) continue
    if (one[at] === '-' || other[at] === '-') return false
    different++
  }
  return different > 0 && different <= DIFFERENT_MAX
}
