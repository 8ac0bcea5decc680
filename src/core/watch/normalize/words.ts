/** Reads texts as words and numbers. Texts are compared by these, not by the symbols in between. */
import { codeAt, COLON, COMMA, DASH, EQUALS, isDigit, LETTER_M } from './characters.ts'
import { PLUS, POINT, QUOTE, SLASH } from './characters.ts'
import { isMeasured, pastGroups } from './durations.ts'
import { isGenerated } from './generated.ts'

/** Which values are dropped because they differ each time: none, times and ids, or in a `failure` also places in files. */
export type Volatile = 'none' | 'answer' | 'failure'

/** Receives words and numbers as hashes of 18 bits, symbols as character codes. */
export interface Reader {
  word(hash: number): void
  number(hash: number): void
  symbol?(code: number): void
}

/** The parts read of a long text: differences tend to stand at the beginning, results at the end. */
const HEAD = 600
const TAIL = 200
export const READ_MAX = HEAD + TAIL

/** A mixture of letters and digits of this length is an id. */
const ID_LENGTH = 8
/** An integer of this length is a time or a serial number, in a failure also a shorter number. */
const SERIAL_LENGTH = 13
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
    if (letters === 0) {
      if (drop === 'none' || !isVolatile(text, { start, end: at }, drop, place))
        reader.number(foldHash(number))
      // The comma of `1,123 ms` belongs to the number: `987 ms` has none.
      else if (code === COMMA && pastGroups(text, at) > at) at++
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
  if (place || isSerial(text, { start, end }, drop)) return true
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

/** Seconds since 1970, from September 2020 to 2033, also with a fraction. */
const EPOCH = /^1[6-9]\d{8}(?:\.\d*)?$/
const DOTTED_DATE = /^\d{1,2}\.\d{1,2}\.(?:19|20)\d\d$/
/** `"bytes_done":1677721600`, `1677721600 of 9000000000 bytes` */
const OF_BYTES = /(?:bytes|size)\w*["']?\s?[:=]?\s?$/i
const BYTES = /^ (?:bytes|of)\b/
const BYTES_MAX = 24

/** A time or a serial number. Amounts, shares such as `0.0333333333333333`, versions and addresses are content. */
function isSerial(text: string, { start, end }: Span, drop: Volatile): boolean {
  const length = end - start
  if (length < FAILED_SERIAL_LENGTH) return false
  if (drop === 'failure') return true
  const number = text.slice(start, end)
  if (DOTTED_DATE.test(number)) return true
  if (!EPOCH.test(number) && (length < SERIAL_LENGTH || number.includes('.'))) return false
  const isOfBytes =
    OF_BYTES.test(text.slice(Math.max(0, start - BYTES_MAX), start)) ||
    BYTES.test(text.slice(end, end + BYTES_MAX))
  return !isOfBytes
}

const isJoint = (code: number): boolean => code === DASH || code === SLASH

/** A date, or a year and a month, also with the time or a number behind it: `2026-01-03`, `1/3/26`, `20260103-153012`. */
const DATE =
  /^(?:\d{4}([-/])\d{1,2}\1\d{1,2}|\d{1,2}([-/])\d{1,2}\2(?:\d{4}|\d\d)|(?:19|20)\d\d[-/](?:0[1-9]|1[0-2])|20\d{6})(?:-\d{1,6})?$/
const DATE_MAX = 17
/** Of the path `/2026/01/03/`. */
const JOINTS = /^[-/]+|[-/]+$/g

/** Whether the number at `start` is a part of a date. `0-100`, `500/7` and the number `2026-1001` are content. */
function isOfDate(text: string, start: number): boolean {
  let from = start
  while (start - from < DATE_MAX && isOfNumbers(codeAt(text, from - 1))) from--
  let to = start
  while (to - from <= DATE_MAX && isOfNumbers(codeAt(text, to))) to++
  return DATE.test(text.slice(from, to).replace(JOINTS, ''))
}

const isOfNumbers = (code: number): boolean => isDigit(code) || isJoint(code)

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

/** `messageId: m-17`, `"id":"m-17"`, `the request ID C0DE:1A2B`: a generated name follows. */
function namesAnId(text: string, end: number): boolean {
  if ((text.charCodeAt(end - 1) | 32) !== 100 || (codeAt(text, end - 2) | 32) !== 105) return false
  const after = text.slice(end, end + 24)
  return (
    /^["']?\s?[:=]/.test(after) ||
    (ID_IN_WORDS.test(after) && OF_REQUEST.test(text.slice(Math.max(0, end - 16), end)))
  )
}

const ID_IN_WORDS = /^ [\w:.-]*\d/
const OF_REQUEST = /\b(?:request|trace|correlation|ray) id$/i

/**
 * `"took_ms": 121`, `duration=0.12`, `duration_ms 95.8` of Node.js: a measured duration follows. Elapsed whole seconds count, because an
 * agent that waits watches them. So do other milliseconds, such as a position in a video.
 */
function namesADuration(text: string, start: number, end: number): boolean {
  const after = codeAt(text, end)
  if (after === 32)
    return isDigit(codeAt(text, end + 1)) && DURATION_MS.test(text.slice(start, end))
  if (after !== COLON && after !== EQUALS && after !== QUOTE) return false
  const value = FIGURE.exec(text.slice(end, end + 14))
  return (
    value !== null &&
    (DURATION.test(text.slice(start, end)) ||
      (value[1] !== undefined && ELAPSED.test(text.slice(start, end))))
  )
}

const DURATION_MS = /(?:duration|elapsed|took)_ms$/
const FIGURE = /^"?\s?[:=]\s?"?(?:PT?)?\d+(\.\d)?/i
const DURATION =
  /(took|duration|latency|time_?taken|(?:response|request|query|execution|processing)_?time)(_?(ms|us|ns|millis|s|secs?|seconds|milliseconds))?$|(elapsed|time)_?(in_?)?(ms|us|ns|millis|nanos|milliseconds)$/i
const ELAPSED = /(elapsed|time)(_?(s|secs?|seconds))?$/i

function pastValue(text: string, end: number, to: number): number {
  const value = /^(?:["']?\s?[:=]\s*["']?| )[^\s,}"';]*/.exec(
    text.slice(end, Math.min(to, end + 80)),
  )
  return end + (value?.[0].length ?? 0)
}
