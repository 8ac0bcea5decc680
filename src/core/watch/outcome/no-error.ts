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
const WHOLE = new RegExp(`^(?:${NO_ERROR})?[.!]?$`, 'i')

/** What names the kind of an error in its record. */
const KIND = /^(?:name|code|type|status|group_?name|(?:error_?)?(?:code|name|type))$/i

/** Whether the value of a field for an error says that there was none. */
export function isNoError(value: Json): boolean {
  if (typeof value === 'string') return WHOLE.test(value.trim())
  if (typeof value !== 'object' || value === null) return !value
  if (!isMap(value)) return value.length === 0
  const fields = Object.entries(value)
  // A code that is not set says nothing, and one of 0 nothing of what is explained.
  const kinds = fields.filter(([name, kind]) => KIND.test(name) && kind !== null && kind !== '')
  if (kinds.length === 0) return fields.length === 0
  return kinds.every(([, kind]) => isNoError(kind)) && !kinds.every(([, kind]) => kind === 0)
}
