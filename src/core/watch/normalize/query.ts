/**
 * What a query of a database is about: the tables, columns, functions and values of a statement in SQL, or the values of a filter.
 *
 * Intuition: the queries of an audit share the words of the language, or the database and the collection, and ask fifteen questions.
 * Hard case: the same query with another limit or order is the same question, therefore these words and all aliases are left out.
 */
import { textsIn } from '../answer/quoted-texts.ts'
import { isMap, type Json, jsonOrText } from '../data/json.ts'
import {
  encodeHashes,
  type MinHash,
  sharedCount,
  similarity,
  wordHashes,
} from '../text/similarity.ts'
import { queryIn } from '../text/sql.ts'

/** Longer queries, and those among more texts, are not read. */
const QUERY_MAX = 4_000
const TEXTS_MAX = 4
/** Of MongoDB, Notion and others. */
const FILTER = /^(?:filters?|where|criteria|conditions?|selector|match|pipeline)$/i
/** Of Elasticsearch. Several words are a question, which may be the same one reworded. */
const DSL = /^(?:query|query_?(?:body|dsl)|body|dsl)$/i
const LEVELS_MAX = 8

/** Of a filter, `tables` is empty. */
export type Query = {
  readonly words: MinHash
  readonly tables: MinHash
}

export function queryOf(args: Json): Query | undefined {
  const { words: text = filterIn(args) ?? '', tables = '' } = statementIn(args) ?? {}
  const words = encodeHashes(wordHashes(text))
  return words === '' ? undefined : { words, tables: encodeHashes(wordHashes(tables)) }
}

/** Whether two queries ask different questions: of other tables, or mostly in other words. */
export const isOtherQuery = (one: Query, other: Query): boolean =>
  (one.tables !== '' && other.tables !== '' && sharedCount(one.tables, other.tables) === 0) ||
  similarity(one.words, other.words) < ALIKE

/** Queries below this similarity are unrelated: another column is another question. */
const ALIKE = 0.7

const statementIn = (args: Json) =>
  textsIn(args, QUERY_MAX)
    .slice(0, TEXTS_MAX)
    .flatMap(text => queryIn(text) ?? [])[0]

/** The values of a filter, or its fields if it has none: `{ "email": { "$exists": false } }`. */
function filterIn(args: Json): string | undefined {
  if (!isMap(args)) return undefined
  const fields = Object.entries(args)
  const filter = fields.find(([name]) => FILTER.test(name))?.[1] ?? dslIn(fields)
  const value =
    typeof filter === 'string' && filter.length <= QUERY_MAX ? jsonOrText(filter) : filter
  if (typeof value !== 'object' || value === null) return undefined
  const values = filterValues(value, LEVELS_MAX)
  return (values.length > 0 ? values : filterNames(value, LEVELS_MAX)).join(' ').slice(0, QUERY_MAX)
}

/** A query in a record whose values are names. */
function dslIn(fields: readonly (readonly [string, Json])[]): Json | undefined {
  const dsl = fields.find(([name, value]) => DSL.test(name) && isMap(value))?.[1]
  const values = dsl === undefined ? [] : filterValues(dsl, LEVELS_MAX)
  return values.length > 0 && values.every(value => !/\s/.test(value)) ? dsl : undefined
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
