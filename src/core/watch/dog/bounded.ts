/** What is kept of a value in the journal of a wrapped agent: plain data of a bounded size. */
import { type Json, notJsonAt } from '../json.ts'

/** Characters kept of a text, of arguments or of a result. */
const KEPT_MAX = 16_384

export interface Bounded {
  readonly value: Json
  /** Uncut: what a digest is made of. */
  readonly whole: Json
  /** The length of the whole in characters, if it was cut. */
  readonly cut?: number
}

/** A foreign object stands as its text: a wrap tells what frameworks hand it, and must not break on it. */
export function bounded(value: unknown): Bounded {
  const whole = value === undefined ? null : notJsonAt(value) === undefined ? (value as Json) : textOf(value)
  const text = typeof whole === 'string' ? whole : JSON.stringify(whole)
  return text.length <= KEPT_MAX ? { value: whole, whole } : { value: text.slice(0, KEPT_MAX), whole, cut: text.length }
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
