/** Variables whose names say that they hold secrets: of the environment, and assigned in a text. */

import { CALL, FIELD, NAME_LIKE, PATTERN, reference } from './references.ts'
import { isSecret } from './secret-names.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The values of environment variables whose names say that they hold secrets. */
export function secretsIn(environment: Environment): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value && isSecret(name, value) ? [value] : [],
  )
}

/** A part of a pattern for letters in either case. */
export const anyCase = (part: string): string =>
  part.replaceAll(/(?<!\\)[a-z]/g, letter => `[${letter}${letter.toUpperCase()}]`)

/** No code and no placeholder. */
export const PLAIN = String.raw`(?!=|(?:null|true|false|none|undefined|string|process|os|env)\b|your[_-]|[\w.]*[([])[^\s"'&,;<>(){}$*[\]\\]`

/** What ends a value without quotes, besides a blank. */
export const QUOTES = `"'`
/** Where the value of a variable ends without quotes. */
export const VALUE_END = String.raw`(?![^\s"',;&)\x60]|[,;&)](?!$|[\s"',;&)\]}>:.\x60]|[\w ]{1,40}=))`
const NOTHING = anyCase('(?:null|true|false|none|undefined|string)')
/** The value of a variable, up to the blank, the quote or the next assignment. A whole placeholder or a call is none. */
export const assignable = (least: number): string =>
  String.raw`(?!=|(?:${NOTHING}|[A-Za-z_][\w.]*\([^()\s]*\))(?![^\s"',;&)])|${reference(VALUE_END)}|(?:process|os|env)\b|[Yy]our[_-]|YOUR[_-]|\{\{)(?:(?![,;&)](?:\s|$|[\w ]{1,40}=)|\\{1,8}[nrt"']|</)[^\s"']){${least},1000}`

/** What may follow in the name of a secret. Other words name a property of it: `KEY_ID`, `TOKEN_URL`. */
const VARIANT =
  '(?:_(?:BASE(?:64)?|B64|HEX|V?\\d{1,3}|PROD(?:UCTION)?|LIVE|TEST|DEV|STAGING|OLD|NEW))?'
/** Keys that are public, or that find something. */
const OPEN_KEY =
  'PUB|PUBLIC|PUBLISHABLE|SITE|PRIMARY|FOREIGN|UNIQUE|SORT|PARTITION|ROUTING|CACHE|OBJECT|IDEMPOTENCY'
/** Tokens that a model needs for the next page of a list. */
const CURSOR = 'NEXT|PAGE|CONTINUATION|CURSOR|SYNC'
/** Names of passwords, also with words before them: `dbPassword`. */
export const PASSWORDS = anyCase('(?:password|passwd|passphrase|pwd)')
export const PASSWORD = `(?:PASSW(?:OR)?D|PASSPHRASE|_PASS|_PWD)${VARIANT}`
export const SECRET = `(?:(?<!(?:${OPEN_KEY})_?)KEYS?|(?<!(?:${CURSOR})_?)TOKENS?|SECRETS?|CREDENTIALS?|_AUTH|_PAT)${VARIANT}`

/** A path, which names a file with a secret. */
export const PATH = String.raw`(?:~|\.{1,2}|[A-Za-z]:)?[\\/]\.?[A-Za-z][\w-]*[\\/.]`
/** Four or more groups of equal length, as a license has them, and a UUID. */
const GROUPS = `(?:${[4, 5, 6, 7, 8].map(size => `(?:[A-Z\\d]{${size}}-){3,8}[A-Z\\d]{${size}}`).join('|')}|[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12})(?![\\w-])`
/** Short words between signs: a name, a number of a resource, an address without a password. */
const WORDS = `(?!${GROUPS})[A-Za-z]{1,40}(?:[_.:/-]{1,3}[A-Za-z0-9]{1,12}){1,20}${VALUE_END}`
/** A letter and a digit, and neither one of `names` nor a reference up to `end`. */
const secretLike = (others: string, end: string, names: string): string =>
  String.raw`(?!\$[{(]|${PATTERN}|${reference(end)}|${CALL}|${PATH}|${names}|\w+:\/\/)(?=[^\s\d${others}]{0,60}\d)(?=[^\sA-Za-z${others}]{0,60}[A-Za-z])`
const endOf = (others: string): string => (others === QUOTES ? VALUE_END : `(?=[${others}])`)
/** A secret, up to one of the `others`. */
export const random = (others: string, end = endOf(others)): string =>
  secretLike(others, end, WORDS)
