/**
 * Whether a record says that a statement of a database has changed nothing: `{ "matchedCount": 0, "modifiedCount": 0 }` of MongoDB,
 * `{ "command": "UPDATE", "rowCount": 0 }` of Postgres.
 *
 * Hard cases: a clean-up may have nothing to delete, and another field with a value may say what was done instead.
 */
import { isMap, type Json } from '../data/json.ts'

const CHANGED =
  /^(?:(?:n?_?modified|matched|affected|updated|changed)(?:_?(?:count|rows?))?|row_?count)$/i
/** What stands beside the counts, whatever was changed. */
const BESIDE =
  /^(?:acknowledged|ok|n|command|oid|took|info|server_?status|message|msg|reason|details?|why|note|hint)$/i

export function changedNoRows(record: JsonMap): boolean {
  if (record.command === 'DELETE') return false
  const { lastErrorObject: found } = record
  if (isMap(found) && found.n === 0) return record.value === null
  const fields = Object.entries(record)
  return (
    fields.some(([name, value]) => CHANGED.test(name) && value === 0) &&
    fields.every(([name, value]) => BESIDE.test(name) || isUnset(value))
  )
}

type JsonMap = Readonly<Record<string, Json>>

export const isUnset = (value: Json): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : !value || value === 'none'
