/** Converts any value to plain data of bounded size for the journal of a wrapped agent. */
import { type Json, notJsonAt, hash } from '../data/json.ts'

/** Characters kept of a text, of arguments or of a result. */
const KEPT_MAX = 16_384
/** Deeper values are kept as text, so that recursive readers do not overflow the stack. */
const DEPTH_MAX = 100

interface BoundedJson {
  readonly value: Json
  /** The uncut value, for digests. */
  readonly whole: Json
  /** The length of the whole in characters, if it was cut. */
  readonly cut?: number
}

/** Never throws, because frameworks pass arbitrary objects. */
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

/** Represents values that JSON lacks, so that different values stay different. `undefined` if JSON has no text for the value. */
function textOf(value: unknown): string | undefined {
  const seen = new WeakSet()
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, inner) {
    const own = this[key]
    if (typeof own === 'bigint') return String(own)
    if (typeof own !== 'object' || own === null) return inner
    if (seen.has(own)) return '[seen before]'
    seen.add(own)
    if (ArrayBuffer.isView(own)) {
      const bytes = new Uint8Array(own.buffer, own.byteOffset, own.byteLength)
      return `${own.byteLength} bytes ${hash(new TextDecoder('latin1').decode(bytes))}`
    }
    if (own instanceof Map || own instanceof Set) return [...own]
    return own instanceof Error ? { ...own, name: own.name, message: own.message } : inner
  })
}
