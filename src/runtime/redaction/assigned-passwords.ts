/** Passwords that settings and source code assign: `password = "…"` with any signs in the quotes, `password = …` to the end of a line, and the new value of a plan (`"old" -> "new"`). */
import { ARRAY, INDEX, open, TYPE } from './code-secrets.ts'
import { CALL, FIELD, PATTERN, reference } from './references.ts'
import {
  anyCase,
  assignable,
  chosen,
  GAP,
  PASSWORD,
  PASSWORDS,
  PLAIN,
  QUOTES,
  random,
  restOfLine,
  SECRET,
  VALUE_END,
} from './secret-variables.ts'

const SECRETS = anyCase('(?:secret|token|api[-_]?key|access[-_]?key)')
const NAME = `(?:${PASSWORDS}|${PASSWORD})`

/** Before the `=`, in Go, a Makefile, PHP, JavaScript and Ruby. */
const SIGN = String.raw`(?:[:?+]|\|\||\?\?)?`

/** `PWD` and `OLDPWD` of a shell and `$pwd` of PowerShell are folders. */
const FOLDER = String.raw`(?<=(?:^|[\s"'])\$?(?:${anyCase('old')})?${anyCase('pwd')}${GAP}=${GAP}["']?)(?:\/|[A-Za-z]:[\\/])`
/** A text of Python or C# with values inside, whose other parts have no digit: `f"{ada['name']}"`. */
const interpolated = (quote: string): string =>
  String.raw`(?<=[fF$][rR@]?(?:${quote}{2})?${quote})(?:[^{}\d${quote}\r\n]{0,60}\{[A-Za-z_(][^{}${quote}\r\n]{0,200}\}){1,10}[^{}\d${quote}\r\n]{0,60}${quote}`
/** The quotation mark was the end of a text, and code or JSON follows: `"password=" + given + "&"`. */
const CODE_BEHIND = String.raw`\s|[,;:)\]}]{1,4}(?:\s|\.[A-Za-z]|["'])|[.+&|,][A-Za-z_$][\w$.()[\]]{0,200}(?:[.+&|,][ \t]?["']|[;)](?:[ \t]|$))|\)\[[\w:-]{1,20}\]|[^\w\x80-\uffff]{1,60}["']`
/** The other quotation mark ends the text around the name: `"password = '" + given + "'"`, `grep 'password = "' src`. A password may begin with it, and has no such sign behind it. */
const enclosing = (other: string): string => String.raw`${other}(?:(?!\w)|\w{1,40}[ \t(.])`
/** A pattern that also ends like one. A password may begin like it. */
const patternTo = (quote: string): string =>
  String.raw`(?=[^${quote}\r\n]{1,200}[$)\]+*/}]${quote})${PATTERN}`
/** What a form says about its field: words, of which a passphrase has none like these. */
const TOPIC =
  'passwords?|passphrase|must|should|cannot|required|invalid|incorrect|wrong|missing|enter|please|your|characters|confirm'
const MESSAGE = String.raw`(?=[^"'\r\n]{0,200}[ \t])(?=(?:[^"'\r\n]{0,200}[^\w"'\r\n])?${anyCase(`(?:${TOPIC})`)}(?!\w))(?:[A-Za-z]{1,20}|\d{1,3})(?:[,.:;]?[ \t](?:[A-Za-z]{1,20}|\d{1,3})){1,30}[,.:!?… ]{0,4}["']`

/** Without a closing quotation mark on its line, a text that begins like code is code. */
const UNCLOSED = String.raw`(?![.+&|,:;)\]}])`
/** The rest of output that was cut: the last word of the text, or one with a letter and a digit at the end of its line. */
const cut = (size: string): string =>
  String.raw`[^\s"']${size}$|(?=[^\s\d]{0,60}\d)(?=[^\sA-Za-z]{0,60}[A-Za-z])[^\s"']${size}(?=[\r\n])`

