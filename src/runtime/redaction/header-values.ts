/** The values of HTTP headers that hold credentials of any scheme: in a line, in a list, and beside a name. Cookies are handled apart. */

/** The cursors of lists stay. */
const HEADERS = [
  'authorization|(?:api|access|secret|private|subscription)[-_]?key',
  '(?:access|auth|private|security|session|refresh|csrf|xsrf|api|id)[-_]token',
  'x-auth-key|dd-application-key|job-token|x-(?!(?:next|page|continuation|cursor|sync)-)(?:[a-z]{1,20}-){1,3}(?:token|secret)',
].join('|')

/** A quotation mark, also escaped. */
export const QUOTE = String.raw`\\{0,3}["']?`
/** One that is not left out. */
export const QUOTED = String.raw`\\{0,3}["']`
/** Marks of Markdown, for bold text and code. */
const MARKS = String.raw`[*_\x60]{1,3}`
/** From the name of a header to its value. */
export const COLON = String.raw`(?:${QUOTE}|${MARKS})\s?:(?:\*\*|__)?\s{0,4}`
/** Before a text, also of the bytes of Python. */
const OPEN = `(?:b(?=["']))?${QUOTE}`

/** What ends the value of a header, in texts and in code. */
const NO_VALUE = String.raw`\s"'\\,;<>(){}[\]\x60`
const SCHEME = String.raw`(?:[a-z][\w-]{0,20}\s{1,4}(?:token=)?${QUOTE})?`
const VALUE = String.raw`(?=[A-Za-z]{20}|[^${NO_VALUE}\d]{0,200}\d)(?![$*%@]|\w{1,10}:\/\/)[^${NO_VALUE}]{8,}(?<!:)`

/** From one value of a list to the next. Go separates them with a blank. */
const NEXT = String.raw`${QUOTE}(?:,\s{0,60}|\s{1,60})${OPEN}${SCHEME}`
/** Before the values of a list that Go prints as its source. */
export const GO_LIST = String.raw`\[\](?:string|interface \{\})\{`
/** Before the values of a list of Go, Node.js and AWS Lambda, and of Java with `=`. */
const LIST = String.raw`(?:(?::\s{0,4}|=)\[|:\s{0,4}${GO_LIST})`
/** Between two fields of an object. */
export const COMMA = String.raw`\s{0,4}[,\n]\s{0,60}`

/** The first group of a pattern is not secret. */
export const HEADER_VALUES: readonly RegExp[] = [
  new RegExp(String.raw`((?:${HEADERS})${COLON}(?:${OPEN}|\x60)${SCHEME})${VALUE}`, 'gi'),
  // Of an index in source code.
  new RegExp(String.raw`((?:${HEADERS})["']\]\s?=\s?${OPEN}${SCHEME})${VALUE}`, 'gi'),
  new RegExp(
    String.raw`((?:${HEADERS})${QUOTE}\s?${LIST}\s{0,60}${OPEN}${SCHEME})${VALUE}(?:${NEXT}${VALUE}){0,20}`,
    'gi',
  ),
]

/** Headers of an HTTP archive: objects with a name and a value. */
export const HEADER_OBJECTS: readonly RegExp[] = [
  new RegExp(
    String.raw`((?:${HEADERS})${QUOTE}${COMMA}${QUOTE}value${QUOTE}\s?:\s{0,4}${QUOTE}${SCHEME})${VALUE}`,
    'gi',
  ),
  new RegExp(
    String.raw`(value${QUOTE}\s?:\s{0,4}${QUOTED}${SCHEME})${VALUE}(?=${QUOTED}${COMMA}${QUOTE}name${QUOTE}\s?:\s{0,4}${QUOTED}[\w-]{0,40}?(?:${HEADERS})${QUOTED})`,
    'gi',
  ),
]

/** Whether a text may contain such an object. */
export const NAMES_HEADER =
  /[,}\n](?<=(?:key|token|secret|authorization|cookie)\\{0,3}["']?\s{0,4}[,}\n])/i

/** A header of an HTTP archive as a value. */
export type Header = Readonly<{ name?: string; key?: string; value: string }>

const HEADER_NAME = new RegExp(`^[\\w-]{0,40}?(?:${HEADERS}|cookie)$`, 'i')

/** Whether a value is a header that holds a credential. */
export function isHeader(entry: object): entry is Header {
  const { name, key, value } = entry as Readonly<Record<keyof Header, unknown>>
  const header = name ?? key
  return typeof header === 'string' && typeof value === 'string' && HEADER_NAME.test(header)
}
