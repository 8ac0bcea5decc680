/** Reads texts as words and numbers. Texts are compared by these, not by the symbols in between. */
import { codeAt, COLON, COMMA, DASH, EQUALS, isDigit, LETTER_M } from './characters.ts'
import { PLUS, POINT } from './characters.ts'
import { isJoint, isOfDate, isSerial } from './dates.ts'
import { isMeasured, pastGroups } from './durations.ts'
import { isDrawnName, isGenerated } from './generated.ts'
import { namesADuration, namesAnId, pastValue } from './named-values.ts'

/** Which values are dropped because they differ each time: none, times and ids, or in a `failure` also places in files. */
export type Volatile = 'none' | 'answer' | 'failure'

/** Receives words and numbers as hashes of 18 bits, symbols as character codes. */
export interface Reader {
  word(hash: number): void
  number(hash: number): void
  symbol?(code: number): void
  /** The place of each number. */
  figure?(start: number, end: number): void
}

/** The parts read of a long text: differences tend to stand at the beginning, results at the end. */
const HEAD = 600
const TAIL = 200
export const READ_MAX = HEAD + TAIL

/** A mixture of letters and digits of this length is an id, and in a failure a number of this length a time or a serial number. */
const ID_LENGTH = 8
const FAILED_SERIAL_LENGTH = 9

type Span = { readonly start: number; readonly end: number }

/** Reads at most `READ_MAX` characters of `text`. */
export function read(text: string, drop: Volatile, reader: Reader): void {
  const end = text.length
  readPart(text, { start: 0, end: end <= READ_MAX ? end : HEAD }, drop, reader)
  if (end > READ_MAX) readPart(text, { start: end - TAIL, end }, drop, reader)
}

/** Reads all of `text`, in one pass. */
export function readWhole(text: string, drop: Volatile, reader: Reader): void {
  readPart(text, { start: 0, end: text.length }, drop, reader)
}

// Reads each character once, and never beyond the end: V8 would drop the compiled code of the whole function.
function readPart(text: string, { start: from, end: to }: Span, drop: Volatile, reader: Reader) {
  let place = false
  for (let at = from; at < to; ) {
    let code = text.charCodeAt(at)
    let kind = kindOf(code)
    if (kind < LETTER) {
      if (kind === SYMBOL) reader.symbol?.(code)
      at++
      continue
    }
    const start = at
    let word = SEED
    // Most words have only letters.
    while (kind === LETTER) {
      word = mixHash(word, code | 32)
      code = ++at < to ? text.charCodeAt(at) : 0
      kind = kindOf(code)
    }
    let letters = at - start
    let digits = 0
    let number = SEED
    while (kind >= LETTER || (letters === 0 && code === POINT && isDigit(codeAt(text, at + 1)))) {
      if (kind === LETTER) {
        letters++
        word = mixHash(word, code | 32)
      } else {
        digits++
        number = mixHash(number, code)
      }
      code = ++at < to ? text.charCodeAt(at) : 0
      kind = kindOf(code)
    }
    if (code === DASH && drop !== 'none' && endsUuid(text, at)) {
      at = Math.min(at + UUID_REST, to)
      continue
    }
    if (drop !== 'none' && isDrawnName(text, start, at)) continue
    if (letters === 0) {
      if (drop === 'none' || !isVolatile(text, { start, end: at }, drop, place)) {
        reader.number(foldHash(number))
        reader.figure?.(start, at)
        // The comma of `1,123 ms` belongs to the number: `987 ms` has none.
      } else if (code === COMMA && pastGroups(text, at) > at) at++
      continue
    }
    if (digits > 0) {
      if (
        drop !== 'none' &&
        (at - start >= ID_LENGTH ||
          isHex(text, start) ||
          (isDigit(text.charCodeAt(start)) && isVolatileFigure(text, { start, end: at }, drop)))
      )
        continue
      reader.number(foldHash(number))
      reader.figure?.(start, at)
    }
    const hash = foldHash(word)
    reader.word(hash)
    place = drop === 'failure' && PLACES.has(hash)
    if (drop !== 'none' && (namesAnId(text, at) || namesADuration(text, start, at)))
      at = pastValue(text, at, to)
  }
}

const BLANK = 0
const SYMBOL = 1
const LETTER = 2
const DIGIT = 3

