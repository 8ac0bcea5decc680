/** A query in SQL, also behind the client that sends it. The words of the language are common to all queries, and say nothing of what one asks. */

const QUERY = /\bselect\b[\s\S]{1,2000}?\bfrom\b/i
const KEYWORDS =
  /\b(?:select|from|where|and|or|not|in|is|null|count|sum|min|max|avg|lower|upper|coalesce|group|by|having|order|limit|offset|join|left|right|inner|outer|full|cross|on|using|as|distinct|between|like|ilike|exists|any|all|case|when|then|else|end|union|except|intersect|with|asc|desc|cast|interval|now)\b/gi

/** A query in the text without these words; `undefined` without a query. */
export function queryIn(text: string): string | undefined {
  const query = QUERY.exec(text)
  return query === null ? undefined : text.slice(query.index).replace(KEYWORDS, ' ')
}
