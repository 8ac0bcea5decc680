/** Patterns of known secrets: in clear, as programs escape and quote them, in hexadecimal and in base64. */
import { entityOf, marksIn } from './marks.ts'
import { literal } from './token-formats.ts'
import { unescapeOnce } from './unescape.ts'

/** Shorter secrets match ordinary words. */
export const SECRET_MIN = 8

/** Characters of the pieces of a longer secret, so that most of an excerpt is masked, too. */
const PIECE = 64
/** Two pieces share two characters, and so the digit of base64 between them is masked. */
const STEP = PIECE - 2
/** Characters of the secrets in one pattern. A pattern for several thousand exceeds the stack of the engine. */
const PATTERN_MAX = 1_024

/** The patterns of these secrets, without those that are too short. */
export function patternsOf(secrets: readonly string[]): RegExp[] {
  const values = secrets.flatMap(formsOf)
  // The longest first: one secret may begin with another.
  const known = values.filter(each => each.length >= SECRET_MIN).sort((a, b) => b.length - a.length)
  const groups: string[][] = []
  let room = 0
  for (const piece of new Set(known.flatMap(piecesOf))) {
    if (piece.length > room) {
      groups.push([])
      room = PATTERN_MAX
    }
    groups.at(-1)?.push(piece)
    room -= piece.length
  }
  return groups.map(group => new RegExp([...new Set(group.flatMap(encodings))].join('|'), 'g'))
}

/** A secret as its variable spells it, and as programs print it. */
function formsOf(secret: string): readonly string[] {
  // Without the line break of a file and the scheme of a header, which an echo leaves out.
  const value = secret.trim().replace(/^(?:basic|bearer|token)\s+/i, '')
  // The lines of a key are often escaped in a variable.
  const lines = value.replaceAll(/(?:\\r)?\\n/g, '\n')
  // A shell writes blanks for them, if the variable is not quoted.
  const words = lines.replaceAll(/\s+/g, ' ')
  // Quotation marks are often a part of a variable by mistake.
  const bare = value.replace(/^["'`\\]+/, '').replace(/(?<!["'`\\])["'`\\]+$/, '')
  return [
    ...[value, lines, words, bare].flatMap(normalized),
    ...[value, bare].flatMap(normalized).flatMap(unescapedForms),
  ]
}

const normalized = (form: string) => [form, form.normalize('NFC'), form.normalize('NFD')]

/** A text is unescaped with all that looks escaped in it, also with what belongs to the secret. Escaped bytes of UTF-8 are read as Latin-1. */
const unescapedForms = (form: string): readonly string[] =>
  [form, asLatin1(form)].flatMap(each => {
    const without = unescapeOnce(each)
    return without === each ? [] : [without]
  })

const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1')

/** Each piece overlaps the one before it. All are of one length. */
function piecesOf(secret: string): readonly string[] {
  const characters = Array.from(secret)
  if (characters.length <= PIECE) return [secret]
  const count = 1 + Math.ceil((characters.length - PIECE) / STEP)
  return Array.from({ length: count }, (_, index) => {
    const start = Math.min(index * STEP, characters.length - PIECE)
    return characters.slice(start, start + PIECE).join('')
  })
}

/** Patterns of a secret in other texts: in clear and with escaped characters, in hexadecimal and in base64. */
function encodings(secret: string): string[] {
  const utf8 = Buffer.from(secret)
  const latin1 = Buffer.from(secret, 'latin1')
  // Bytes of UTF-8 that were escaped one by one are read as characters of Latin-1.
  const clear = [secret, asLatin1(secret)].map(inClear)
  const isLatin1 = latin1.toString('latin1') === secret
  return [...clear, ...[utf8, ...(isLatin1 ? [latin1] : [])].flatMap(inDigits)]
}

const inDigits = (bytes: Buffer): string[] => [
  inHex(bytes),
  ...[0, 1, 2].map(offset => Array.from(inBase64(bytes, offset), digit64).join(BREAKS)),
]

/** Line breaks of MIME, of source code, of a list, and of a mail that quotes them. Those that a text escapes are unescaped before. */
const BREAKS = String.raw`[\s\\>"',=]*`

/** Between two bytes in hexadecimal: of dumps, of source code, of lists, and of URLs that escape every byte. */
const BETWEEN_BYTES = String.raw`(?:[\s:,%.|_"'\\x-]|0x)*`

/** Lines of a dump may end within a byte. */
const inHex = (bytes: Buffer): string =>
  digitsOf(bytes)
    .map(byte => byte.replace(/^(\[[^\]]*\]|.)/, String.raw`$1[\s\\]*`))
    .join(BETWEEN_BYTES)

/** The bytes as two hexadecimal digits of either case. */
const digitsOf = (bytes: Buffer): string[] =>
  [...bytes].map(byte => anyCase(byte.toString(16).padStart(2, '0')))

const anyCase = (digits: string) =>
  digits.replaceAll(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)

/** A digit of base64, as URLs spell or escape it. */
const digit64 = (digit: string): string =>
  digit === '+' ? '(?:[+-]|%2[Bb])' : digit === '/' ? String.raw`(?:\\?[/_]|%2[Ff])` : digit

/** The characters that a secret alone determines when it stands after so many bytes of another text. */
function inBase64(secret: Buffer, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), secret])
  const text = bytes.toString('base64').replaceAll('=', '')
  const end = bytes.length % 3 === 0 ? text.length : text.length - 1
  return text.slice(offset === 0 ? 0 : offset + 1, end)
}

