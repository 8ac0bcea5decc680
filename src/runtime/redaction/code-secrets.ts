/** Secrets in source code behind a name in quotes, a type or a default: `os.environ["SECRET_KEY"] = "…"`, `SECRET_KEY: str = "…"`, `getenv("SECRET_KEY", "…")`. */
import { chosen, GAP, mixed, PASSWORD, random, SECRET } from './secret-variables.ts'

const NAME = `(?:${PASSWORD}|${SECRET})`
/** Behind a name in quotes: the end of an index, or nothing in a map of PHP and PowerShell. */
export const INDEX = String.raw`["'][ \t]?\]?`
/** Of Python, TypeScript, Kotlin, Swift and Rust. */
export const TYPE = String.raw`[ \t]?:[ \t]?(?:&(?:'static )?)?[A-Za-z_][\w.]{0,40}(?:\[[\w., |]{0,40}\])?\??(?:[ \t]?\|[ \t]?\w{1,20}){0,3}`
/** Of C. */
export const ARRAY = String.raw`\[[\w +]{0,40}\]`
/** Before a text of Python, Rust, C, C#, Objective-C and SQL. */
const PREFIX = String.raw`(?:[bfruRLNE]{1,2}|u8|\$?@|@?\$|b?r#{1,3})?`
/** Of a default. */
const OR_SIGN = String.raw`(?:\|\||\?\?)`
const ASSIGNED = `(?:(?:${INDEX}|${TYPE})${GAP}${OR_SIGN}?|${GAP}${OR_SIGN})=`

/** Functions that set a variable, or read it with a default. */
const FUNCTION = String.raw`(?:[GgSs]et|put|stub)_?[Ee]nv(?:ironmentVariable)?|[gs]etProperty|setdefault|environ\.get|ENV\.fetch|env\.set|set_var|env(?:\.str)?|config|define`
/** A name in the arguments of such a function. */
const ARGUMENT = String.raw`(?:${FUNCTION})\(\s{0,4}["']\w{0,60}${NAME}["']\s?`
/** A variable, an index or a call before its default. */
const OR = String.raw`${NAME}(?:["'][ \t]?[\])])?\s{1,20}(?:${OR_SIGN}|or)`

/** Before a text: of Python in brackets, with a prefix, and with three quotes. */
export const open = (quote: string): string =>
  String.raw`(?:(?:SecretStr)?\(\s{0,20})?${PREFIX}(?:${quote}{2})?${quote}`
/** The text between two quotes. */
const textIn = (quote: string, least: number, value = random(quote)): string =>
  String.raw`${value}(?!your[_-]|YOUR[_-])[^\s${quote}\\]{${least},1000}(?=${quote})`
/** Of other arguments and defaults, which may be names. */
const mixedIn = (quote: string): string => mixed(quote) + textIn(quote, 8)

/** The search begins at signs that seldom follow a name. The first group of a pattern is not secret. */
export const CODE_SECRETS: readonly RegExp[] = ['"', "'"].flatMap(quote =>
  [
    `(=(?<=${SECRET}${ASSIGNED})>?${GAP}${open(quote)})${textIn(quote, 8)}`,
    `(=(?<=${PASSWORD}${ASSIGNED})>?${GAP}${open(quote)})${textIn(quote, 6, chosen(quote))}`,
    String.raw`(,(?<=${ARGUMENT},)\s{0,40}(?:default\s?=\s?)?${quote})${mixedIn(quote)}`,
    String.raw`(,(?<=define\(\s{0,4}["']\w{0,60}${PASSWORD}["']\s?,)\s{0,40}${quote})${textIn(quote, 6, chosen(quote))}`,
    String.raw`([|?r](?<=${OR})[ \t]{1,4}${quote})${mixedIn(quote)}`,
  ].map(pattern => new RegExp(pattern, 'g')),
)

/** Whether a text may have such a secret. */
export const HAS_CODE = new RegExp(
  String.raw`[=,|?r](?<=${NAME}(?:${ASSIGNED}|["']\s?,)|${OR})>?\s{0,40}(?:default|SecretStr|${PREFIX}["']|\()`,
)
