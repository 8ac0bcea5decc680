/**
 * Values that say whether they are a failure: Either, Exit and Result of Effect and fp-ts, and the pairs of Go.
 *
 * Intuition: `{ "_tag": "Left", "left": … }` and `[null, …]` hold one value, which is the answer.
 * Hard case: a document may have a tag of its own, therefore nothing stands beside the value that is held.
 */
import { isMap, type Json } from '../data/json.ts'

const TAG = '_tag'
const FAILED = /^(?:left|err|error|fail|failure)$/i
const MADE = /^(?:right|ok|success)$/i
const HELD =
  /^(?:left|right|ok|success|err|error|e|fail|failure|cause|reason|defect|value|data|result)$/i
/** The name of the type, and how it is run. */
const OF_TYPE = /^_(?:id|op)$/

/** The value held by a record with one of these tags. */
function heldIn(value: Json, tag: RegExp): readonly Json[] {
  if (!isMap(value) || typeof value[TAG] !== 'string' || !tag.test(value[TAG])) return []
  const others = Object.entries(value).filter(([name]) => name !== TAG && !OF_TYPE.test(name))
  return others.length === 1 && others.every(([name]) => HELD.test(name))
    ? others.map(([, held]) => held)
    : []
}

/** Whether a record is tagged as a failure. */
export const isTaggedFailure = (value: Json): boolean => heldIn(value, FAILED).length > 0

/** The value of a pair of it and `null`, or the one that a record tagged as a success holds. */
export function heldValue(value: Json): Json | undefined {
  if (!Array.isArray(value)) return heldIn(value, MADE)[0]
  const held = value.filter(item => item !== null)
  return value.length === 2 && held.length === 1 ? held[0] : undefined
}