const assignedIn = (quote: string): readonly string[] => {
  const other = quote === '"' ? "'" : '"'
  const kept = `(?!${reference(`(?=${quote})`)}|${CODE_BEHIND}|${enclosing(other)}|${interpolated(quote)}|${patternTo(quote)}|${MESSAGE}|${FOLDER})`
  const text = (least: number) => {
    const size = `{${least},4000}`
    // A doubled quotation mark is one of SQL, YAML and CSV. Where the backslash escapes nothing, the text ends with one.
    const closed = String.raw`(?:\\.|${quote}${quote}(?=[^${quote}\s,:;)\]}])|[^${quote}\\\r\n])${size}(?=${quote})|[^${quote}\r\n]${size}(?=${quote})`
    return `(?:${closed}|${UNCLOSED}(?:${cut(size)}|${PLAIN}{4,}))`
  }
  const old = String.raw`"(?:[^"\r\n]|(?<=\\)"){0,300}"`
  const changed = (name: string) => `->(?<=${name}["']?${GAP}=${GAP}${old}${GAP}->)${GAP}${quote}`
  return [
    String.raw`(=(?<=${PASSWORDS}(?:\[\])?${GAP}${SIGN}=)${GAP}(?:\r?\n[ \t]{1,40})?${open(quote)})${kept}${text(4)}`,
    `(=(?<=${PASSWORD}["']?${GAP}${SIGN}=)${GAP}${open(quote)})${kept}${text(6)}`,
    `(=(?<=${NAME}(?:${INDEX}|${TYPE}|${ARRAY})${GAP}=)${GAP}${open(quote)})${chosen(quote)}${kept}${text(6)}`,
    `(${changed(NAME)})${kept}${text(4)}`,
    `(${changed(`(?:${SECRETS}|${SECRET})`)})${random(quote)}${kept}${text(8)}`,
  ]
}

/** Of a connection string with blanks. */
const BEFORE_NEXT = String.raw`(?=;[ \t]{0,4}[A-Za-z][\w ]{0,40}=)`
/** Behind these words, only a text in quotes is a password. */
const DECLARED = String.raw`(?<!(?<!\w)(?:const|let|var|val|auto)[ \t]{1,4}[\w$]{0,60})`
/** The field is itself the value of one: `this.settings.password = this.password = given`. */
const CHAINED = String.raw`(?<!=[ \t]{1,4}[A-Za-z_$][\w$]{0,60}\.[\w$.]{0,80})`
/** Behind its `=`, a value without quotes that is neither code nor a placeholder. */
const unquoted = (gap: string): string =>
  String.raw`(=(?<=${DECLARED}${CHAINED}${PASSWORDS}${gap}=)(?:${GAP}|\s))(?!${reference(VALUE_END)}|${PATTERN}|${CALL}|${FIELD}|${FOLDER})`

/** The search begins at signs that seldom follow a name. The first group of a pattern is not secret. */
export const ASSIGNED_PASSWORDS: readonly RegExp[] = [
  ...['"', "'"].flatMap(assignedIn),
  `${unquoted(String.raw`(?:${GAP}[:?]?|\s)`)}${PLAIN}{4,}`,
  `(=(?<=${PASSWORDS}=))(?!${FOLDER})${assignable(4)}`,
  // Of a file of properties, not of a form: `password=x&user=ada`.
  String.raw`(=(?<=(?:^|[\r\n])[\w.-]{0,80}${PASSWORDS}=))=?(?![\w.%+-]{0,200}(?:&[\w.-]{1,60}=[\w.%+-]{0,200}){1,20}(?!\S)|${FOLDER})${chosen(QUOTES)}${restOfLine(4)}`,
  // The rest of the line, with a letter and a digit, which code seldom has.
  `${unquoted(String.raw`[ \t]{1,60}[:?]?`)}${chosen(QUOTES)}${restOfLine(4)}`,
  `${unquoted(String.raw`[ \t]{1,60}`)}${chosen(QUOTES)}${assignable(4)}${BEFORE_NEXT}`,
].map(pattern => new RegExp(pattern, 'g'))

/** Whether a text may assign a password. */
export const ASSIGNS_PASSWORD = new RegExp(
  String.raw`=(?<=(?:${NAME}|${SECRETS}|${SECRET})(?:(?:${INDEX}|${TYPE}|${ARRAY})?${GAP}${SIGN}|\s)=)`,
)
