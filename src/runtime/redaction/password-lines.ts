/** Passwords of settings: `password: …` on a line of YAML, and in an object that Node.js prints, also behind what tools write before a line. */
import { CALL, FIELD, NAME_LIKE, reference } from './references.ts'
import { anyCase, PATH, PASSWORDS } from './secret-variables.ts'

/** A byte order mark and a no-break space are among them. */
const BLANK = String.raw`[^\S\r\n]`
/** The names of algorithms have digits, too. */
const ALGORITHM = anyCase(
  String.raw`(?:argon2|pbkdf2|scrypt|bcrypt|(?:hmac-?)?sha-?\d|aes-?\d|oauth2)`,
)
/** In code and in a schema, not in quotes. */
const UNQUOTED = String.raw`[!*&][A-Za-z_-]+\d?(?![^\s"'\\])|[[{][^\s"']{0,200}[\]}](?![^\s"'\\])|${CALL}|[\w.]{1,100}[,;](?![^\s"'\\])|`

/** The value of a key of YAML, or of an object that Node.js prints: a letter and a digit, up to the end of the line, or in quotes up to a comma or brace. A message has blanks. */
const wholeLine = (quote: string): string => {
  const end = quote ? `(?=${quote})` : String.raw`(?![^\s"'\\])`
  const sign = String.raw`[^\s${quote || `"'`}\\]`
  const kept = String.raw`${reference(end)}|${quote ? '' : UNQUOTED}${PATH}|(?:${ALGORITHM}[\w-]{0,12}|${NAME_LIKE}|[A-Za-z_][\w.]{0,60}\[\d{1,4}\])${end}|${FIELD}`
  return String.raw`(?!${kept})(?=[^\s\d]*\d)(?=[^\sA-Za-z]*[A-Za-z])(?:${sign}${quote && String.raw`|\\.`}){6,200}(?=${quote}${BLANK}{0,20}(?:${BLANK}#|[\r\n${quote && ',})'}]|$))`
}

/** All but signs, arrows, frames and emoji. */
const LETTER = String.raw`A-Za-z\xaa-\u1fff\u2c00-\ud7ff`
/** Words of prose are not what a tool writes. A number, a time and the name of a container have a digit, a file ends with a colon, and a mark has no letter. Kubernetes writes `stdout F` behind its times. */
const OF_TOOL = String.raw`(?=\S{0,200}?\d|[^\s./\\]{0,200}[./\\]{1,3}\w[^\s:]{0,200}:|\[\S{1,200}\]|(?:UTC|std(?:out|err)|[FP])${BLANK}|(?![^\s${LETTER}]{0,200}[${LETTER}]))`
/** A word with one beginning and one end, which keeps the search linear. In quotes, a message may begin. */
const WORD = String.raw`${OF_TOOL}(?<!\S)[^\s"']{1,200}${BLANK}{1,60}`
/** A word directly before the name, and the mark of a diff there. */
const LAST = String.raw`${OF_TOOL}(?<!\S)[^\s"']{0,200}[^\w\s.'"-]|(?<!\S)[^\w\s.'"${LETTER}-]{1,8}`
/** The commit of `git blame`, and a service of Docker Compose. */
const SOURCE = String.raw`\^?[\da-f]{7,40}${BLANK}[^()\r\n]{0,200}\([^()\r\n]{1,200}\)|[\w.@-]{1,80}${BLANK}{0,60}[|│]`
const LINE_START = String.raw`(?:^|[\r\n])(?:${SOURCE})?${BLANK}{0,60}(?:${WORD}){0,8}(?:${LAST})?`

/** The search begins at the colon. The first group of a pattern is not secret. */
export const PASSWORD_LINES: readonly RegExp[] = ['', '"', "'"].map(
  quote =>
    new RegExp(
      String.raw`(:(?=${BLANK})(?<=(?:${LINE_START}${quote && `|[{,]${BLANK}{0,40}`})[\w.-]{0,80}${PASSWORDS}${BLANK}?:)${BLANK}{1,100}${quote})${wholeLine(quote)}`,
      'g',
    ),
)
