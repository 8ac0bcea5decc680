/** Secrets in source code behind a name in quotes, a type or a default: `os.environ["SECRET_KEY"] = "…"`, `SECRET_KEY: str = "…"`, `getenv("SECRET_KEY", "…")`. */
import { MIXED, PASSWORD, random, SECRET } from './secret-variables.ts'

const NAME = `(?:${PASSWORD}|${SECRET})`
/** Behind a name in quotes: the end of an index, or nothing in a map of PHP and PowerShell. */
const INDEX = String.raw`["'][ \t]?\]?`
/** Of Python, TypeScript, Kotlin and Rust. */
const TYPE = String.raw`[ \t]?:[ \t]?(?:&(?:'static )?)?[A-Za-z_][\w.]{0,40}(?:\[[\w., |]{0,40}\])?(?:[ \t]?\|[ \t]?\w{1,20}){0,3}`
const ASSIGNED = String.raw`(?:${INDEX}|${TYPE})[ \t]{0,4}(?:\|\||\?\?)?=`

/** Functions that set a variable, or read it with a default. */
const FUNCTION = String.raw`(?:[GgSs]et|put|stub)_?[Ee]nv(?:ironmentVariable)?|[gs]etProperty|setdefault|environ\.get|ENV\.fetch|env(?:\.str)?|config|define`
/** A name in the arguments of such a function. */
const ARGUMENT = String.raw`(?:${FUNCTION})\(\s{0,4}["']\w{0,60}${NAME}["']\s?`
/** A variable, an index or a call before its default. */
const OR = String.raw`${NAME}(?:["'][ \t]?[\])])?[ \t]{1,4}(?:\|\||\?\?|or)`

/** The text between two quotes. */
const textIn = (quote: string, least: number): string =>
  String.raw`${random(quote)}(?!your[_-]|YOUR[_-])[^\s${quote}\\]{${least},1000}(?=${quote})`

/** The search begins at signs that seldom follow a name. The first group of a pattern is not secret. */
export const CODE_SECRETS: readonly RegExp[] = ['"', "'"].flatMap(quote => [
  new RegExp(`(=(?<=${SECRET}${ASSIGNED})>?[ \\t]{0,4}${quote})${textIn(quote, 8)}`, 'g'),
  new RegExp(`(=(?<=${PASSWORD}${ASSIGNED})>?[ \\t]{0,4}${quote})${textIn(quote, 6)}`, 'g'),
  // Other arguments and defaults may be names.
  new RegExp(
    String.raw`(,(?<=${ARGUMENT},)\s{0,4}(?:default\s?=\s?)?${quote})${MIXED}${textIn(quote, 8)}`,
    'g',
  ),
  new RegExp(String.raw`([|?r](?<=${OR})[ \t]{1,4}${quote})${MIXED}${textIn(quote, 8)}`, 'g'),
])

/** Whether a text may have such a secret. */
export const HAS_CODE = new RegExp(
  String.raw`[=,|?r](?<=${NAME}(?:${ASSIGNED}|["']\s?,)|${OR})\s{0,4}(?:>\s{0,4}|default\s?=\s?)?["']`,
)
