/** Plain data: what may stand in an event, a snapshot and a store. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** Levels of what comes from outside: nobody means more, and all that walks through it must find its way back. */
export const LEVELS_MAX = 1_000

/** Says where a value stops being plain data, or `undefined` if all of it is. Paths read `a.b[2]`. */
export function notJsonAt(value: unknown, path = ''): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : `${path || '(value)'} is ${value}`
  if (typeof value !== 'object')
    return `${path || '(value)'} is ${value === undefined ? 'undefined' : `a ${typeof value}`}`
  return notPlainAt(value, path, [])
}

/** The same, for a value that was made from another one: what both have in common is not looked at again. */
export function notJsonSince(
  before: Json | undefined,
  value: unknown,
  path = '',
): string | undefined {
  if (value === before && value !== undefined) return undefined
  if (Array.isArray(before) && Array.isArray(value)) {
    // By index: the keys of a long list would cost more than its comparison.
    for (let index = 0; index < value.length; index++) {
      const fault =
        value[index] === before[index] && index < before.length
          ? undefined
          : notJsonSince(before[index], value[index], `${path}[${index}]`)
      if (fault) return fault
    }
    return undefined
  }
  if (!isRecord(before) || !isRecord(value)) return notJsonAt(value, path)
  for (const key of Object.keys(value)) {
    const fault = notJsonSince(
      before[key] as Json | undefined,
      value[key],
      path ? `${path}.${key}` : key,
    )
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
  if (above.includes(value)) return `${path || '(value)'} refers back to itself`
  if (!Array.isArray(value) && !isPlain(value))
    return `${path || '(value)'} is a ${value.constructor?.name || 'foreign object'}`
  const keys = Object.keys(value)
  if (Array.isArray(value) && keys.length < value.length)
    return `${path || '(value)'} is a list with gaps`
  above.push(value)
  for (const key of keys) {
    const inner = (value as Readonly<Record<string, unknown>>)[key]
    if (inner === null || typeof inner === 'string' || typeof inner === 'boolean') continue
    const at = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key
    const fault =
      typeof inner === 'object' && inner !== null
        ? notPlainAt(inner, at, above)
        : notJsonAt(inner, at)
    if (fault) return fault
  }
  above.pop()
  return undefined
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** `items` with one more, the oldest left out once there are more than `max`. One copy of the list: detectors remember at every event. */
export function remember<T>(items: readonly T[], item: T, max: number): readonly T[] {
  const gone = Math.max(0, items.length + 1 - max)
  const next = new Array<T>(items.length + 1 - gone)
  for (let index = gone; index < items.length; index++) next[index - gone] = items[index] as T
  next[items.length - gone] = item
  return next
}
