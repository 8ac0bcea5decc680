/** The patterns of a whole document. Each is compiled when the document is read, and blocks its process meanwhile. */
import type { Fault } from './fault.ts'
import { instructionsToBuild, LENGTH_MAX } from './pattern.ts'

/** The instructions of all patterns together: they compile in about a second. */
const TOTAL_MAX = 200_000
/** Each pattern costs as much as so many instructions, however short it is. */
const EACH = 20

/** The first place where the patterns of a value have become too large. They are not compiled. */
export function patternsFault(value: unknown): Fault | undefined {
  let total = 0
  const add = (path: string, size: number): Fault | undefined => {
    total += EACH + size
    if (total <= TOTAL_MAX) return undefined
    const message = `the patterns up to this one are too large together: expected at most ${TOTAL_MAX} instructions of RE2; shorten their repetitions`
    return { path, message }
  }
  const search = (inner: unknown, path: string, isPattern: boolean): Fault | undefined => {
    if (typeof inner === 'string') {
      if (isPattern) return add(path, instructionsToBuild(inner))
      // An expression may have many patterns, of which each is small enough.
      const [, ...calls] = inner.split('.matches(')
      return calls.length > 0 ? add(path, sumOf(calls)) : undefined
    }
    if (typeof inner !== 'object' || inner === null) return undefined
    const isList = Array.isArray(inner)
    for (const [key, item] of Object.entries(inner)) {
      const at = isList ? `${path}[${key}]` : path ? `${path}.${key}` : key
      const named = path.endsWith('patternProperties')
        ? add(at, instructionsToBuild(key))
        : undefined
      const isOne = key === 'pattern' || (key === 'message' && RULE.test(path))
      const found = named ?? search(item, at, isOne)
      if (found) return found
    }
    return undefined
  }
  return search(value, '', false)
}

const sumOf = (calls: readonly string[]): number =>
  calls.reduce((sum, call) => sum + instructionsToBuild(call.slice(0, LENGTH_MAX)), 0)

/** A rule of `failures`. */
const RULE = /\brules\[\d+\]$/
