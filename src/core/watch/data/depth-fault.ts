/** The fault of a value from code that is nested too deep. A file has the same limit. */
import type { Fault } from './fault.ts'
import { beginningOf, LEVELS_MAX, TOO_DEEP } from './json.ts'

/** The parts directly in a value, each with its step in a path: `.key` or `[0]`. */
type PartsOf = (outer: object) => readonly (readonly [step: string, inner: unknown])[]

/** The first place that is nested too deep for recursive functions. A value with a cycle has no end, and is too deep. */
export function depthFault(value: unknown): Fault | undefined {
  const path = placeBelow(value, LEVELS_MAX, outer => {
    const isList = Array.isArray(outer)
    return Object.entries(outer).map(([key, inner]) => [isList ? `[${key}]` : `.${key}`, inner])
  })
  return path === undefined ? undefined : { path, message: TOO_DEEP }
}

/**
 * The beginning of the path to the first object that is more than `levels` below a value. Reads one level after the other: the search
 * itself must not overflow the stack, and an object with many places in a level is read once.
 */
export function placeBelow(value: unknown, levels: number, partsOf: PartsOf): string | undefined {
  let level = new Map<object, string>()
  if (isObject(value)) level.set(value, '')
  for (let above = 0; above <= levels && level.size > 0; above++) {
    const below = new Map<object, string>()
    for (const [outer, path] of level)
      for (const [step, inner] of partsOf(outer))
        if (isObject(inner) && !below.has(inner)) below.set(inner, path + step)
    level = below
  }
  const [path] = level.values()
  return path === undefined ? undefined : beginningOf(path.replace(/^\./, ''))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