/** Quotation marks inside of a secret, signs that escape, a line break, signs that formats double, or a character. */
const PART = /(?<=[^\\"'`^])([\\^]*["'`][\\"'`^]*)(?=[^\\"'`^])|([\\`^]+)|(\r?\n)|([$%{}])\4*|./gsu

/** The characters in clear, or as JSON (also nested), URLs, forms and HTML escape them. Encoders differ in what they escape. */
function inClear(secret: string): string {
  // The backtick before a secret begins a quotation.
  let escape = BACKSLASHES
  const runs = marksIn(secret)
  const parts = Array.from(secret.matchAll(PART))
  return parts
    .map(({ 0: part, 1: quotes, 2: signs, 3: line, 4: double, index }, nth) => {
      const next = parts[nth + 1]
      const own = escape
      escape = quotes || signs ? NONE : SIGNS
      if (quotes) return runs.quotes(part.length)
      if (signs) return runs.signs(part.length)
      if (line) return escapes('\n', own, lineBreak(secret.slice(index + part.length)))
      if (double) return doubled(double, part.length, own, Boolean(next?.[1] || next?.[2]))
      return escapes(part, own)
    })
    .join('')
}

/** What stands in a line before the secret. Signs that begin an escaped line break are not skipped: two ways to match many of them take exponential time. */
const NO_SECRET = String.raw`\r\n\\"'\x60^&%`
/** Some programs write two carriage returns. */
const BREAK = String.raw`\r{0,2}\n`

/** A line break, also before an indented or numbered line, and doubled, as YAML folds texts. Only before a line with a letter, or the last one: between lines of digits, a number and a line of the secret are two ways to match. */
const lineBreak = (after: string): string => {
  const isFolded = /^[^\r\n]*(?:[A-Za-z]|$)/.test(after)
  const fold = isFolded ? String.raw`(?:[^A-Za-z${NO_SECRET}]{0,40}\\?${BREAK})??` : ''
  return `${BREAK}${fold}[^${NO_SECRET}]{0,40}?`
}

/** What escapes the next character: at least so many backslashes, backticks of PowerShell or carets of cmd. */
type Escape = (least: number) => string
const BACKSLASHES: Escape = least => String.raw`\\{${least},7}`
const SIGNS: Escape = least => String.raw`[\\\x60^]{${least},7}`
const NONE: Escape = () => ''

/** Docker compose writes `$$`, printf `%%` and ODBC `}}`. A program escapes each sign of a run. Before a run of marks, the signs that were added are not escaped: two ways to match many marks take exponential time. */
function doubled(sign: string, count: number, escape: Escape, isBeforeMarks: boolean): string {
  const each = SIGNS(0) + literal(sign)
  const added = isBeforeMarks ? literal(sign) : each
  const raw = `${escape(0)}${literal(sign)}(?:${each}){${count - 1}}(?:${added}){0,${count}}?`
  return `(?:${raw}|${codes(sign, escape)}${codes(sign, SIGNS)}{${count - 1}})`
}

function escapes(character: string, escape: Escape, raw = literal(character)): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character
  const short = /(?<=^"\\)[bfnrt](?="$)/.exec(JSON.stringify(character))
  const plus = character === ' ' ? [String.raw`\+`] : []
  return codes(character, escape, [raw, ...plus], short ?? [])
}

/** The codes of a character in a URL, in JSON and in HTML, and other ways to write it, with backslashes before them. */
function codes(
  character: string,
  escape: Escape = BACKSLASHES,
  others: readonly string[] = [],
  short: readonly string[] = [],
): string {
  const bytes = digitsOf(Buffer.from(character))
  const units = character.split('').map(unit => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  const url = bytes.map(byte => `%(?:25){0,3}${byte}`).join('')
  const [unit = '', ...more] = units.map(each => `u${anyCase(each)}`)
  const json = [unit, ...more.map(each => escape(1) + each)].join('')
  const free = [...others, url, entityOf(character, escape === NONE)].join('|')
  return `(?:${escape(0)}(?:${free})|${escape(1)}(?:${[json, ...short].join('|')}))`
}
