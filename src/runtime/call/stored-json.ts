/** What may be journalled of a value that came from outside: plain data of a bounded size, secrets taken out. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { type Json, LEVELS_MAX, notJsonAt } from '../../core/watch/data/json.ts'

/** Characters kept of a result or an answer. */
export const STORED_MAX = 65_536

export interface StoredJson {
  readonly value: Json
  /** Redacted and uncut: what a digest is made of. */
  readonly whole: Json
  /** The length of the whole in characters, if it was cut. */
  readonly cut?: number
}

/** @throws NotJson naming the path. `undefined` counts as null. */
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

/** Nearly every value is plain data as it is; only another is looked through for keys that hold `undefined`. */
function plain(what: string, raw: unknown): Json {
  if (notJsonAt(raw) === undefined) return raw as Json
  const value = withoutUndefined(raw)
  const fault = notJsonAt(value)
  if (fault) throw new ReasonError('NotJson', { code: 'not-json', params: { path: what, fault } })
  return value as Json
}

/** Head and tail of a long text, and a line between them that says what is missing. */
export function excerpt(text: string, max: number): string {
  if (text.length <= max) return text
  const head = Math.ceil(max * 0.7)
  const tail = max - head
  return `${text.slice(0, head)}\n… [${text.length - max} of ${text.length} characters left out] …\n${text.slice(-tail)}`
}

/** Without keys that hold `undefined`, as JSON has it; the same value where there are none. */
function withoutUndefined(value: unknown, above: readonly unknown[] = []): unknown {
  // What refers back to itself, or has no end, is found, and named, when it is checked.
  if (
    typeof value !== 'object' ||
    value === null ||
    above.includes(value) ||
    above.length > LEVELS_MAX
  )
    return value
  const inside = [...above, value]
  if (Array.isArray(value)) {
    const items = value.map(item => withoutUndefined(item, inside))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const entries = Object.entries(value)
  const kept = entries
    .filter(([, inner]) => inner !== undefined)
    .map(([key, inner]) => [key, withoutUndefined(inner, inside)] as const)
  return kept.length === entries.length &&
    kept.every(([key, inner]) => inner === (value as Record<string, unknown>)[key])
    ? value
    : Object.fromEntries(kept)
}
