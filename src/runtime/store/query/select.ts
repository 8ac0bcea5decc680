/**
 * Checks that a text is one `SELECT` of the tables for queries.
 *
 * A store sets the text between parentheses, as a subquery: a database accepts nothing that writes there. This check keeps the text
 * inside of them, and away from the other tables and from functions with effects. A database takes more forms than this lexer. What
 * two databases could read in two ways (a comment, a string with a prefix, another quote) is blanked or refused, so that both read
 * the tokens that are checked here.
 */
import { truncate } from '../../../core/watch/data/fault.ts'
import { CALLABLE } from './functions.ts'
import { InvalidQuery, SQL_MAX } from './query.ts'

interface Token {
  readonly kind: 'word' | 'quoted' | 'text' | 'number' | 'sign'
  /** Lowercase for a name. */
  readonly text: string
  readonly start: number
  readonly end: number
}

const SPACE = /[ \t\n\r\f]+/y
const COMMENT = /--[^\n\r]*/y
const TOKENS = {
  text: /'(?:[^'\0]|'')*'/y,
  quoted: /"(?:[^"\0]|"")+"/y,
  number: /(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy,
  word: /[\p{L}_][\p{L}\p{N}_]*/uy,
  sign: /[-+*/%<>=~!@#&|^?:.,()]/y,
} as const

const STARTS: ReadonlySet<string> = new Set(['select', 'with', 'values'])
/** Catalogs of the databases. */
const CATALOG = /^(?:pg|sqlite|pragma)_/

/**
 * The text as the database receives it: comments are spaces, and every character stays in its place.
 * @param schemas The names that qualify tables, in lowercase. They would reach the tables behind those for queries.
 * @throws InvalidQuery
 */
export function checkSelect(sql: string, schemas: ReadonlySet<string>): string {
  if (sql.length > SQL_MAX)
    throw new InvalidQuery(`the query has ${sql.length} characters; the maximum is ${SQL_MAX}`)
  const given = sql.replace(/(?<![\s;])[\s;]+$/, '')
  const tokens = tokensOf(given)
  const [first] = tokens
  if (first?.kind !== 'word' || !STARTS.has(first.text))
    throw new InvalidQuery(`expected one SELECT, ${first ? `not '${first.text}'` : 'not nothing'}`)
  checkParentheses(given, tokens)
  tokens.forEach((token, index) => {
    if (token.kind === 'word' || token.kind === 'quoted') checkName(given, tokens, index, schemas)
  })
  return withoutComments(given, tokens)
}

function tokensOf(sql: string): readonly Token[] {
  const tokens: Token[] = []
  for (let start = 0; start < sql.length; ) {
    const skipped = lengthAt(SPACE, sql, start) || lengthAt(COMMENT, sql, start)
    if (skipped > 0) {
      start += skipped
      continue
    }
    const kinds = Object.keys(TOKENS) as (keyof typeof TOKENS)[]
    const kind = kinds.find(each => lengthAt(TOKENS[each], sql, start) > 0)
    const end = kind === undefined ? start : start + lengthAt(TOKENS[kind], sql, start)
    const text = sql.slice(start, end)
    if (kind === undefined || isAmbiguous(sql, { kind, start }))
      throw refused(sql, start, `${sql.slice(start, start + 2).trim()} cannot be used in a query`)
    tokens.push({ kind, text: kind === 'text' ? text : nameOf(text), start, end })
    start = end
  }
  return tokens
}

function lengthAt(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(sql)?.[0].length ?? 0
}

/** A quote after a prefix (`E'…'`, `U&"…"`), whose escapes only one database knows, and comments that one of them nests. */
function isAmbiguous(sql: string, { kind, start }: Pick<Token, 'kind' | 'start'>): boolean {
  if (kind === 'text' || kind === 'quoted') return /[\p{L}\p{N}_&'"]/u.test(sql[start - 1] ?? ' ')
  return kind === 'sign' && /^(?:\/\*|\*\/)/.test(sql.slice(start, start + 2))
}

const nameOf = (text: string): string =>
  (text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text).toLowerCase()

/** The text stays within the parentheses around it. */
function checkParentheses(sql: string, tokens: readonly Token[]): void {
  const open: Token[] = []
  for (const token of tokens) {
    if (isSign(token, '(')) open.push(token)
    if (isSign(token, ')') && !open.pop()) throw refused(sql, token.start, ') closes nothing')
  }
  const [unclosed] = open
  if (unclosed) throw refused(sql, unclosed.start, '( is not closed')
}

const isSign = (token: Token | undefined, text: string): boolean =>
  token?.kind === 'sign' && token.text === text

function checkName(
  sql: string,
  tokens: readonly Token[],
  index: number,
  schemas: ReadonlySet<string>,
): void {
  const { text, start } = tokens[index] as Token
  const next = tokens[index + 1]
  if (CATALOG.test(text) || (isSign(next, '.') && schemas.has(text)))
    throw refused(sql, start, `${text} cannot be used: a query reads only the tables for queries`)
  if (!isSign(next, '(') || isNewName(tokens, index)) return
  if (!CALLABLE.has(text))
    throw refused(sql, start, `the function ${text} cannot be used in a query`)
}

/** Whether a query gives this name to a table: `AS name (columns)`, `WITH name (columns)`, and `, name (columns) AS (SELECT`. */
function isNewName(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]
  if (before?.kind === 'word' && ['as', 'with', 'recursive'].includes(before.text)) return true
  const close = tokens.findIndex((token, at) => at > index && isSign(token, ')'))
  const columns = tokens.slice(index + 2, close)
  const isList = columns.every((token, at) =>
    at % 2 === 0 ? token.kind === 'word' || token.kind === 'quoted' : isSign(token, ','),
  )
  const after = tokens
    .slice(close + 1, close + 6)
    .filter(({ text }) => !/^(not|materialized)$/.test(text))
  const [as, open, select] = after
  return isList && as?.text === 'as' && isSign(open, '(') && STARTS.has(select?.text ?? '')
}

function withoutComments(sql: string, tokens: readonly Token[]): string {
  let text = ''
  for (const { start, end } of tokens)
    text += sql.slice(text.length, start).replace(/[^ \t\n\r\f]/g, ' ') + sql.slice(start, end)
  return text
}

/** The line and the column of a character, from 1. */
export function placeIn(sql: string, at: number): string {
  const lines = sql.slice(0, at).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

const refused = (sql: string, at: number, why: string): InvalidQuery =>
  new InvalidQuery(`${placeIn(sql, at)}: ${truncate(why, 200)}`)
