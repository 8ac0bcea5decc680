/** Redacts secrets in values before they are journalled, shown or sent to a model. */
import type { Json } from '../core/watch/data/json.ts'

const MASK = '[redacted]'

/** Patterns of well-known credentials: API keys, bearer tokens, private keys, passwords inside URLs. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(sk|pk|rk)-[A-Za-z0-9_-]{16,}/g, MASK],
  [/\bgh[pousr]_[A-Za-z0-9]{20,}/g, MASK],
  [/\bAKIA[A-Z0-9]{16}\b/g, MASK],
  [/\bxox[abprs]-[A-Za-z0-9-]{10,}/g, MASK],
  [/\bBearer\s+[A-Za-z0-9._~+/-]{16,}=*/g, `Bearer ${MASK}`],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g, MASK],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, MASK],
  [/(\w+:\/\/[^\s:@/]+:)[^\s:@/]+@/g, `$1${MASK}@`],
]

/** One cheap test for any of them: most texts match none. */
const SUSPECT = /\b(?:sk|pk|rk)-|gh[pousr]_|AKIA|xox|Bearer|eyJ|PRIVATE KEY|:\/\/[^\s/]*@/

/** A redactor that also masks these secrets. Secrets under 8 characters are ignored: they would match ordinary words. */
export function redactor(secrets: readonly string[] = []): (value: Json) => Json {
  const known = secrets.filter(secret => secret.length >= 8)
  const clean = (text: string): string => {
    const masked = known.reduce(
      (rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, MASK) : rest),
      text,
    )
    return SUSPECT.test(masked)
      ? PATTERNS.reduce((rest, [pattern, mask]) => rest.replace(pattern, mask), masked)
      : masked
  }
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return clean(value)
    if (value === null || typeof value !== 'object') return value
    const before: readonly Json[] = Object.values(value)
    const after = before.map(walk)
    const keys = Array.isArray(value) ? [] : Object.keys(value)
    // Most values are clean and are returned as they are.
    const isClean = after.every((inner, index) => inner === before[index])
    if (isClean && keys.every(key => clean(key) === key)) return value
    return Array.isArray(value)
      ? after
      : Object.fromEntries(keys.map((key, index) => [clean(key), after[index] as Json]))
  }
  return walk
}
