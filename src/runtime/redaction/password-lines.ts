/** Passwords of settings: `password: …` on a line of YAML, and in an object that Node.js prints, also behind what tools write before a line. */
import { PATH } from './secret-variables.ts'

/** The value of a key of YAML, or of an object that Node.js prints: a letter and a digit, up to the end of the line, or in quotes up to a comma or brace. A message has blanks, and a name has its digits after `_`, `-`, a dot or `[`. */
const wholeLine = (quote: string): string =>
  String.raw`(?![[<{$%*&!|>"'(]|${PATH}|(?:argon2|sha\d|pbkdf2|aes\d|oauth2)\w{0,5}(?![^\s"'\\])|[A-Za-z]+(?:[_.-][A-Za-z0-9]+)+(?![^\s"'\\])|[A-Za-z_][\w.]{0,60}\[\d{1,4}\](?![^\s"'\\]))(?=[^\s\d]*\d)(?=[^\sA-Za-z]*[A-Za-z])[^\s"'\\]{6,200}(?<![,;)])(?=${quote}[ \t]{0,20}(?:[ \t]#|[\r\n${quote && ',}'}]|$))`

/** All but signs, arrows, frames and emoji. */
const LETTER = String.raw`A-Za-z\xaa-\u1fff\u2c00-\ud7ff`
/** Words of prose are not what a tool writes. A number, a time and the name of a container have a digit, a file ends with a colon, and a mark has no letter. Kubernetes writes `stdout F` behind its times. */
const OF_TOOL = String.raw`(?=\S{0,200}?\d|[^\s./\\]{0,200}[./\\]{1,3}\w[^\s:]{0,200}:|\[\S{1,200}\]|(?:UTC|std(?:out|err)|[FP])[ \t]|(?![^\s${LETTER}]{0,200}[${LETTER}]))`
/** A word with one beginning and one end, which keeps the search linear. In quotes, a message may begin. */
const WORD = String.raw`${OF_TOOL}(?<!\S)[^\s"']{1,200}[ \t]{1,60}`
/** A word directly before the name, and the mark of a diff there. */
const LAST = String.raw`${OF_TOOL}(?<!\S)[^\s"']{0,200}[^\w\s.'"-]|(?<!\S)[^\w\s.'"${LETTER}-]{1,8}`
/** The commit of `git blame`, and a service of Docker Compose. */
const SOURCE = String.raw`\^?[\da-f]{7,40}[ \t][^()\r\n]{0,200}\([^()\r\n]{1,200}\)|[\w.@-]{1,80}[ \t]{0,60}[|│]`
const LINE_START = String.raw`(?:^|[\r\n])(?:${SOURCE})?[ \t]{0,60}(?:${WORD}){0,8}(?:${LAST})?`

/** The search begins at the colon. The first group of a pattern is not secret. */
export const PASSWORD_LINES: readonly RegExp[] = ['', '"', "'"].map(
  quote =>
    new RegExp(
      String.raw`(:(?=[ \t])(?<=(?:${LINE_START}${quote && String.raw`|[{,][ \t]{0,40}`})[\w.-]{0,80}(?:password|passwd|passphrase|pwd)[ \t]?:)[ \t]{1,4}${quote})${wholeLine(quote)}`,
      'gi',
    ),
)
