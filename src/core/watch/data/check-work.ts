/** The work of checking a value by a schema of zod. It is counted, because it grows with the value times the schema. */
import type { z } from 'zod'
import { LinearPattern } from './pattern.ts'

type Schema = z.core.$ZodType

/** Properties, items, keys and alternatives that one read may check. */
const WORK_MAX = 3_000_000
/** A record itself, and each of its keys, which is checked by a schema of its own and often by a pattern. */
const RECORD = 10
const KEY = 6
/** The results of both sides of an intersection are joined. */
const JOIN = 10
/** From so many properties on, the engine no longer optimizes their checks, and each takes longer. */
const WIDE = 1_000
/** Keys that are copied or compared in the time of one check. */
const COPIED = 2

/** A read has used up its work. */
export class TooMuchWork extends Error {}

/** What is left of the work of one read. `patterns`: the steps that the patterns of texts may take, as `matches` in CEL. Default: any number. */
export interface Work {
  left: number
  patterns?: number
}

export const newWork = (patterns?: number): Work =>
  patterns === undefined ? { left: WORK_MAX } : { left: WORK_MAX, patterns }

/** `given`: what the patterns were given. */
export const patternStepsIn = ({ patterns }: Work, given = 0): number =>
  patterns === undefined ? 0 : given - patterns

export const checksIn = ({ left }: Work): number => WORK_MAX - left

/** Has a schema count its work, if the context has some. Call it when nothing else replaces its `run`. */
export function countWork(schema: Schema, workIn: (context: object) => Work | undefined): void {
  const inside = schema._zod
  const { run, def } = inside
  const cost = costOf(def)
  const patterns = def.type === 'string' ? patternsOf(def) : NONE
  if (!cost && patterns.length === 0) return
  inside.run = (payload, context) => {
    const work = workIn(context)
    if (work && cost) work.left -= cost(payload.value)
    if (work?.patterns !== undefined) work.patterns -= stepsOf(patterns, payload.value)
    if (work && (work.left < 0 || (work.patterns ?? 0) < 0)) throw new TooMuchWork()
    return run(payload, context)
  }
}

const NONE: readonly LinearPattern[] = []

/** The patterns that a schema of texts checks. */
function patternsOf({ checks = [] }: Schema['_zod']['def']): readonly LinearPattern[] {
  const defs = checks.map(({ _zod: { def } }) => def as { readonly pattern?: unknown })
  return defs.flatMap(({ pattern }) => (pattern instanceof LinearPattern ? [pattern] : []))
}

/** In the worst case, each instruction reads each character. */
const INSTRUCTIONS_PER_STEP = 8

const stepsOf = (patterns: readonly LinearPattern[], value: unknown): number =>
  typeof value === 'string'
    ? patterns.reduce(
        (sum, { instructions }) => sum + value.length * (1 + instructions / INSTRUCTIONS_PER_STEP),
        0,
      )
    : 0

/** The number of checks of a value, without those in its items and properties. */
function costOf(def: Schema['_zod']['def']): ((value: unknown) => number) | undefined {
  switch (def.type) {
    case 'union': {
      const { length } = (def as z.core.$ZodUnionDef).options
      return () => length
    }
    case 'literal': {
      const size = sizeOf((def as z.core.$ZodLiteralDef<never>).values)
      return () => size
    }
    case 'object': {
      const { length } = Object.keys((def as z.core.$ZodObjectDef).shape)
      const properties = length * (1 + length / WIDE)
      return value => (isObject(value) ? properties + keysOf(value) / COPIED : 0)
    }
    case 'record':
      return value => RECORD + keysOf(value) * KEY
    case 'intersection':
      return value => JOIN + keysOf(value) / COPIED
    case 'array':
    case 'tuple':
      return value => (Array.isArray(value) ? value.length : 0)
    case 'set':
    case 'map':
      return value => (value instanceof Set || value instanceof Map ? value.size : 0)
    default:
      return undefined
  }
}

/** The values in a value, with itself. */
export const sizeOf = (value: unknown): number =>
  isObject(value) ? Object.values(value).reduce<number>((sum, inner) => sum + sizeOf(inner), 1) : 1

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const keysOf = (value: unknown): number => (isObject(value) ? Object.keys(value).length : 0)
