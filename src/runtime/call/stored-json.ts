/** Values from outside as the journal stores them: plain data of a bounded size, with secrets redacted. */
import type { Ports } from '../ports.ts'
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { withoutBytes } from '../../core/watch/data/media.ts'
import { type Json, LEVELS_MAX, notJsonAt, printed } from '../../core/watch/data/json.ts'

/** Characters stored of a result or an answer. */
const STORED_MAX = 65_536
/** Characters of the arguments of a call, or of the calls of an answer: they are stored whole or rejected. */
export const VALUE_MAX = 1_048_576

export type Redact = Ports['redact']

export interface StoredJson {
  readonly value: Json
  /** Redacted but not truncated, for digests. */
  readonly whole: Json
  /** The length of the whole in characters, if it was truncated. */
  readonly cut?: number
}

/** Redacts and truncates a value, its bytes first; `undefined` becomes null. @throws NotJson with the path. */
export function storedJson(
  what: string,
  raw: unknown,
  redact: Redact,
  max = STORED_MAX,
): StoredJson {
  const { value = null, fault } = toJson(raw === undefined ? null : raw)
  if (fault !== undefined)
    throw new ReasonError('NotJson', { code: 'not-json', params: { path: what, fault } })
  const whole = redact(value)
  const text = printed(whole)
  if (text.length <= max) return { value: whole, whole }
  return { value: excerpt(withoutBytes(text), max), whole, cut: text.length }
}

/** Redacts a value that must not be truncated. @throws TooLarge, NotJson */
export function wholeValue(path: string, raw: unknown, redact: Redact, limit = VALUE_MAX): Json {
  const { value, cut: characters } = storedJson(path, raw, redact, limit)
  if (characters === undefined) return value
  throw new ReasonError('TooLarge', { code: 'too-large', params: { path, characters, limit } })
}

/** Rejects a value whose texts and items exceed the limit, without reading the rest: redaction of many megabytes would block. @throws TooLarge */
export function checkSize(path: string, raw: unknown, limit = VALUE_MAX): void {
  const open: unknown[] = [raw]
  let characters = 0
  while (open.length > 0 && characters <= limit) {
    const value = open.pop()
    characters += typeof value === 'string' ? value.length : 1
    if (value instanceof Uint8Array) characters += value.length
    else if (Array.isArray(value) && value.length > limit) characters += value.length
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        characters += key.length
        open.push(inner)
      }
  }
  if (characters > limit)
    throw new ReasonError('TooLarge', { code: 'too-large', params: { path, characters, limit } })
}

/** A value from outside as plain data, converted as JSON does if necessary; `fault` names the first place that is not. */
export function toJson(raw: unknown): { readonly value?: Json; readonly fault?: string } {
  if (notJsonAt(raw) === undefined) return { value: raw as Json }
  const value = converted(raw)
  const fault = notJsonAt(value)
  return fault === undefined ? { value: value as Json } : { fault }
}

/** The head and the tail of a long text, with a line between them that gives the number of omitted characters. */
export function excerpt(text: string, max: number): string {
  if (text.length <= max) return text
  const head = Math.ceil(max * 0.7)
  const tail = max - head
  return `${text.slice(0, head)}\n… [${text.length - max} of ${text.length} characters left out] …\n${text.slice(-tail)}`
}

/** Writes bytes as text, applies `toJSON`, and drops keys that hold `undefined`. Any other value is returned as it is. */
function converted(raw: unknown, key = '', above: readonly unknown[] = []): unknown {
  if (raw instanceof Uint8Array) return textOf(raw)
  const value = hasToJson(raw) ? raw.toJSON(key) : raw
  if (typeof value !== 'object' || value === null) return value
  // The check that follows reports cycles and depth.
  if (above.includes(value) || above.length > LEVELS_MAX) return value
  const inside = [...above, value]
  if (Array.isArray(value)) {
    // The check that follows reports gaps. `map` would visit each of three billion.
    if (Object.keys(value).length < value.length) return value
    const items = value.map((item, index) => converted(item, String(index), inside))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const before = Object.entries(value)
  const after = before.flatMap(([key, inner]) =>
    inner === undefined ? [] : [[key, converted(inner, key, inside)] as const],
  )
  const isSame =
    before.length === after.length && before.every(([, inner], at) => inner === after[at]?.[1])
  return isSame ? value : Object.fromEntries(after)
}

/** UTF-8, otherwise base64. `toJSON` of a Buffer would list each byte, and hide a secret from its redaction. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('base64')
  }
}

/** A date, a decimal of a database row, or a URL. */
const hasToJson = (value: unknown): value is { toJSON(key: string): unknown } =>
  typeof (value as { toJSON?: unknown } | null | undefined)?.toJSON === 'function'
