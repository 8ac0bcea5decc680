/** The published formats of credentials. Values without a format, such as a password in a sentence, cannot be recognized. Most texts are not searched further than one test. */
import { ASSIGNED_PASSWORDS, ASSIGNS_PASSWORD } from './assigned-passwords.ts'
import { CODE_SECRETS, HAS_CODE } from './code-secrets.ts'
import { cookiesIn } from './cookies.ts'
import { type Span, spansOf } from './mask.ts'
import { spansBelowStyles } from './styled.ts'
import { HEADER_OBJECTS, HEADER_VALUES, NAMES_HEADER } from './header-values.ts'
import { PASSWORD_LINES } from './password-lines.ts'
import { ASSIGNMENTS, ASSIGNS, GAP, PATH, PLAIN, random } from './secret-variables.ts'
import { formatsIn, START } from './token-formats.ts'

/** The text between two quotes. A text with blanks may be a message about the field. */
const QUOTED = String.raw`(?!(?:string|null|none|required|optional|unknown|enabled|disabled|your[_-][\w-]*|\*+|\$\{\w+\}|\$[a-z_]{1,60}\d{0,2}|\{\{[^{}]*\}\})["'\\])`
const NAMED =
  'pass(?:word|wd|phrase)|(?:client|aws)?_?secret(?:_?access)?_?(?:key)?|(?:access|auth|refresh)_?token|api_?key'

/** One blank or line break, or a column. */
const BLANK = String.raw`(?:${GAP}|\s)`

/** What a name asks or does about a password or a secret: `has_password`, `resetPassword`. */
const VERB =
  'has|is|use|show|hide|needs?|reset|change|forgot|forgotten|requires?|allow|invalid|wrong|missing'
/** The quoted name before a colon, with one of these at its end: `"db_password":`, `'smtpPassword':`, `"spring.datasource.password":`. */
const named = (ends: string): string =>
  String.raw`:(?<=["'][\w.-]{0,40}(?<!["'_.-](?:${VERB})[_-]?)(?:${ends})["']${BLANK}:)${BLANK}`
// `PWD` and `OLDPWD` are folders of a shell.
const PASSWORD_NAMED = named(`password|passwd|passphrase|(?<!["'](?:old)?)pwd`)
const SECRET_NAMED = named('secret(?:_?(?:access_?)?key)?|(?:access|auth|refresh)_?token|api_?key')

const PARAMETERS =
  'api[-_]?key|(?:(?:access|auth|id|refresh|session|security|x-amz-security)[-_]?)?token|(?:client[-_]?)?secret|sig|(?:x-(?:amz|goog)-)?signature'
/** Blanks, also of a URL. */
const BLANKS = String.raw`(?:\s|%(?:25){0,3}20)+`

/** A value of a number or an id and a secret, as in `12|…` of Laravel Sanctum and `id:secret`. */
const JOINT = String.raw`[|:](?=\w)`

