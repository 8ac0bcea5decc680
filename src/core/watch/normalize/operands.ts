/**
 * What a call is about, as words in their places: two calls that differ in operands are about two items.
 *
 * Intuition: `ping web` and `ping api` with the same answer are two results, and so are the equal `tsconfig.json` of two folders. `npm test` and
 * `npm test | tail -5` are one.
 * Hard case: `cat page-1.txt` and `cat page-2.txt` may be a number that drifts without progress, therefore digits do not count
 * but in a question: `grep -c import part-2.ts`. Nor do arguments that may be options: `{ "path": "a.ts", "mode": "raw" }`.
 * Rejected: the share of common words, which is high between short commands; and searches, whose agents guess one name after the other.
 */
import { hashNumber, isMap, type Json } from '../data/json.ts'
import { encodeHashes } from '../text/similarity.ts'

const COMMAND = /^(?:command|cmd|script)$/i
/** An argument that names a file, a place or an item. Ids of sessions and requests are not items. */
const NAMING =
  /(?:^|_|[a-z](?=[A-Z]))(?:path|file|filename|glob|include(?:_?pattern)?|file_?pattern|folder|directory|dir|uri|repo|repository|owner|org|organization|project|package|module|bucket|branch|database|db|table|schema|collection|index|queue|topic|cluster|namespace|pod|container|image|service|deployment|instance|vm|host|hostname|server|domain|device|user|username|login|email|account|customer|contact|company|tenant|employee|team|group|role|member|channel|city|country|region|symbol|ticker|sku|product|category|label|tag|(?:(?:file|repo|project|bucket|database|table|cluster|instance|vm|host|device|user|account|customer|contact|company|tenant|employee|team|group|role|product|site|property|policy|order|invoice|patient)_?)?(?:name|id|key|slug))$/i
const PASSING =
  /(?:session|request|trace|correlation|idempotency|run|call|message|event|client|tool)/i
/** Longer texts are about more than one thing. */
const LENGTH_MAX = 300
const NAME_MAX = 120
const WORDS_MAX = 16
/** Two calls that differ in more words are not compared by their places. */
const DIFFERENT_MAX = 2
/** A sign for an option or an operand, and a hash of 18 bits. */
const LENGTH = 4

type Sign = '-' | '='

/**
 * The words of a command of one line, or the names among the arguments, in order; `undefined` for another call. `asks`: of a file that does
 * not exist, a question has another answer, therefore numbers in names count.
 */
export function operandsOf(args: Json, asks: boolean): string | undefined {
  if (!isMap(args)) return undefined
  const fields = Object.entries(args)
  const command = fields.find(([name]) => COMMAND.test(name))?.[1]
  const names = namesOf(
    fields.filter(([name]) => !COMMAND.test(name)),
    asks,
  )
  if (typeof command !== 'string') return names
  // `ssh({ host, command })`: the same command elsewhere is about another item.
  const words = wordsOf(command, asks)
  return words === undefined || names === undefined ? words : words + names
}

/** A value as one operand. */
export const operandOf = (value: string): string => encoded('=', value, true)

function wordsOf(command: string, asks: boolean): string | undefined {
  if (command.length > LENGTH_MAX || command.includes('\n')) return undefined
  // The value of an option is an operand.
  const words = command.replaceAll(/(?<=\s-[\w-]{1,40})=/g, ' ').split(/\s+/)
  const signed = words.map(word =>
    /^[-+\d]/.test(word) ? encoded('-', word, false) : encoded('=', word, asks),
  )
  return words.length > WORDS_MAX ? undefined : signed.join('')
}

function namesOf(fields: readonly (readonly [string, Json])[], asks: boolean): string | undefined {
  const names = fields.filter(isNaming)
  if (names.length === 0) return undefined
  const words = fields.flatMap(([name, value]) => {
    if (!isNaming([name, value])) return encoded('-', JSON.stringify(value), false)
    return String(value)
      .split(/[\\/]+/)
      .map(word => encoded('=', word, asks))
  })
  return words.length > WORDS_MAX ? undefined : words.join('')
}

/** An address is not a name: one page may answer many. */
const isNaming = ([name, value]: readonly [string, Json]): boolean =>
  typeof value === 'string' &&
  value.length <= NAME_MAX &&
  !/:\/\/|\n/.test(value) &&
  NAMING.test(name) &&
  !PASSING.test(name)

function encoded(sign: Sign, word: string, numbered: boolean): string {
  const counted = numbered ? word : word.replace(/\d+/g, '')
  return sign + encodeHashes([hashNumber(counted.toLowerCase()) % 0x40000])
}

/** Whether two calls differ, and only in a few operands. */
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
