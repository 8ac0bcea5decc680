/** The fault of a value from code that is nested too deep or too large. A file has the same limits. */
import type { Fault } from './fault.ts'
import { beginningOf, LEVELS_MAX, TOO_DEEP } from './json.ts'

/** The parts directly in a value, each with its step in a path: `.key` or `[0]`. */
type PartsOf = (outer: object) => readonly (readonly [step: string, inner: unknown])[]

/** A file of the permitted size holds at most as many. */
const VALUES_MAX = 1_000_000

const allParts: PartsOf = outer => {
  const isList = Array.isArray(outer)
  return Object.entries(outer).map(([key, inner]) => [isList ? `[${key}]` : `.${key}`, inner])
}

/** The first place that is nested too deep for recursive functions, or holds too many values. A value with a cycle has no end, and is too deep. */
export function depthFault(value: unknown): Fault | undefined {
  const path = placeBelow(value, LEVELS_MAX, allParts)
  return path === undefined ? sizeFault(value) : { path, message: TOO_DEEP }
}

/** An object that stands in several places is read in each: 25 objects that contain the next one twice are 33 million values. */
function sizeFault(value: unknown): Fault | undefined {
  const sizes = new Map<object, number>()
  const sizeOf = (inner: unknown): number =>
    isObject(inner) ? (sizes.get(inner) ?? measure(inner)) : 1
  const measure = (outer: object): number => {
    let size = 1
    for (const [, inner] of allParts(outer)) size += sizeOf(inner)
    sizes.set(outer, size)
    return size
  }
  if (sizeOf(value) <= VALUES_MAX) return undefined
  let [path, place] = ['', value as object]
  for (;;) {
    const inside = allParts(place).find(([, inner]) => sizeOf(inner) > VALUES_MAX)
    if (inside === undefined) break
    path += inside[0]
    place = inside[1] as object
  }
  const message = `holds more than ${VALUES_MAX.toLocaleString('en')} values`
  return { path: beginningOf(path.replace(/^\./, '')), message }
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