/** A password, which people choose: `Winter-2024` is one. */
export const chosen = (others: string, end = endOf(others)): string =>
  secretLike(others, end, NAME_LIKE + end)

/** Formatters align values in columns. */
export const GAP = String.raw`[ \t]{0,60}`
/** The `=` of a Makefile may follow `:` or `?`. */
const EQUALS = `${GAP}[:?]?=`
/** Before the name of a variable that begins its line, or follows what `grep`, `diff` and a log write there. In code, a word such as `const` does. */
const LINE_START = String.raw`(?:^[ \t]{0,20}|[^\w \t]|[^A-Za-z \t][ \t]{1,20}|\d ?(?:Z|UTC)(?: std(?:out|err) [FP])?[ \t]{1,20}|(?:export|set|ENV)[ \t]{1,4})`
/** A value without quotes behind a blank is the rest of its line: settings and code look alike. */
const LINE_END = String.raw`(?=[ \t]{0,20}(?:[ \t][#;]|[\r\n"'\x60]|$))`
/** Up to there, with all signs. Fields and names with a comma or a semicolon are code, and `==` compares. */
export const restOfLine = (least: number): string =>
  String.raw`(?!(?<==)=|=\s|${FIELD}|[\w.$]{1,100}[,;)](?![^\s"'\x60])|(?:process|os|env)\b|your[_-]|YOUR[_-])(?:(?!\\{1,8}[nrt"'])[^\s"']){${least},1000}${LINE_END}`
/** Behind a name at the beginning of its line or text, also a value that begins with `=`. */
const wholeEntry = (name: string, value: string): string =>
  String.raw`(=(?<=(?:^|[\r\n"'])(?:(?:export|set|ENV)[ \t])?\w{0,60}${name}=))=?${value}`
const assigned = (name: string, value: string): string =>
  String.raw`(=(?<=${LINE_START}\w{0,60}${name}(?:[ \t]{1,60}[:?]?|[:?])=)${GAP})${value}`
/** Not a word with a number, such as the name of another variable, and not a number of C. */
export const mixed = (others: string): string =>
  String.raw`(?!0[xX][\dA-Fa-f]{1,16}(?!\w))(?=[^\s${others}]{16}|[^\s\d${others}]{0,60}\d{1,60}[^\s\d${others}]{1,60}\d)`

/** Values that a text assigns to variables with names in upper case. The search begins at `=` or `:`, which are rare. */
export const ASSIGNMENTS: readonly RegExp[] = [
  new RegExp(`(=(?<=${PASSWORD}=)["']?)(?!${PATH})${assignable(6)}`, 'g'),
  new RegExp(`(=(?<=${SECRET}=))${random(QUOTES)}${assignable(8)}`, 'g'),
  new RegExp(`${assigned(PASSWORD, chosen(QUOTES))}${restOfLine(6)}`, 'g'),
  new RegExp(`${assigned(SECRET, random(QUOTES))}${mixed('')}${restOfLine(8)}`, 'g'),
  // The rest of a line or a text that begins with the name.
  new RegExp(`${wholeEntry(PASSWORD, chosen(QUOTES))}(?!${PATH})${restOfLine(6)}`, 'g'),
  new RegExp(`${wholeEntry(SECRET, random(QUOTES))}${restOfLine(8)}`, 'g'),
  // Of an item in JSON, with escaped quotation marks.
  ...[[PASSWORD, chosen] as const, [SECRET, random] as const].map(
    ([name, valueOf]) =>
      new RegExp(
        String.raw`(=(?<=(?<!\\)"\w{0,60}${name}=))=?${valueOf('', '(?=")')}(?:\\["\\/u]|[^\s"\\]){8,1000}(?=")`,
        'g',
      ),
  ),
  ...['"', "'"].flatMap(quote => [
    // Of several values, too.
    new RegExp(
      String.raw`(=(?<=${SECRET}${EQUALS})${GAP}${quote})${random(quote)}[^\s${quote}]{8,1000}(?:\s{1,4}${random(quote)}[^\s${quote}]{8,1000}){0,100}`,
      'g',
    ),
    // In JSON.
    new RegExp(
      String.raw`(:(?<=(?:${PASSWORD}|${SECRET})["']\s?:)\s?${quote})${random(quote)}[^\s${quote}\\]{8,1000}(?=${quote})`,
      'g',
    ),
  ]),
]

/** Whether a text may assign a secret. */
export const ASSIGNS = new RegExp(
  String.raw`[=:](?<=(?:${PASSWORD}|${SECRET})(?:${EQUALS}|["']\s?:))`,
)
