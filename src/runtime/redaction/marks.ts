/** Quotation marks and the signs that escape characters, inside of a known secret. An encoder may escape only some of a run. */

/** Quotation marks, with the names of HTML. */
const QUOTES = { '"': 'quot|QUOT', "'": 'apos' } as const
/** What a backslash, PowerShell and cmd escape with. A shell also quotes with backticks. */
const SIGNS = { '\\': 'bsol', '`': 'grave', '^': 'Hat' } as const

type Names = Readonly<Record<string, string>>

const anyOf = (marks: Names, radix: number) =>
  Object.keys(marks)
    .map(mark => mark.charCodeAt(0).toString(radix))
    .map(digits => digits.replaceAll(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`))
    .join('|')

/** What follows the `&` of HTML. */
const entities = (marks: Names): string =>
  `(?:${Object.values(marks).join('|')}|#0{0,4}(?:${anyOf(marks, 10)})|#[Xx]0{0,4}(?:${anyOf(marks, 16)}));`

/** One mark as a URL, JSON (after its backslash) or HTML writes it. */
const codes = (marks: Names): string =>
  [
    `%(?:25){0,3}(?:${anyOf(marks, 16)})`,
    String.raw`(?<=\\)u00(?:${anyOf(marks, 16)})`,
    `&(?:amp;)?${entities(marks)}`,
  ].join('|')

const raw = (marks: Names): string =>
  Object.keys(marks)
    .map(mark => `\\x${mark.charCodeAt(0).toString(16)}`)
    .join('')

const ALL = { ...QUOTES, ...SIGNS }

/** A part of a secret that looks like the code of a mark. */
const CODE = new RegExp(codes(ALL).replace(String.raw`(?<=\\)`, ''), 'i')

/** The pattern of a run of marks: each as it is, or as a code. It takes the signs that escape the next character, too: two patterns that share them take exponential time. */
export function marksIn(secret: string): Readonly<Record<'quotes' | 'signs', Run>> {
  // Codes that belong to the secret are not taken for marks, for the same reason.
  const run = (marks: Names, isOne: boolean): Run => {
    const one = CODE.test(secret) ? `[${raw(marks)}]` : `(?:[${raw(marks)}]|${codes(marks)})`
    return length => `${one}{${isOne ? 1 : length},${8 * length + 7}}`
  }
  return { quotes: run(ALL, true), signs: run(SIGNS, false) }
}

/** Of so many marks. */
type Run = (length: number) => string

/** Any character in HTML. After a run of marks, only one that the run does not take. */
export const entityOf = (character: string, isAfterRun: boolean): string =>
  isAfterRun && character in QUOTES
    ? `&(?:amp;)?${entities(QUOTES)}`
    : String.raw`&(?:amp;)?${isAfterRun ? `(?!${entities(ALL)})` : ''}#?\w{2,6};`
