/** What is kept of a value in the journal of a wrapped agent: plain data of a bounded size. */
import { type Json, notJsonAt } from '../data/json.ts'
import { hash } from '../data/signature.ts'

/** Characters kept of a text, of arguments or of a result. */
const KEPT_MAX = 16_384
/** What is nested deeper is kept as its text: whoever walks through it must not fall. */
const DEPTH_MAX = 100

export interface BoundedJson {
  readonly value: Json
  /** Uncut: what a digest is made of. */
  readonly whole: Json
  /** The length of the whole in characters, if it was cut. */
  readonly cut?: number
}

/** A foreign object stands as what can be told of it: a wrap tells what frameworks hand it, and must not break on it. */
export function boundedJson(value: unknown): BoundedJson {
  const whole = plain(value)
  const text = typeof whole === 'string' ? whole : JSON.stringify(whole)
  return text.length <= KEPT_MAX
    ? { value: whole, whole }
    : { value: text.slice(0, KEPT_MAX), whole, cut: text.length }
}

function plain(value: unknown): Json {
  if (value === undefined) return null
  try {
    if (notJsonAt(value) === undefined && isShallow(value)) return value as Json
    const text = textOf(value)
    if (text === undefined) return String(value)
    const read = JSON.parse(text) as Json
    return isShallow(read) ? read : text
  } catch {
    return `a foreign ${typeof value}`
  }
}

function isShallow(value: unknown, left = DEPTH_MAX): boolean {
  if (typeof value !== 'object' || value === null) return true
  return left > 0 && Object.values(value).every(inner => isShallow(inner, left - 1))
}

/** With what JSON has no word for, since what differs must not look alike. `undefined` for what has no text in JSON at all. */
function textOf(value: unknown): string | undefined {
  const seen = new WeakSet()
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, inner) {
    const own = this[key]
    if (typeof own === 'bigint') return String(own)
    if (typeof own !== 'object' || own === null) return inner
    if (seen.has(own)) return '[seen before]'
    seen.add(own)
    if (ArrayBuffer.isView(own))
      return `${own.byteLength} bytes ${hash(new TextDecoder('latin1').decode(new Uint8Array(own.buffer as ArrayBuffer, own.byteOffset, own.byteLength)))}`
    if (own instanceof Map || own instanceof Set) return [...own]
    return own instanceof Error ? { ...own, name: own.name, message: own.message } : inner
  })
}
