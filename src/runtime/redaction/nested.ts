/** Known secrets in digits that encode a text with the secret: base64 within base64, as Kubernetes encodes a configuration of Docker, base64 in hexadecimal, and bytes in decimal numbers. */
import { overlapping, type Span, spansOf } from './mask.ts'
import { spansInLayers } from './unescape.ts'

/** Digits that encode bytes. */
interface Code {
  /** Quicker to find than a run. */
  readonly hint?: RegExp
  readonly run: RegExp
  /** The rest of a longer run, in parts: a run of a million numbers exceeds the stack of the engine. */
  readonly more?: RegExp
  /** One digit of a run. */
  readonly digit: RegExp
  readonly digitsOfByte: number
  readonly decode: (run: string) => string
}

/** Four digits for three printable characters of ASCII. Other texts seldom have four of them in a row. */
const QUANTUM = String.raw`[I-Za-f][C-HS-Xi-ny-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]`
/** Two digits for a printable character of ASCII. */
const PAIR = String.raw`[2-7][\dA-Fa-f]`
/** A character as a signed byte or as a code up to 299. Small numbers, of which lists are full, are none. */
const NUMBER = String.raw`(?:-\d{1,3}|[12]\d\d|[4-9]\d|3[2-9]|9|1[03])(?![\d.])`
/** From a number to the next one, also of a list in YAML and of a typed array in JSON. */
const NEXT_NUMBER = String.raw`[\s,]+(?:-\s+|"\d{1,9}":\s*)?${NUMBER}`

/** The numbers of a run, without the indexes of a typed array. */
const NUMBERS = /-?\d{1,3}(?!\d|":)/g
const characterOf = (number: string) =>
  String.fromCharCode(Number(number) + (number.startsWith('-') ? 256 : 0))

const CODES: readonly Code[] = [
  {
    // Lines of MIME break between these.
    run: new RegExp(String.raw`${QUANTUM.repeat(4)}(?:[\r\n]{0,2}${QUANTUM})*[\w+/-]{0,3}`, 'g'),
    digit: /[\w+/-]/g,
    digitsOfByte: 4 / 3,
    decode: run => Buffer.from(run, 'base64').toString('latin1'),
  },
  {
    run: new RegExp(`${PAIR.repeat(16)}(?:${PAIR})*`, 'g'),
    digit: /[\dA-Fa-f]/g,
    digitsOfByte: 2,
    decode: run => Buffer.from(run, 'hex').toString('latin1'),
  },
  {
    hint: new RegExp(String.raw`\d(?:${NEXT_NUMBER}){7}`),
    run: new RegExp(String.raw`(?<![\d.-])${NUMBER}(?:${NEXT_NUMBER}){7,1000}`, 'g'),
    more: new RegExp(`(?:${NEXT_NUMBER}){1,1000}`, 'y'),
    digit: NUMBERS,
    digitsOfByte: 1,
    decode: run => (run.match(NUMBERS) ?? []).map(characterOf).join(''),
  },
]

/** Finds the parts of a text whose decoded text matches one of the patterns, also where it is escaped. */
export function nestedSearch(patterns: readonly RegExp[]): (text: string) => readonly Span[] {
  // Most runs of a text are the same after it is unescaped.
  const known = CODES.map(() => new Map<string, readonly Span[]>())
  const spansIn = (code: Code, run: string, at: number): readonly Span[] => {
    const before = known[at]?.get(run)
    if (before) return before
    const spans = search(code, run, patterns)
    known[at]?.set(run, spans)
    return spans
  }
  return text =>
    CODES.flatMap((code, at) =>
      runsOf(code, text).flatMap(([from, to]) =>
        spansIn(code, text.slice(from, to), at).map(
          ([start, end]): Span => [from + start, from + end],
        ),
      ),
    )
}

function search(code: Code, run: string, patterns: readonly RegExp[]): readonly Span[] {
  const found = spansInLayers(code.decode(run), layer =>
    patterns.flatMap(pattern => overlapping(pattern, layer)),
  )
  if (found.length === 0) return []
  const digits = spansOf(code.digit, run)
  // A byte of base64 begins in one digit and ends in the next.
  return found.map(([start, end]): Span => {
    const [first] = digits[Math.floor(start * code.digitsOfByte)] as Span
    const [, last] = digits[Math.ceil(end * code.digitsOfByte) - 1] as Span
    return [first, last]
  })
}

function runsOf({ hint, run, more }: Code, text: string): readonly Span[] {
  if (hint?.test(text) === false) return []
  if (!more) return spansOf(run, text)
  const spans: Span[] = []
  run.lastIndex = 0
  for (let match = run.exec(text); match; match = run.exec(text)) {
    more.lastIndex = run.lastIndex
    while (more.test(text)) run.lastIndex = more.lastIndex
    spans.push([match.index, run.lastIndex])
  }
  return spans
}
