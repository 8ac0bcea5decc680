/** What a text writes in place of a secret: a variable, a template, a call, a placeholder, a word of a schema. */

/** Of a shell, PHP or PowerShell. A password with a `$` at its beginning mixes cases and digits. */
const VARIABLE = String.raw`\$(?:[A-Za-z_]{1,60}|[A-Z_][A-Z\d_]{0,60}|[a-z_][a-z\d_]{0,60}|(?:env|script|global|using):\w{1,60}|\(\$[\w.:]{1,80}\))`
/** `${VAR}`, `{{ x }}`, `#{x}` and `{x}`, also several of them. */
const TEMPLATE = String.raw`(?:[$#%@]?\{{1,3}[^{}"'\r\n]{0,200}\}{1,3}[.:/_-]?){1,10}`
/** The command of a shell, also up to a quotation mark in it. */
const COMMAND = String.raw`\$\([A-Za-z./][\w./-]{0,60}[ \t)]`
/** Functions of templates of Azure, of settings of Symfony, Prisma and Foundry, and what SOPS and Jasypt encrypted. */
const FUNCTION = String.raw`(?:\[[A-Za-z]{2,40}\([^"\r\n]{0,300}\)\]|%?env\((?:[\w.]{1,40}:){0,5}\w{1,60}\)%?|ENC[[(][\w+/=,:. -]{1,2000}[)\]])`
/** `<your password>`, `(sensitive value)`, `[REDACTED]`, `****`, `%DB_PASSWORD%`, `%(password)s`. */
const PLACEHOLDER = [
  String.raw`<[^<>"'\r\n]{0,80}>`,
  String.raw`[([][A-Za-z _-]{0,60}[)\]]`,
  String.raw`\*{3,40}\w{0,2}`,
  '[.xX]{3,40}',
  String.raw`%(?:\w{1,60}%|\(\w{1,60}\)s|[sdv@])`,
].join('|')
const WORD =
  '(?:[Ss]tring|[Nn]ull|NULL|[Nn]one|nil|[Tt]rue|[Ff]alse|undefined|[Rr]equired|[Oo]ptional|unknown|enabled|disabled)'
const YOURS = String.raw`(?:your|YOUR|Your)[ _-][\w -]{0,60}`

/** Also the command of a shell or a text of JavaScript between backticks. */
const BACKTICKS = String.raw`\x60[^\x60\r\n]{1,200}\x60`

/** One of these as the whole value, up to `end`. */
export const reference = (end: string): string =>
  `(?:(?:${VARIABLE}|${TEMPLATE}|${FUNCTION}|${PLACEHOLDER}|${WORD}|${YOURS})${end}|${COMMAND}|${BACKTICKS})`

/** A backtick ends code in Markdown. */
const CODE_END = String.raw`(?![^\s"'\x60]|\x60[^\s"'.,:;)])`
/** A call or an item of a list as the whole value, also one with more behind it: `users[0].name;`. */
export const CALL = String.raw`[&*!@$]?[A-Za-z_$](?:[\w.$]|->|::){0,60}[([][\w.,:;$()[\]{}+=>*&-]{0,200}${CODE_END}(?<=[)\](,;{]|[)\]](?:\.|->)\w{1,60})`

/** A variable or a field of an object: `input.value`, `$this->name`, `row.col2;`. */
export const FIELD = String.raw`[\\&*!@$]{0,2}[A-Za-z_]\w{0,60}(?:(?:\??\.|->|::)[A-Za-z_]\w{0,60}){1,8}[,;)]?${CODE_END}`

const GROUP = String.raw`\(\?(?:[:=!<]|[ims]\))`
/** A pattern for other texts, such as `[0-9A-F]+`, `(?:a|b)` and `/^\d+$/`. */
export const PATTERN = String.raw`(?=\/(?:\^|\\[dwsDWS])|\/?${GROUP}|\/?[[(^][^\s"']{0,200}(?:a-z|A-Z|0-9|${GROUP}|\\[dwsDWS]|\]\+|\{\d))`

/** Words with one digit: `min_length_8`. */
export const NAME_LIKE = String.raw`[A-Za-z]{1,40}(?:[_.-][A-Za-z]{1,40}){0,20}[_.-](?:\d[A-Za-z]{0,3}|[A-Za-z]{1,12}\d)`
