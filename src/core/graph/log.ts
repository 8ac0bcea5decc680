/**
 * A log: the value of an append channel. Appending costs the same at any length.
 *
 * A counter in base 64 whose digits are lists: `tail` holds the latest items, `levels[0]` full chunks of 64 items,
 * `levels[1]` chunks of 64 such chunks, and so on. A full chunk never changes: a store keeps it once, and
 * checkpoints refer to it; a checkpoint of a log of n items is of size O(log n).
 */
import type { Json } from '../watch/data/json.ts'

export interface Log {
  readonly length: number
  readonly levels: readonly (readonly Chunk[])[]
  readonly tail: readonly Json[]
}

/** 64 items, or 64 chunks of the level below. */
export type Chunk = readonly Json[]

export const CHUNK = 64
export const EMPTY_LOG: Log = { length: 0, levels: [], tail: [] }

export function appendItem(log: Log, item: Json): Log {
  const tail = [...log.tail, item]
  const length = log.length + 1
  return tail.length < CHUNK
    ? { ...log, length, tail }
    : { length, levels: carryChunk(log.levels, tail), tail: [] }
}

function carryChunk(levels: Log['levels'], full: Chunk): Log['levels'] {
  const [first = [], ...rest] = levels
  const level = [...first, full]
  return level.length < CHUNK ? [level, ...rest] : [[], ...carryChunk(rest, level)]
}

export const logOf = (items: readonly Json[]): Log => items.reduce<Log>(appendItem, EMPTY_LOG)

/** All items, oldest first. Costs O(n). */
export function itemsOf(log: Log): readonly Json[] {
  const oldestFirst = log.levels
    .map((chunks, level) => chunks.flatMap(chunk => flattenChunk(chunk, level)))
    .reverse()
  return [...oldestFirst.flat(), ...log.tail]
}

const flattenChunk = (chunk: Chunk, level: number): readonly Json[] =>
  level === 0 ? chunk : chunk.flatMap(inner => flattenChunk(inner as Chunk, level - 1))
