/** Redacts secrets in values before they are journaled, shown or sent to a model. */
import { hash, isMap, type Json, mapFields, valueAt } from '../../core/watch/data/json.ts'
import { maskBytes } from './byte-lists.ts'
import { credentialsIn } from './credentials.ts'
import { type Header, isHeader } from './header-values.ts'
import { patternsOf, SECRET_MIN } from './known-values.ts'
import { MASK, overlapping, type Span } from './mask.ts'
import { nestedSearch } from './nested.ts'
import { type ProcessSecrets, processSecrets } from './process-secrets.ts'
import { maskLayers } from './unescape.ts'

/** A redactor of the secrets of this process, and of these, in clear and encoded. Secrets under 8 characters are ignored. */
export function redactor(secrets: readonly string[] = []): <T>(value: T) => T {
  let shared: ProcessSecrets | undefined
  let known: readonly RegExp[] = []
  const current = (): readonly RegExp[] => {
    const now = processSecrets()
    if (now === shared) return known
    shared = now
    const own = secrets.filter(each => !now.values.has(each))
    known = [...patternsOf(own), ...now.patterns]
    return known
  }
  const clean = (text: string): string =>
    text.length < SECRET_MIN ? text : maskAll(text, current())
  // As in its line. Some programs join headers of the same name with line breaks.
  const headerValue = ({ name, key, value }: Header): string => {
    const start = `${name ?? key}: `
    const lines = value.split('\n').map(line => clean(start + line))
    return lines.map(line => (line.startsWith(start) ? line.slice(start.length) : MASK)).join('\n')
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (value === null || typeof value !== 'object') return value
    const before: readonly unknown[] = Object.values(value)
    const bytes = orMask({ 0: MASK }, () => maskBytes(before, searchFor(current())))
    if (bytes) return Array.isArray(value) ? Object.values(bytes) : walk(withKeysOf(value, bytes))
    const fields = isHeader(value) ? { ...value, value: headerValue(value) } : value
    const after = Object.values(fields).map(walk)
    const keys = Array.isArray(value) ? [] : Object.keys(value)
    // Most values are clean and are returned as they are.
    const isClean = after.every((inner, index) => inner === before[index])
    if (isClean && keys.every(key => clean(key) === key)) return value
    if (Array.isArray(value)) return after
    const names = distinct(keys.map(clean))
    return Object.fromEntries(names.map((name, index) => [name, after[index]]))
  }
  return walk as <T>(value: T) => T
}

const maskAll = (text: string, known: readonly RegExp[]): string =>
  orMask(MASK, () => {
    const clean = known.length === 0 ? text : maskLayers(text, searchFor(known))
    return maskLayers(clean, credentialsIn)
  })

/** A run of millions of characters exceeds the stack of the engine: such a text is masked whole. */
function orMask<Masked>(mask: Masked, work: () => Masked): Masked {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) return mask
    throw error
  }
}

/** Finds known values in a text. For one text, and what it was before it was escaped. */
function searchFor(known: readonly RegExp[]): (text: string) => readonly Span[] {
  if (known.length === 0) return () => []
  const nestedIn = nestedSearch(known)
  return text => [...known.flatMap(pattern => overlapping(pattern, text)), ...nestedIn(text)]
}

const withKeysOf = (value: object, items: Readonly<Record<number, unknown>>) => {
  const keys = Object.keys(value)
  return Object.fromEntries(
    Object.entries(items).map(([index, item]) => [keys[Number(index)], item]),
  )
}

/** Two keys that are secrets become `[redacted]` and `[redacted] 2`, so that both values remain. */
function distinct(keys: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  /** An object may have as many keys as secrets, all of one name. */
  const next = new Map<string, number>()
  return keys.map(key => {
    let name = key
    let nth = next.get(key) ?? 2
    while (taken.has(name)) name = `${key} ${nth++}`
    next.set(key, nth)
    taken.add(name)
    return name
  })
}

/** A redacted key. Different keys stay different, and equal keys equal. */
export function redactKey(redact: <T>(value: T) => T, key: string): string {
  const redacted = redact(key)
  return redacted === key ? key : `${redacted}-${hash(key)}`
}

/** A redacted change of a policy. The custom keys of its scopes stay different from each other. */
export function redactChange(redact: <T>(value: T) => T, change: Json): Json {
  const scopes = valueAt(change, 'limits.scopes')
  if (!isMap(change) || !isMap(change.limits) || !isMap(scopes)) return redact(change)
  const keyed = mapFields(scopes, scope =>
    isMap(scope) && typeof scope.key === 'string'
      ? { ...scope, key: redactKey(redact, scope.key) }
      : scope,
  )
  return redact({ ...change, limits: { ...change.limits, scopes: keyed } })
}
