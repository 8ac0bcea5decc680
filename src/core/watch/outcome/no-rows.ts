/**
 * Whether a record says that an update of a database has changed nothing: `{ "matchedCount": 0, "modifiedCount": 0 }` of MongoDB,
 * `{ "command": "UPDATE", "rowCount": 0 }` of Postgres.
 *
 * Hard cases: a clean-up may have nothing to delete, a statement that creates a table changes no rows, and a synchronization may have
 * nothing to do. Therefore each database has its own form.
 */
import { isMap, type Json } from '../data/json.ts'

type JsonMap = Readonly<Record<string, Json>>
type Field = readonly [name: string, value: Json]

const CHANGED =
  /^(?:(?:n?_?modified|matched|affected|updated|changed)(?:_?(?:count|rows?))?|row_?count)$/i
/** What stands beside the counts of MongoDB, whatever was changed. */
const BESIDE = /^(?:acknowledged|ok|n|message|msg|reason|details?|why|info|note|hint)$/i
/** A record that was inserted instead. */
const INSERTED = /^(?:upserted|inserted)_?(?:id|count)$/i
/** MySQL writes this for updates only. */
const NO_MATCH = /^Rows matched: 0\b/

export function changedNoRows(record: JsonMap): boolean {
  const { command, rowCount, info, lastErrorObject } = record
  if (command !== undefined) return command === 'UPDATE' && rowCount === 0
  if (typeof info === 'string' && NO_MATCH.test(info)) return true
  if (isMap(lastErrorObject) && lastErrorObject.n === 0) return record.value === null
  const fields = Object.entries(record)
  return fields.some(isZeroCount) && fields.every(isUnchanged)
}

const isZeroCount = ([name, value]: Field): boolean => CHANGED.test(name) && value === 0

const isUnchanged = ([name, value]: Field): boolean =>
  isZeroCount([name, value]) || (INSERTED.test(name) ? !value : BESIDE.test(name))