/** The kinds of ASCII characters. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return BLANK
  if (code >= 48 && code <= 57) return DIGIT
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 ? LETTER : SYMBOL
})

const kindOf = (code: number): number => (code < 128 ? (KINDS[code] as number) : kindBeyond(code))

/** Blanks and punctuation beyond ASCII. All other characters are letters: emoji and the signs of maps differ like words. */
function kindBeyond(code: number): number {
  if (code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200b)) return BLANK
  const isPunctuation =
    (code <= 0xbf && code >= 0xa1 && code !== 0xaa && code !== 0xb5 && code !== 0xba) ||
    (code >= 0x2010 && code <= 0x205e) ||
    (code >= 0x3001 && code <= 0x301f && (code < 0x3005 || code > 0x3007)) ||
    (code >= 0xff01 && code <= 0xff0f) ||
    (code >= 0xff1a && code <= 0xff20)
  return isPunctuation ? SYMBOL : LETTER
}

/** Signed, as all hashes made from it: a number beyond 32 bits would be an object on the heap. */
const SEED = 0x811c9dc5 | 0

const mixHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193)
const foldHash = (hash: number): number => (hash ^ (hash >>> 15)) & 0x3ffff

const isHex = (text: string, start: number): boolean =>
  text.charCodeAt(start) === 48 && (codeAt(text, start + 1) | 32) === 120

/** Whether a UUID, also with a prefix, continues after its first part: each part alone may be a word or a number. */
const endsUuid = (text: string, at: number): boolean =>
  codeAt(text, at + 5) === DASH &&
  codeAt(text, at + 10) === DASH &&
  codeAt(text, at + 15) === DASH &&
  UUID.test(text.slice(Math.max(0, at - 8), at + UUID_REST + 1))

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/i
/** Characters of a UUID after its first part. */
const UUID_REST = 28

/** The hash that a reader receives for a word. */
export function wordHash(word: string): number {
  let hash = SEED
  for (let at = 0; at < word.length; at++) hash = mixHash(hash, word.charCodeAt(at) | 32)
  return foldHash(hash)
}

/** The hash that a reader receives for a number. */
export function numberHash(digits: string): number {
  let hash = SEED
  for (let at = 0; at < digits.length; at++) hash = mixHash(hash, digits.charCodeAt(at))
  return foldHash(hash)
}

const PLACES: ReadonlySet<number> = new Set(
  'line lines col column position pos pid char offset byte row'.split(' ').map(wordHash),
)
/** Times, durations, dates, serial numbers, and in failures places. All other numbers count: "2 failing" after "3 failing" is progress. */
function isVolatile(text: string, { start, end }: Span, drop: Volatile, place: boolean): boolean {
  if (place || (drop === 'failure' && end - start >= FAILED_SERIAL_LENGTH)) return true
  if (isSerial(text, start, end)) return true
  const before = codeAt(text, start - 1)
  const after = codeAt(text, end)
  if (before === COLON && isDigit(codeAt(text, start - 2))) return true
  if (
    before === COLON &&
    drop === 'failure' &&
    !isCount(text.slice(Math.max(0, start - COUNT_MAX), start - 1))
  )
    return true
  if (after === COLON && (drop === 'failure' || isDigit(codeAt(text, end + 1)))) return true
  if ((isJoint(before) || isJoint(after)) && isOfDate(text, start)) return true
  if (before === COMMA ? endsTime(text, start - 1) : before === PLUS && endsMonotonic(text, start))
    return true
  if ((after === 32 || after === COMMA) && isMeasured(text, start, end)) return true
  return isGenerated(text, start, end)
}

/** Characters before the number of `"numFailedTests":3`. */
const COUNT_MAX = 24
const COUNT =
  /(?:fail(?:ed|ing|ures?|s)|pass(?:ed|es|ing)|errors|warnings|problems|issues|violations|tests|skipped|total|succeeded)["']?$/i

/** Whether the name of a number says that it counts results: `"failed":3` differs from a place in a file. */
export const isCount = (name: string): boolean => COUNT.test(name)

/** `23:01:38,123` of Python and log4j. */
const endsTime = (text: string, end: number): boolean =>
  isDigit(codeAt(text, end - 1)) &&
  isDigit(codeAt(text, end - 2)) &&
  codeAt(text, end - 3) === COLON &&
  isDigit(codeAt(text, end - 4))

/** `m=+1.2`, the monotonic clock of Go. */
const endsMonotonic = (text: string, start: number): boolean =>
  codeAt(text, start - 2) === EQUALS && codeAt(text, start - 3) === LETTER_M

/** A volatile number with letters: `12T08` of a date, `0.13s` and `140ms`. */
function isVolatileFigure(text: string, { start, end }: Span, drop: Volatile): boolean {
  let letters = start
  while (isDigit(codeAt(text, letters)) || codeAt(text, letters) === POINT) letters++
  return isMeasured(text, start, letters) || isVolatile(text, { start, end }, drop, false)
}

/** The hashes of words that are separated by blanks. */
export const hashSet = (words: string): ReadonlySet<number> =>
  new Set(words.split(' ').map(wordHash))
