/** What may be journalled of a value that came from outside: plain data of a bounded size, secrets taken out. */
import { type Json, notJsonAt } from '../core/watch/json.ts'
import { type Digest, digest } from '../core/watch/signature.ts'

/** Characters kept of a result or an answer. */
export const KEPT_MAX = 65_536

/** A value that is no JSON, with the path of the fault. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
  constructor(what: string, fault: string) {
    super(`${what} is not JSON: ${fault}`)
  }
}

export interface Kept {
  readonly value: Json
  /** Of the whole value, redacted and uncut. */
  readonly digest: Digest
  /** The length of the whole in characters, if it was cut. */
  readonly cut?: number
}

/** @throws NotJson naming the path. `undefined` counts as null. */
export function kept(what: string, raw: unknown, redact: (value: Json) => Json, max = KEPT_MAX): Kept {
  const value = defined(raw === undefined ? null : raw)
  const fault = notJsonAt(value)
  if (fault) throw new NotJson(what, fault)
  const clean = redact(value as Json)
  const sum = digest(clean)
  if (sum.length <= max) return { value: clean, digest: sum }
  const text = typeof clean === 'string' ? clean : JSON.stringify(clean)
  return { value: excerpt(text, max), digest: sum, cut: text.length }
}

/** Head and tail of a long text, and a line between them that says what is missing. */
export function excerpt(text: string, max: number): string {
  if (text.length <= max) return text
  const head = Math.ceil(max * 0.7)
  const tail = max - head
  return `${text.slice(0, head)}\n… [${text.length - max} of ${text.length} characters left out] …\n${text.slice(-tail)}`
}

/** Without keys that hold `undefined`, as JSON has it; the same value where there are none. */
function defined(value: unknown, above: readonly unknown[] = []): unknown {
  // What refers back to itself is found, and named, when it is checked.
  if (typeof value !== 'object' || value === null || above.includes(value)) return value
  const inside = [...above, value]
  if (Array.isArray(value)) {
    const items = value.map(item => defined(item, inside))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const entries = Object.entries(value)
  const kept = entries.filter(([, inner]) => inner !== undefined).map(([key, inner]) => [key, defined(inner, inside)] as const)
  return kept.length === entries.length && kept.every(([key, inner]) => inner === (value as Record<string, unknown>)[key]) ? value : Object.fromEntries(kept)
}
