/**
 * What a query of a database is about: the tables, columns, functions and values of a statement in SQL, or the values of a filter.
 *
 * Intuition: the queries of an audit share the words of the language, or the database and the collection, and ask fifteen questions.
 * Hard case: the same query with another limit or order is the same question, therefore these words and all aliases are left out.
 */
import { textsIn } from '../answer/quoted-texts.ts'
import { isMap, type Json, jsonOrText } from '../data/json.ts'
import { encodeHashes, type MinHash, wordHashes } from '../text/similarity.ts'
import { queryIn } from '../text/sql.ts'

/** Longer queries, and those among more texts, are not read. */
const QUERY_MAX = 4_000
const TEXTS_MAX = 4
/** Of MongoDB, Notion and others. */
const FILTER = /^(?:filters?|where|criteria|conditions?|selector|match|pipeline)$/i
const LEVELS_MAX = 8

export function queryOf(args: Json): MinHash | undefined {
  const query = statementIn(args) ?? filterIn(args)
  const words = query === undefined ? [] : wordHashes(query)
  return words.length > 0 ? encodeHashes(words) : undefined
}

const statementIn = (args: Json): string | undefined =>
  textsIn(args, QUERY_MAX)
    .slice(0, TEXTS_MAX)
    .flatMap(text => queryIn(text) ?? [])[0]

/** The values of a filter, or its fields if it has none: `{ "email": { "$exists": false } }`. */
function filterIn(args: Json): string | undefined {
  if (!isMap(args)) return undefined
  const filter = Object.entries(args).find(([name]) => FILTER.test(name))?.[1]
  const value =
    typeof filter === 'string' && filter.length <= QUERY_MAX ? jsonOrText(filter) : filter
  if (typeof value !== 'object' || value === null) return undefined
  const values = filterValues(value, LEVELS_MAX)
  return (values.length > 0 ? values : filterNames(value, LEVELS_MAX)).join(' ').slice(0, QUERY_MAX)
}

function filterValues(value: Json, levels: number): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [`${value}`]
  if (typeof value !== 'object' || value === null || levels === 0) return []
  return Object.values(value).flatMap(inner => filterValues(inner as Json, levels - 1))
}

function filterNames(value: Json, levels: number): readonly string[] {
  if (!isMap(value) || levels === 0) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name.startsWith('$') ? [] : [name]),
    ...filterNames(inner, levels - 1),
  ])
}
