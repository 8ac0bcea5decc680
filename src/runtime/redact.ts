/** Redacts secrets in values before they are journaled, shown or sent to a model. */
import { hash } from '../core/watch/data/json.ts'

/** Shorter secrets match ordinary words. */
const SECRET_MIN = 8

/** Values that this process uses as secrets: a graph names their variables with `keyFrom` and `secretFrom`. */
const USED = new Set<string>()

/** Redacts a value in everything that this process journals from now on. Returns the value. */
export function useSecret<S extends string | undefined>(secret: S): S {
  if (secret !== undefined) USED.add(secret)
  return secret
}

/** A redactor that also masks these secrets, in clear and encoded. Secrets under 8 characters are ignored. */
export function redactor(secrets: readonly string[] = []): <T>(value: T) => T {
  let count = -1
  let known: readonly RegExp[] = []
  const clean = (text: string): string => {
    if (text.length < SECRET_MIN) return text
    if (count !== USED.size) known = patternsOf([...secrets, ...USED])
    count = USED.size
    return maskCredentials(known.reduce((rest, pattern) => rest.replace(pattern, MASK), text))
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (value === null || typeof value !== 'object') return value
    const before: readonly unknown[] = Object.values(value)
    const after = before.map(walk)
    const keys = Array.isArray(value) ? [] : Object.keys(value)
    // Most values are clean and are returned as they are.
    const isClean = after.every((inner, index) => inner === before[index])
    if (isClean && keys.every(key => clean(key) === key)) return value
    return Array.isArray(value)
      ? after
      : Object.fromEntries(keys.map((key, index) => [clean(key), after[index]]))
  }
  return walk as <T>(value: T) => T
}

/** A redacted key. Different keys stay different, and equal keys equal. */
export function redactKey(redact: <T>(value: T) => T, key: string): string {
  const redacted = redact(key)
  return redacted === key ? key : `${redacted}-${hash(key)}`
}

/** Characters of the pieces of a longer secret, so that most of an excerpt is masked, too. */
const PIECE = 64
/** Characters of the secrets in one pattern. A pattern for several thousand exceeds the stack of the engine. */
const PATTERN_MAX = 1_024

function patternsOf(secrets: readonly string[]): RegExp[] {
  // Without the line break of a file and the scheme of a header, which an echo leaves out.
  const values = secrets.map(each => each.trim().replace(/^(?:basic|bearer|token)\s+/i, ''))
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
  return groups.map(group => new RegExp(group.flatMap(encodings).join('|'), 'g'))
}

/** The last piece overlaps the one before it. */
function piecesOf(secret: string): readonly string[] {
  const characters = Array.from(secret)
  if (characters.length <= PIECE) return [secret]
  const count = Math.ceil(characters.length / PIECE)
  return Array.from({ length: count }, (_, index) => {
    const start = Math.min(index * PIECE, characters.length - PIECE)
    return characters.slice(start, start + PIECE).join('')
  })
}

/** Patterns of a secret in other texts: in clear and with escaped characters, in hexadecimal and in base64. */
function encodings(secret: string): string[] {
  const base64 = [0, 1, 2].map(offset => Array.from(inBase64(secret, offset), digit64).join(BREAKS))
  return [Array.from(secret, escapes).join(''), bytesOf(secret).join(BETWEEN_BYTES), ...base64]
}

/** Line breaks of MIME, also as JSON escapes them. */
const BREAKS = String.raw`(?:\s|\\[rn])*`

/** Between two bytes in hexadecimal: of dumps, of source code, and of URLs that escape every byte. */
const BETWEEN_BYTES = String.raw`(?:[\s:,%-]|\\[rnx]|0x)*`

/** The bytes as two hexadecimal digits of either case. */
const bytesOf = (text: string): string[] =>
  [...Buffer.from(text)].map(byte => anyCase(byte.toString(16).padStart(2, '0')))

