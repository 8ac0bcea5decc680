/** A query in SQL, also behind the client that sends it. */

const QUERY = /\bselect\b[\s\S]{1,2000}?\bfrom\b/i
/** Words that all queries share, or that only order, limit or name what they return. */
const KEYWORDS =
  /\b(?:select|from|where|and|group|order|limit|offset|join|left|right|inner|outer|full|cross|using|with|asc|desc|count)\b/gi
/** The name of a result. */
const NAMED = /\bas\s+"?\w+"?/gi
/** Aliases of tables, and `id`, `is`, `on`, `by`, `as`. */
const SHORT = /\b[a-z]\w?\b/gi

/** The tables of a query: the same condition on another table is another question. */
const TABLE = /\b(?:from|join)\s+["`[]?(\w+(?:[."`\]]+\w+)*)/gi

/** A query in the text without these words, and its tables; `undefined` without a query. */
export function queryIn(
  text: string,
): { readonly words: string; readonly tables: string } | undefined {
  const query = QUERY.exec(text)
  if (query === null) return undefined
  const whole = text.slice(query.index)
  const tables = [...whole.matchAll(TABLE)].map(([, name = '']) => name.replace(/\W+/g, '_'))
  const words = whole.replace(NAMED, ' ').replace(KEYWORDS, ' ').replace(SHORT, ' ')
  return { words, tables: tables.join(' ') }
}