/** What a phrase introduces as secret. The first group of a pattern is not secret. */
const PHRASES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /---- BEGIN SSH2 [A-Z ]*PRIVATE KEY ----[\s\S]*?(?:---- END SSH2 [A-Z ]*PRIVATE KEY ----|$)/g,
  // A key of PuTTY.
  /(Private-Lines: \d{1,4})(?:\s+[A-Za-z0-9+/]{1,76}={0,2}(?!\S))+/g,
  new RegExp(String.raw`${START}(bot)?\d{8,10}(?::|%(?:25){0,3}3[Aa])AA[\w-]{33}`, 'g'),
  // A bot of Discord: its number in base64, a time, and a signature.
  new RegExp(String.raw`${START}[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,40}`, 'g'),
  // A key of Mailchimp with its data center.
  new RegExp(String.raw`${START}[\da-f]{32}-us\d{1,2}(?![A-Za-z0-9])`, 'g'),
  new RegExp(String.raw`${START}(Bearer${BLANKS})(?:[\w.~+/-]|${JOINT}){16,}=*`, 'g'),
  new RegExp(
    String.raw`${START}(bearer${BLANKS})(?=[A-Za-z_.~+/-]*\d)(?:[\w.~+/-]|${JOINT}){16,}=*`,
    'gi',
  ),
  // Base64 has a digit, a capital inside or padding; a word after `basic` does not.
  new RegExp(
    String.raw`${START}((?:[Bb]asic|BASIC)${BLANKS})(?=[A-Za-z]*(?:\d|[a-z][A-Z]|=))[A-Za-z0-9+/]{8,}={0,2}`,
    'g',
  ),
  // The name of a user may contain `@`.
  /(\w:(?:\\?\/){2}[^\s:/\\]*:)(?!\*+@)[^\s/]+(?=@)/g,
  // A proxy without a scheme.
  /((?:https?|all|ftp)[-_]proxy\s?[=:]\s?["']?[\w.%+-]{1,60}:)(?!\*+@|\/)[^\s/@"']{1,200}(?=@)/gi,
  /((?:Account|SharedAccess)Key\s?=\s?)[A-Za-z0-9+/]{40,}={0,2}/gi,
  ...PASSWORD_LINES,
  // Not the cursors of lists: a model needs them for the next page.
  new RegExp(
    String.raw`((?<!(?:next|page|continuation|cursor|sync)[_-]?)(?:secret|token|api[_-]?key|access[_-]?key)${BLANK}=${BLANK}["']?)(?=[A-Za-z_+/.:|-]*\d)(?:[\w+/.-]|${JOINT}){12,}=*`,
    'gi',
  ),
  new RegExp(
    String.raw`(["'](?:${NAMED})["']${BLANK}:${BLANK}")${QUOTED}(?:\\.|[^\s"\\]){6,}(?=")`,
    'gi',
  ),
  new RegExp(String.raw`(["'](?:${NAMED})["']\s?:\s?')${QUOTED}(?:\\.|[^\s'\\]){6,}(?=')`, 'gi'),
  ...['"', "'"].flatMap(quote => [
    new RegExp(
      String.raw`(${PASSWORD_NAMED}${quote})(?!\w+:\/\/|${PATH})${QUOTED}(?:\\.|[^\s${quote}\\]){6,}(?=${quote})`,
      'gi',
    ),
    new RegExp(
      String.raw`(${SECRET_NAMED}${quote})${random(quote)}${QUOTED}[^\s${quote}\\]{8,}(?=${quote})`,
      'gi',
    ),
  ]),
  new RegExp(
    String.raw`(["'](?:${NAMED})\\{1,3}["']\s?:\s?\\{1,3}["'])${QUOTED}[^\s"'\\]{6,}`,
    'gi',
  ),
  new RegExp(`([?&](?:${PARAMETERS})=)${PLAIN}{4,}`, 'gi'),
  ...HEADER_VALUES,
]

const PHRASE =
  /[-_](?:proxy|PROXY)\s?[=:]|PRIVATE KEY|Private-Lines|[\da-f]-us\d|[\w-]\.[\w-]{6}\.[\w-]{27}|\d(?::|%(?:25){0,3}3[Aa])AA|(?:[Bb]earer|BEARER|[Bb]asic|BASIC)[\s%]|:(?:\\?\/){2}[^\s/]*@/
const ASSIGNED =
  /[=:](?<=(?:word|wd|phrase|secret|token|key|sig|signature|authorization|cookie)(?:[ \t]{0,60}|\s)=|(?:word|wd|phrase|secret|token|key|authorization|cookie)(?:\\{0,3}["']?|[*_\x60]{1,3})(?:[ \t]{0,60}|\s):|(?:key|token|secret|authorization)["']\]\s?=)/i

/** The credentials in a text, also below the colors of a terminal. */
export const credentialsIn = (text: string): readonly Span[] => [
  ...plainIn(text),
  ...spansBelowStyles(text, plainIn),
]

function plainIn(text: string): readonly Span[] {
  const hasPhrase = PHRASE.test(text) || ASSIGNED.test(text)
  const hasHeader = NAMES_HEADER.test(text)
  const patterns = [
    ...formatsIn(text),
    ...(hasPhrase ? PHRASES : []),
    ...(hasHeader ? HEADER_OBJECTS : []),
    ...(ASSIGNS.test(text) ? ASSIGNMENTS : []),
    ...(ASSIGNS_PASSWORD.test(text) ? ASSIGNED_PASSWORDS : []),
    ...(HAS_CODE.test(text) ? CODE_SECRETS : []),
  ]
  // Most texts end here.
  if (patterns.length === 0) return []
  const spans = patterns.flatMap(pattern => spansOf(pattern, text))
  return hasPhrase || hasHeader ? [...spans, ...cookiesIn(text)] : spans
}
