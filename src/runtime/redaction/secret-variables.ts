/** Variables whose names say that they hold secrets: of the environment, and assigned in a text. */

import { isSecret } from './secret-names.ts'

/** The values of environment variables whose names say that they hold secrets. */
export function secretsIn(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value && isSecret(name, value) ? [value] : [],
  )
}

/** No code and no placeholder. */
export const PLAIN = String.raw`(?!=|(?:null|true|false|none|undefined|string|process|os|env)\b|your[_-]|[\w.]*[([])[^\s"'&,;<>(){}$*[\]\\]`

/** The value of a variable, up to the blank, the quote or the next assignment. A whole placeholder or a call is none. */
export const assignable = (least: number): string =>
  String.raw`(?!=|(?:null|true|false|none|undefined|string|\*+|\$\{?\w+\}?|%\w+%|[a-z_][\w.]*\([^()\s]*\))(?![^\s"',;&)])|(?:process|os|env)\b|your[_-]|\$\(|[{<])(?:(?![,;&)](?:\s|$|[\w ]{1,40}=)|\\{1,8}[nrt"']|</)[^\s"']){${least},1000}`

/** What may follow in the name of a secret. Other words name a property of it: `KEY_ID`, `TOKEN_URL`. */
const VARIANT =
  '(?:_(?:BASE(?:64)?|B64|HEX|V?\\d{1,3}|PROD(?:UCTION)?|LIVE|TEST|DEV|STAGING|OLD|NEW))?'
/** Keys that are public, or that find something. */
const OPEN_KEY =
  'PUB|PUBLIC|PUBLISHABLE|SITE|PRIMARY|FOREIGN|UNIQUE|SORT|PARTITION|ROUTING|CACHE|OBJECT|IDEMPOTENCY'
/** Tokens that a model needs for the next page of a list. */
const CURSOR = 'NEXT|PAGE|CONTINUATION|CURSOR|SYNC'
export const PASSWORD = `(?:PASSW(?:OR)?D|PASSPHRASE|_PASS|_PWD)${VARIANT}`
export const SECRET = `(?:(?<!(?:${OPEN_KEY})_?)KEYS?|(?<!(?:${CURSOR})_?)TOKENS?|SECRETS?|CREDENTIALS?|_AUTH|_PAT)${VARIANT}`

/** A path, which names a file with a secret. */
export const PATH = String.raw`(?:~|\.{1,2}|[A-Za-z]:)?[\\/]\.?[A-Za-z][\w-]*[\\/.]`
/** Short words between signs: a name, a number of a resource, an address without a password. */
const WORDS = String.raw`[A-Za-z]{1,40}(?:[_.:/-]{1,3}[A-Za-z0-9]{1,12}){1,20}(?![^\s"',;&)\x60])`
/** A secret has a letter and a digit. */
export const random = (others: string): string =>
  String.raw`(?!\$|[[(^\x60]|[A-Za-z_][\w.]{0,60}[([]|${PATH}|${WORDS}|\w+:\/\/)(?=[^\s\d${others}]{0,60}\d)(?=[^\sA-Za-z${others}]{0,60}[A-Za-z])`

/** The `=` of a Makefile may follow `:` or `?`. */
const EQUALS = String.raw`[ \t]{0,4}[:?]?=`
/** Before the name of a variable that begins its line, or follows what `grep`, `diff` and a log write there. In code, a word such as `const` does. */
const LINE_START = String.raw`(?:^[ \t]{0,20}|[^\w \t]|[^A-Za-z \t][ \t]{1,20}|\d ?(?:Z|UTC)(?: std(?:out|err) [FP])?[ \t]{1,20}|(?:export|set|ENV)[ \t]{1,4})`
/** A value without quotes behind a blank is the rest of its line: settings and code look alike. */
const LINE_END = String.raw`(?=[ \t]{0,20}(?:[ \t][#;]|[\r\n"'\x60]|$))`
const assigned = (name: string): string =>
  String.raw`(=(?<=${LINE_START}\w{0,60}${name}(?:[ \t]{1,4}[:?]?|[:?])=)[ \t]{0,4})${random(`"'`)}`
/** Not a word with a number, such as the name of another variable, and not a number of C. */
export const mixed = (others: string): string =>
  String.raw`(?!0[xX][\dA-Fa-f]{1,16}(?!\w))(?=[^\s${others}]{16}|[^\s\d${others}]{0,60}\d{1,60}[^\s\d${others}]{1,60}\d)`

/** Values that a text assigns to variables with names in upper case. The search begins at `=` or `:`, which are rare. */
export const ASSIGNMENTS: readonly RegExp[] = [
  new RegExp(`(=(?<=${PASSWORD}=)["']?)(?!${PATH})${assignable(6)}`, 'g'),
  new RegExp(`(=(?<=${SECRET}=))${random(`"'`)}${assignable(8)}`, 'g'),
  new RegExp(`${assigned(PASSWORD)}${assignable(6)}${LINE_END}`, 'g'),
  new RegExp(`${assigned(SECRET)}${mixed('')}${assignable(8)}${LINE_END}`, 'g'),
  ...['"', "'"].flatMap(quote => [
    // Of several values, too.
    new RegExp(
      String.raw`(=(?<=${SECRET}${EQUALS})[ \t]{0,4}${quote})${random(quote)}[^\s${quote}]{8,1000}(?:\s{1,4}${random(quote)}[^\s${quote}]{8,1000}){0,100}`,
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
