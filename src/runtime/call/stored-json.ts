/** Values from outside as the journal stores them: plain data of a bounded size, with secrets redacted. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { type Json, LEVELS_MAX, notJsonAt } from '../../core/watch/data/json.ts'

/** Characters stored of a result or an answer. */
export const STORED_MAX = 65_536
/** Characters of the arguments of a call, or of the calls of an answer: they are stored whole or rejected. */
export const VALUE_MAX = 1_048_576

export interface StoredJson {
  readonly value: Json
  /** Redacted but not truncated, for digests. */
  readonly whole: Json
  /** The length of the whole in characters, if it was truncated. */
  readonly cut?: number
}

/** Redacts and truncates a value; `undefined` becomes null. @throws NotJson with the path. */
export function storedJson(
  what: string,
  raw: unknown,
  redact: (value: Json) => Json,
  max = STORED_MAX,
): StoredJson {
  const whole = redact(plain(what, raw === undefined ? null : raw))
  const text = typeof whole === 'string' ? whole : JSON.stringify(whole)
  return text.length <= max
    ? { value: whole, whole }
    : { value: excerpt(text, max), whole, cut: text.length }
}

/** Redacts a value that must not be truncated. @throws TooLarge, NotJson */
export function wholeValue(
  path: string,
  raw: unknown,
  redact: (value: Json) => Json,
  limit = VALUE_MAX,
): Json {
  const { value, cut: characters } = storedJson(path, raw, redact, limit)
  if (characters === undefined) return value
  throw new ReasonError('TooLarge', { code: 'too-large', params: { path, characters, limit } })
}

/** Most values are plain data already; only the others are searched for keys that hold `undefined`. */
function plain(path: string, raw: unknown): Json {
  if (notJsonAt(raw) === undefined) return raw as Json
  const value = withoutUndefined(raw)
  const fault = notJsonAt(value)
  if (fault) throw new ReasonError('NotJson', { code: 'not-json', params: { path, fault } })
  return value as Json
}

/** The head and the tail of a long text, with a line between them that gives the number of omitted characters. */
export function excerpt(text: string, max: number): string {
  if (text.length <= max) return text
  const head = Math.ceil(max * 0.7)
  const tail = max - head
  return `${text.slice(0, head)}\n… [${text.length - max} of ${text.length} characters left out] …\n${text.slice(-tail)}`
}

/** Drops keys that hold `undefined`, as JSON does. A value without such keys is returned as it is. */
function withoutUndefined(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value
  // The check that follows reports cycles and depth.
  if (above.includes(value) || above.length > LEVELS_MAX) return value
  const inside = [...above, value]
  if (Array.isArray(value)) {
    const items = value.map(item => withoutUndefined(item, inside))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const before = Object.entries(value)
  const after = before.flatMap(([key, inner]) =>
    inner === undefined ? [] : [[key, withoutUndefined(inner, inside)] as const],
  )
  const isSame =
    before.length === after.length && before.every(([, inner], at) => inner === after[at]?.[1])
  return isSame ? value : Object.fromEntries(after)
}
