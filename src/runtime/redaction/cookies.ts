/** The values of cookies in headers: in a line, in quotes, and in lists. */
import { COLON, COMMA, GO_LIST, QUOTE, QUOTED } from './header-values.ts'
import { type Span, spansOf } from './mask.ts'

/** The text between the quotation marks of a cookie. A backslash may escape any other character. */
const QUOTED_COOKIE = String.raw`(?:\\{0,3}[^\r\n"\\])`
const QUOTED_VALUE = String.raw`(?<==)\\{0,3}"${QUOTED_COOKIE}*(?:\\{0,3}")?`
const COOKIE_TEXT = String.raw`[^\r\n"'\\]|${QUOTED_VALUE}`
/** From one quoted header of a list to the next. */
const NEXT_COOKIES = String.raw`\\{0,3}["']\s{0,20},\s{0,20}\\{0,3}["']`

const HEADERS: readonly RegExp[] = [
  new RegExp(
    String.raw`cookie${COLON}(?:${GO_LIST}|\[)?(?:\s{0,20}\\{0,3}["'](?:${COOKIE_TEXT}|${NEXT_COOKIES})*|(?:${COOKIE_TEXT})*)`,
    'gi',
  ),
  // A list of Java, up to its bracket. A cookie may contain one, too.
  new RegExp(
    String.raw`cookie=\[(?=[\w.-]{1,64}=)(?:[^\r\n"'\\\]]|\](?=[\w%+/=~.-])|${QUOTED_VALUE})*`,
    'gi',
  ),
  // Of an HTTP archive: objects with a name and a value, which joins several headers with line breaks.
  new RegExp(
    String.raw`cookie${QUOTED}${COMMA}${QUOTE}value${QUOTE}\s?:\s{0,4}${QUOTED}(?:${COOKIE_TEXT}|\n(?=[\w.-]{1,64}=))*`,
    'gi',
  ),
  new RegExp(
    String.raw`value${QUOTE}\s?:\s{0,4}(?:"(?:[^\r\n"\\]|\\.){0,8000}"|'[^\r\n'\\]{0,8000}')(?=${COMMA}${QUOTE}name${QUOTE}\s?:\s{0,4}["'](?:set-)?cookie["'])`,
    'gi',
  ),
]

/** The value of a cookie with its quotation marks, not of an attribute. */
const COOKIE = new RegExp(
  String.raw`([;:[\s"'\x60](?!path=|domain=|expires=|max-age=|version=)[\w.-]{1,64}=)(?:(?=[^;,\s"']{16}|[^;,\s"']*\d)[^;,\s"'\\]{6,}(?<!\x60)|\\{0,3}"(?=[^"]{16}|[^"\d]*\d)${QUOTED_COOKIE}{6,}(?:\\{0,3}")?)`,
  'gi',
)

export const cookiesIn = (text: string): readonly Span[] =>
  HEADERS.flatMap(headers => spansOf(headers, text)).flatMap(([from, to]) =>
    spansOf(COOKIE, text.slice(from, to)).map(([start, end]): Span => [from + start, from + end]),
  )
