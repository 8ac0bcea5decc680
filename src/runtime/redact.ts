/** Takes secrets out of values before they are journalled, shown or sent to a model. */
import type { Json } from '../core/watch/data/json.ts'

const MASK = '[redacted]'

/** Shapes of well-known credentials: API keys, bearer tokens, private keys, passwords inside URLs. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b(sk|pk|rk)-[A-Za-z0-9_-]{16,}/g, MASK],
  [/\bgh[pousr]_[A-Za-z0-9]{20,}/g, MASK],
  [/\bAKIA[A-Z0-9]{16}\b/g, MASK],
  [/\bxox[abprs]-[A-Za-z0-9-]{10,}/g, MASK],
  [/\bBearer\s+[A-Za-z0-9._~+/-]{16,}=*/g, `Bearer ${MASK}`],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g, MASK],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, MASK],
  [/(\w+:\/\/[^\s:@/]+:)[^\s:@/]+@/g, `$1${MASK}@`],
]

/** One look for any of them: nearly all texts have none, and pay for this alone. */
const SUSPECT = /\b(?:sk|pk|rk)-|gh[pousr]_|AKIA|xox|Bearer|eyJ|PRIVATE KEY|:\/\/[^\s/]*@/

/** A redactor that also knows these very secrets (the values of keys in use). Short ones are left alone: they would hit words. */
export function redactor(secrets: readonly string[] = []): (value: Json) => Json {
  const known = secrets.filter(secret => secret.length >= 8)
  const clean = (text: string): string => {
    const masked = known.reduce(
      (rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, MASK) : rest),
      text,
    )
    return SUSPECT.test(masked)
      ? SHAPES.reduce((rest, [shape, mask]) => rest.replace(shape, mask), masked)
      : masked
  }
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return clean(value)
    if (value === null || typeof value !== 'object') return value
    const before: readonly Json[] = Object.values(value)
    const after = before.map(walk)
    const keys = Array.isArray(value) ? [] : Object.keys(value)
    // Nearly every value is clean, and stays the object it is.
    if (
      after.every((inner, index) => inner === before[index]) &&
      keys.every(key => clean(key) === key)
    )
      return value
    return Array.isArray(value)
      ? after
      : Object.fromEntries(keys.map((key, index) => [clean(key), after[index] as Json]))
  }
  return walk
}
