/** Reads texts as words and numbers: what two of them have in common is told by these, whatever stands between. */

/** What is left out because it is different each time although nothing else is. `failure`: places in files and lines, too. */
export type Volatile = 'none' | 'answer' | 'failure'

/** Whoever reads along. Words and numbers come as hashes of 18 bits, symbols as their character codes. */
export interface Reader {
  word(hash: number): void
  number(hash: number): void
  symbol?(code: number): void
}

/** Of a long text its head and its tail are read: what differs tends to stand at the one, what it came to at the other. */
const HEAD = 600
const TAIL = 200
export const READ_MAX = HEAD + TAIL

/** A letter-and-digit mixture this long is an id, and a number this long a time or a serial number. */
const ID_LENGTH = 8
const SERIAL_LENGTH = 9

/** Reads `text`; `true` if all of it was read. Cost: one look at each of at most `READ_MAX` characters. */
export function read(text: string, drop: Volatile, reader: Reader): boolean {
  if (text.length <= READ_MAX) return readPart(text, { from: 0, to: text.length }, drop, reader)
  readPart(text, { from: 0, to: HEAD }, drop, reader)
  readPart(text, { from: text.length - TAIL, to: text.length }, drop, reader)
  return false
}

// Each character is looked at once, and none beyond the end: one such look costs V8 the compiled code of the whole function.
function readPart(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  drop: Volatile,
  reader: Reader,
): true {
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
    // Most are letters to their end.
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
    if (letters === 0) {
      if (drop === 'none' || !isVolatile(text, { start, end: at }, drop, place))
        reader.number(foldHash(number))
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
  return true
}

const BLANK = 0
const SYMBOL = 1
const LETTER = 2
const DIGIT = 3

/** What each character of ASCII is; whatever lies beyond is a letter. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return BLANK
  if (code >= 48 && code <= 57) return DIGIT
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 ? LETTER : SYMBOL
})

function kindOf(code: number): number {
  return code < 128 ? (KINDS[code] as number) : LETTER
}

/** The character at a place, 0 before the first and after the last. */
function codeAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : 0
}

/** With its sign, as all that comes of it: beyond 32 bits it would be an object on the heap. */
const SEED = 0x811c9dc5 | 0

function mixHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

function foldHash(hash: number): number {
  return (hash ^ (hash >>> 15)) & 0x3ffff
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isHex(text: string, start: number): boolean {
  return text.charCodeAt(start) === 48 && (codeAt(text, start + 1) | 32) === 120
}

/** What a reader is told of a word. */
export function wordHash(word: string): number {
  let hash = SEED
  for (let at = 0; at < word.length; at++) hash = mixHash(hash, word.charCodeAt(at) | 32)
  return foldHash(hash)
}

/** What a reader is told of a number. */
export function numberHash(digits: string): number {
  let hash = SEED
  for (let at = 0; at < digits.length; at++) hash = mixHash(hash, digits.charCodeAt(at))
  return foldHash(hash)
}

const PLACES: ReadonlySet<number> = new Set(
  ['line', 'lines', 'col', 'column', 'position', 'pos', 'pid', 'char', 'offset', 'byte', 'row'].map(
    wordHash,
  ),
)
const UNITS: ReadonlySet<string> = new Set([
  'ms',
  's',
  'sec',
  'secs',
  'second',
  'seconds',
  'us',
  'µs',
  'min',
  'minutes',
])

/** Times, durations, dates, serial numbers; in failures also places. All other numbers count: "3 failing", then "2 failing", is progress. */
function isVolatile(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  drop: Volatile,
  place: boolean,
): boolean {
  if (end - start >= SERIAL_LENGTH || place) return true
  const before = codeAt(text, start - 1)
  const after = codeAt(text, end)
  if (before === COLON && (drop === 'failure' || isDigit(codeAt(text, start - 2)))) return true
  if (after === COLON && (drop === 'failure' || isDigit(codeAt(text, end + 1)))) return true
  if ((before === DASH || before === SLASH) && isDigit(codeAt(text, start - 2))) return true
  if ((after === DASH || after === SLASH) && end - start === 4 && isDigit(codeAt(text, end + 1)))
    return true
  return after === 32 && isMeasured(text, start, end)
}

/** The same of a number that goes over into letters: `12T08` of a date, `0.13s` and `140ms`. */
function isVolatileFigure(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  drop: Volatile,
): boolean {
  let letters = start
  for (
    let code = text.charCodeAt(letters);
    isDigit(code) || code === POINT;
    code = codeAt(text, letters)
  )
    letters++
  return isMeasured(text, start, letters) || isVolatile(text, { start, end }, drop, false)
}

/**
 * A duration that was measured, and is another each time: `0.13s`, `140 ms`, `failed in 3s`. Other whole seconds are left in, glued or
 * not: `[4 s] compiling` is a clock that somebody who waits looks at.
 */
function isMeasured(text: string, start: number, end: number): boolean {
  if (!hasUnit(text, end)) return false
  const letters = codeAt(text, end) === 32 ? end + 1 : end
  if ((codeAt(text, letters + 1) | 32) === 115) return true
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === POINT) return true
  return TOOK.test(text.slice(Math.max(0, start - 6), start))
}

const TOOK = /\b(in|took|after)\s$/i

function hasUnit(text: string, end: number): boolean {
  const unit = codeAt(text, end) === 32 ? codeAt(text, end + 1) : codeAt(text, end)
  return mayBeUnit(unit) && UNITS.has(UNIT.exec(text.slice(end, end + 9))?.[1]?.toLowerCase() ?? '')
}

/** `s`, `m`, `u` and `µ` begin all units of time. */
function mayBeUnit(code: number): boolean {
  return (code | 32) === 115 || (code | 32) === 109 || code === 117 || code === 181
}

const DASH = 45
const POINT = 46
const SLASH = 47
const COLON = 58
const EQUALS = 61
const QUOTE = 34
const UNIT = /^ ?([a-zµ]+)/i

/** `messageId: m-17`, `"id":"m-17"`: what follows is a name for something, and new each time. */
function namesAnId(text: string, end: number): boolean {
  return (
    (text.charCodeAt(end - 1) | 32) === 100 &&
    (codeAt(text, end - 2) | 32) === 105 &&
    /^["']?\s?[:=]/.test(text.slice(end, end + 3))
  )
}

/**
 * `"took_ms": 121`, `duration=0.12`: how long it took, by its name. Time that has passed is left in where it is told in whole
 * seconds, for whoever waits looks at it; so is what else is counted in milliseconds, as a place in a film.
 */
function namesADuration(text: string, start: number, end: number): boolean {
  const after = codeAt(text, end)
  if (after !== COLON && after !== EQUALS && after !== QUOTE) return false
  const value = FIGURE.exec(text.slice(end, end + 12))
  return (
    value !== null &&
    (DURATION.test(text.slice(start, end)) ||
      (value[1] !== undefined && ELAPSED.test(text.slice(start, end))))
  )
}

const FIGURE = /^"?\s?[:=]\s?"?\d+(\.\d)?/
const DURATION =
  /(took|duration|latency)(_?(ms|us|ns|s|secs?|seconds))?$|(elapsed|time)_?(ms|us|ns)$/i
const ELAPSED = /(elapsed|time)(_?(s|secs?|seconds))?$/i

function pastValue(text: string, end: number, to: number): number {
  const value = /^["']?\s?[:=]\s*["']?[^\s,}"';]*/.exec(text.slice(end, Math.min(to, end + 80)))
  return end + (value?.[0].length ?? 0)
}