const anyCase = (digits: string) =>
  digits.replaceAll(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)

/** A digit of base64, as URLs spell or escape it. */
const digit64 = (digit: string): string =>
  digit === '+' ? '(?:[+-]|%2[Bb])' : digit === '/' ? String.raw`(?:\\?[/_]|%2[Ff])` : digit

/** A character in clear, or as JSON (also nested), URLs, forms and HTML escape it. Encoders differ in what they escape. */
function escapes(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character
  const units = character.split('').map(unit => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  const short = JSON.stringify(character).slice(2, -1)
  const all = [
    String.raw`\\{0,7}${literal(character)}`,
    bytesOf(character)
      .map(byte => `%(?:25){0,3}${byte}`)
      .join(''),
    units.map(unit => String.raw`\\{1,7}u${anyCase(unit)}`).join(''),
    String.raw`&(?:amp;)?#?\w{2,6};`,
    ...(short ? [String.raw`\\{1,7}${literal(short)}`] : []),
    ...(character === ' ' ? [String.raw`\+`] : []),
  ]
  return `(?:${all.join('|')})`
}

/** The characters that a secret alone determines when it stands after so many bytes of another text. */
function inBase64(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const text = bytes.toString('base64').replaceAll('=', '')
  const end = bytes.length % 3 === 0 ? text.length : text.length - 1
  return text.slice(offset === 0 ? 0 : offset + 1, end)
}

/** The published formats of credentials. Values without a format, such as a password in a sentence, cannot be recognized. Most texts are not searched further than one test. */
const MASK = '[redacted]'

/** A text without the keyword, which ends in one of `-_./AJ13`, is not searched. The first group of a pattern is not secret. */
type TokenPattern = readonly [keyword: string, pattern: RegExp]

/** Prefixes that only tokens have, by the fewest characters that follow. */
const PREFIXES: Readonly<Record<number, string>> = {
  10: 'sk_live_ sk_test_ rk_live_ rk_test_ xoxa- xoxb- xoxe- xoxp- xoxr- xoxs- xapp-',
  16: 'sk- pk- rk- tvly- whsec_ glpat- gldt- glrt- glptt- glcbt- glsoat- glft-',
  20: 'xai- pplx- gsk_ hf_ r8_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ GOCSPX- ya29. npm_ dckr_pat_ sq0atp- sq0csp- hvs. hvb. NRAK- sb_secret_',
  30: 'AIza lin_api_ figd_ glsa_ glc_ lsv2_pt_ lsv2_sk_ pscale_tkn_ pscale_pw_',
  32: 'shpat_ shpca_ shppa_ shpss_',
  40: 'pypi- rubygems_ dop_v1_ doo_v1_ dor_v1_ ntn_ ATATT3 dp.pt. dp.st. PMAK- sntrys_ sntryu_ sbp_ AGE-SECRET-KEY-1',
}

/** The end of an escaped or hidden character, which does not belong to the word after it: of JSON, source code, URLs, quoted-printable, `cat -v`, and the color of a terminal. */
const ESCAPED = [
  String.raw`\\[befnrtv]`,
  String.raw`\\[0-7]{1,3}`,
  String.raw`\\(?:x|u00|U000000)[\dA-Fa-f]{2}`,
  String.raw`\\u[\dA-Fa-f]{4}`,
  String.raw`%(?:25){0,3}[\dA-Fa-f]{2}`,
  '=[0-9A-F]{2}',
  String.raw`\^[IM]`,
  String.raw`(?:(?:\x1b|1[bB]|\\033|\\e)[[(]|\[(?=\d))[\d;:]{0,20}[A-Za-z]`,
].join('|')
/** Where a word begins. */
const START = `(?<![A-Za-z0-9](?<!${ESCAPED}))`

/** Tokens that are recognized by their beginning. */
const TOKENS: readonly TokenPattern[] = [
  ...Object.entries(PREFIXES).flatMap(([length, prefixes]) =>
    prefixes.split(' ').map((prefix): TokenPattern => {
      const token = `${START}${literal(prefix)}[\\w.+/=-]{${length},}`
      return [prefix, new RegExp(token, 'g')]
    }),
  ),
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map(
    (prefix): TokenPattern => [
      prefix,
      new RegExp(`${START}${prefix}[A-Z0-9]{16}(?![A-Za-z0-9])`, 'g'),
    ],
  ),
  ['SG.', new RegExp(String.raw`${START}SG\.[\w-]{16,}\.[\w-]{16,}`, 'g')],
  // Each search ends where the next one would begin: the time stays linear.
  [
    'eyJ',
    new RegExp(String.raw`${START}eyJ(?:(?![-_]eyJ)[\w-]){10,}\.[\w-]{10,}\.[\w-]{10,}`, 'g'),
  ],
  ['slack.com/', /(hooks\.slack\.com\/(?:services|workflows)\/)[\w/]{20,}/g],
]

/** No code and no placeholder. */
const PLAIN = String.raw`(?!=|(?:null|true|false|none|undefined|string|process|os|env)\b|your[_-]|[\w.]*[([])[^\s"'&,;<>(){}$*[\]\\]`
/** The value of a variable, up to the blank, the quote or the next assignment. A whole placeholder or a call is none. */
const ASSIGNABLE = String.raw`(?!=|(?:null|true|false|none|undefined|string|\*+|\$\{?\w+\}?|%\w+%|[a-z_][\w.]*\([^()\s]*\))(?![^\s"',;&)])|(?:process|os|env)\b|your[_-]|\$\(|[{<])(?:(?![,;&)](?:\s|$|[\w ]{1,40}=)|\\{1,8}[nrt]|</)[^\s"']){4,1000}`
/** The text between two quotes. A text with blanks may be a message about the field. */
const QUOTED = String.raw`(?!(?:string|null|none|your[_-][\w-]*|\*+|\$\{?\w+\}?|\{\{[^{}]*\}\})["'\\])`
const NAMED =
  'pass(?:word|wd|phrase)|(?:client|aws)?_?secret(?:_?access)?_?(?:key)?|(?:access|auth|refresh)_?token|api_?key'

/** Headers of any scheme. Cookies are handled apart. */
const HEADERS =
  'authorization|(?:api|access|secret|private|subscription)[-_]?key|(?:access|auth|private|security|session|refresh|csrf|xsrf|api|id)[-_]token'
const PARAMETERS =
  'api[-_]?key|(?:(?:access|auth|id|refresh|session|security|x-amz-security)[-_]?)?token|(?:client[-_]?)?secret|sig|(?:x-amz-)?signature'
/** A quotation mark, also escaped. */
const QUOTE = String.raw`\\{0,3}["']?`

/** Blanks, also of a URL. */
const BLANKS = String.raw`(?:\s|%(?:25){0,3}20)+`

/** What a phrase introduces as secret. The first group of a pattern is not secret. */
const PHRASES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  new RegExp(String.raw`${START}\d{8,10}(?::|%(?:25){0,3}3[Aa])AA[\w-]{33}`, 'g'),
  new RegExp(String.raw`${START}(Bearer${BLANKS})[\w.~+/-]{16,}=*`, 'g'),
  new RegExp(String.raw`${START}(bearer${BLANKS})(?=[A-Za-z_.~+/-]*\d)[\w.~+/-]{16,}=*`, 'gi'),
  // Base64 has a digit, a capital inside or padding; a word after `basic` does not.
  new RegExp(
    String.raw`${START}((?:[Bb]asic|BASIC)${BLANKS})(?=[A-Za-z]*(?:\d|[a-z][A-Z]|=))[A-Za-z0-9+/]{8,}={0,2}`,
    'g',
  ),
  /(\w:(?:\\?\/){2}[^\s:@/\\]*:)[^\s/]+(?=@)/g,
  new RegExp(`((?:password|passwd|passphrase|pwd)=)${ASSIGNABLE}`, 'gi'),
  new RegExp(String.raw`((?:password|passwd|passphrase|pwd)\s?=\s?["']?)${PLAIN}{4,}`, 'gi'),
  // Not the cursors of lists: a model needs them for the next page.
  /((?<!(?:next|page|continuation|cursor|sync)[_-]?)(?:secret|token|api[_-]?key|access[_-]?key)\s?=\s?["']?)(?=[A-Za-z_+/.-]*\d)[\w+/.-]{12,}=*/gi,
  new RegExp(String.raw`(["'](?:${NAMED})["']\s?:\s?")${QUOTED}(?:\\.|[^\s"\\]){6,}(?=")`, 'gi'),
  new RegExp(String.raw`(["'](?:${NAMED})["']\s?:\s?')${QUOTED}(?:\\.|[^\s'\\]){6,}(?=')`, 'gi'),
  new RegExp(
    String.raw`(["'](?:${NAMED})\\{1,3}["']\s?:\s?\\{1,3}["'])${QUOTED}[^\s"'\\]{6,}`,
    'gi',
  ),
  new RegExp(`([?&](?:${PARAMETERS})=)${PLAIN}{4,}`, 'gi'),
  new RegExp(
    String.raw`((?:${HEADERS})${QUOTE}\s?:\s{0,4}${QUOTE}(?:[a-z][\w-]{0,20}\s{1,4}(?:token=)?${QUOTE})?)(?=[A-Za-z]{20}|[A-Za-z_.~+/=-]*\d)[\w.~+/=-]{8,}`,
    'gi',
  ),
]

const COOKIES = new RegExp(String.raw`cookie${QUOTE}\s?:\s{0,4}\[?${QUOTE}[^\r\n"'\\]*`, 'gi')
/** The value of a cookie, not of an attribute. */
const COOKIE =
  /([;:[\s"'](?!path=|domain=|expires=|max-age=|version=)[\w.-]{1,64}=)(?=[^;,\s]{16}|[^;,\s]*\d)[^;,\s]{6,}/gi

/** Whether a text may contain a token. The engine looks for the last character of a keyword, which is rare, and then back. */
const TOKEN = new RegExp(
  `[-_./AJ13](?<=${TOKENS.map(([keyword]) => literal(keyword)).join('|')})[\\w.+/=-]{8}|AIza`,
)
const PHRASE =
  /PRIVATE KEY|\d(?::|%(?:25){0,3}3[Aa])AA|(?:[Bb]earer|BEARER|[Bb]asic|BASIC)[\s%]|:(?:\\?\/){2}[^\s/]*@/
const ASSIGNED =
  /[=:](?<=(?:word|wd|phrase|secret|token|key|sig|signature)\s?=|(?:word|wd|phrase|secret|token|key|authorization|cookie)\\{0,3}["']?\s?:)/i

/** Masks the credentials in a text. A run of millions of characters exceeds the stack of the engine: such a text is masked whole. */
function maskCredentials(text: string): string {
  try {
    return maskPatterns(text)
  } catch (error) {
    if (error instanceof RangeError) return MASK
    throw error
  }
}

function maskPatterns(text: string): string {
  let masked = text
  if (TOKEN.test(text))
    for (const [keyword, pattern] of TOKENS)
      if (masked.includes(keyword)) masked = masked.replace(pattern, mask)
  if (!PHRASE.test(masked) && !ASSIGNED.test(masked)) return masked
  masked = masked.replace(COOKIES, cookies => cookies.replace(COOKIE, mask))
  return PHRASES.reduce((rest, pattern) => rest.replace(pattern, mask), masked)
}

/** Without a group, the second argument is the offset. */
const mask = (_: string, kept: string | number): string =>
  typeof kept === 'string' ? `${kept}${MASK}` : MASK

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
