/**
 * Values of fields for errors that say that there was none.
 *
 * Intuition: `{ "errcode": 0, "errmsg": "ok" }` and `{ "errorCode": "NO_ERROR" }` are receipts.
 * Hard case: `{ "error": "Done with errors" }`. The whole text must say it.
 */
import { isMap, type Json } from '../data/json.ts'

/** Alternatives of a pattern. */
export const NO_ERROR =
  'ok(?:ay)?|success(?:ful(?:ly)?)?|succeeded|completed|done|no[ _-]?(?:errors?|failures?|faults?)|none|null|nil|false|no|n/a|0{1,8}|\\w{1,40}:ok'
const WHOLE = new RegExp(`^\\s*(?:${NO_ERROR})?[.!]?\\s*$`, 'i')

/** What names the kind of an error in its record. */
const KIND = /^(?:name|code|type|status|group_?name|(?:error_?)?(?:code|name|type))$/i

/** Whether the value of a field for an error says that there was none. */
export function isNoError(value: Json): boolean {
  if (typeof value === 'string') return WHOLE.test(value)
  if (typeof value !== 'object' || value === null) return !value
  const fields = Object.entries(value)
  if (fields.length === 0) return true
  const kinds = isMap(value) ? fields.filter(([name]) => KIND.test(name)) : []
  return kinds.length > 0 && kinds.every(([, kind]) => isNoError(kind))
}
