/** Texts that a record contains beside other facts: what a customer wrote, the title of a page. Words of failure in them are data. */
import { isMap, type Json } from '../data/json.ts'
import { recordIn } from './envelope.ts'

/** A field with a text of people. Alone in its record, it may be the answer of a tool itself. */
const CONTENT =
  /^(?:text|body|content|contents|subject|title|summary|description|comments?|question|review|transcript|snippet|excerpt|quote|name)$/i
/** A field with a label of what was asked about: the level of a line of a log, how severe an issue is. */
const LABEL = /^(?:level|severity|priority|label|category|sentiment|classification)$/i
const RECORD = /^\s*[[{]/
/** A longer text is not read as a record. */
const LONG = 4_000

/** The text of an answer without such texts. */
export function withoutContent(text: string): string {
  const record = RECORD.test(text) && text.length <= LONG ? recordIn(text) : undefined
  return record === undefined ? text : JSON.stringify(emptied(record))
}

function emptied(value: Json): Json {
  if (Array.isArray(value)) return value.map(emptied)
  if (!isMap(value)) return value
  const fields = Object.entries(value)
  const isContent = ([name, inner]: readonly [string, Json]) =>
    typeof inner === 'string' && (LABEL.test(name) || (fields.length > 1 && CONTENT.test(name)))
  return Object.fromEntries(
    fields.map(field => [field[0], isContent(field) ? '' : emptied(field[1])]),
  )
}
