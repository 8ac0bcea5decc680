/** Plain data: the values that events, snapshots and stores hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** The nesting limit for data from outside: recursive functions must not overflow the stack. */
export const LEVELS_MAX = 1_000

/** Whether a parsed value is nested deeper than `levels`. */
export function isTooDeep(value: unknown, levels = LEVELS_MAX): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(inner => isTooDeep(inner, levels - 1))
}

const VALUE = '(value)'

/** Names the first place where a value is not plain data, as `a.b[2] is a function`. */
export function notJsonAt(value: unknown, path = ''): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'object') return notPlainAt(value, path, [])
  if (Number.isFinite(value)) return undefined
  const kind = value === undefined || typeof value === 'number' ? value : `a ${typeof value}`
  return `${path || VALUE} is ${kind}`
}

/** `notJsonAt` for a value derived from a checked one: shared parts are skipped. */
export function notJsonSince(
  before: Json | undefined,
  value: unknown,
  path = '',
): string | undefined {
  if (value === before && value !== undefined) return undefined
  if (Array.isArray(before) && Array.isArray(value)) {
    // By index: the keys of a long list would cost more than the comparison.
    for (let index = 0; index < value.length; index++) {
      if (value[index] === before[index] && index < before.length) continue
      const fault = notJsonSince(before[index], value[index], `${path}[${index}]`)
      if (fault) return fault
    }
    return undefined
  }
  if (!isRecord(before) || !isRecord(value)) return notJsonAt(value, path)
  for (const key of Object.keys(value)) {
    const at = path ? `${path}.${key}` : key
    const fault = notJsonSince(before[key] as Json | undefined, value[key], at)
    if (fault) return fault
  }
  return undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlain(value)
}

function notPlainAt(value: object, path: string, above: object[]): string | undefined {
  if (above.length > LEVELS_MAX)
    return `${path.slice(0, 60)}… is nested deeper than ${LEVELS_MAX} levels`
  if (above.includes(value)) return `${path || VALUE} refers to itself`
  if (!Array.isArray(value) && !isPlain(value))
    return `${path || VALUE} is a ${value.constructor?.name || 'foreign object'}`
  const keys = Object.keys(value)
  if (Array.isArray(value) && keys.length < value.length)
    return `${path || VALUE} is a list with gaps`
  above.push(value)
  for (const key of keys) {
    const inner = (value as Readonly<Record<string, unknown>>)[key]
    if (inner === null || typeof inner === 'string' || typeof inner === 'boolean') continue
    const at = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key
    const fault = typeof inner === 'object' ? notPlainAt(inner, at, above) : notJsonAt(inner, at)
    if (fault) return fault
  }
  above.pop()
  return undefined
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Appends an item, and drops the oldest beyond `max`. Detectors call this at every event, so it copies the list once. */
export function remember<T>(items: readonly T[], item: T, max: number): readonly T[] {
  const dropped = Math.max(0, items.length + 1 - max)
  const next = new Array<T>(items.length + 1 - dropped)
  for (let index = dropped; index < items.length; index++) next[index - dropped] = items[index] as T
  next[items.length - dropped] = item
  return next
}
