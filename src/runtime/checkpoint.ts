/** Checkpoints: a run as it is stored. Full chunks of logs and long texts stand in it by their hash, stored once for all checkpoints. */
import { createHash } from 'node:crypto'
import type { Log } from '../core/graph/log.ts'
import type { Snapshot } from '../core/graph/machine.ts'
import type { Run } from '../core/run.ts'
import type { Json } from '../core/watch/json.ts'
import type { Checkpoint } from './store.ts'

/** A channel as it is stored. Tagged, so that no value of a user can be mistaken for a reference. */
type Packed =
  | { readonly as: 'value'; readonly value: Json }
  | { readonly as: 'text'; readonly hash: string }
  | { readonly as: 'log'; readonly length: number; readonly levels: readonly (readonly string[])[]; readonly tail: readonly Json[] }

/** Texts longer than this are kept apart: a long draft stands in many checkpoints and is stored once. */
const LONG = 2_048

/** Packs the runs of one driver. It remembers which chunks it has handed out: they are immutable, and stored by then. */
export function packer(): (run: Run) => Pick<Checkpoint, 'run' | 'chunks'> {
  const known = new WeakMap<object, string>()
  return run => {
    const chunks = new Map<string, Json>()
    const put = (body: Json): string => {
      const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)
      chunks.set(hash, body)
      return hash
    }
    const refer = (chunk: readonly Json[], level: number): string => {
      const seen = known.get(chunk)
      if (seen) return seen
      const hash = put(level === 0 ? chunk : chunk.map(inner => refer(inner as readonly Json[], level - 1)))
      known.set(chunk, hash)
      return hash
    }
    const packed = (value: Json): Packed => {
      if (typeof value === 'string' && value.length > LONG) return { as: 'text', hash: put(value) }
      if (!isLog(value)) return { as: 'value', value }
      return { as: 'log', length: value.length, levels: value.levels.map((level, depth) => level.map(chunk => refer(chunk, depth))), tail: value.tail }
    }
    const snapshot = (of: Snapshot) => ({ ...of, context: mapped(of.context, packed) })
    const whole = { ...run, snapshot: snapshot(run.snapshot), mark: { ...run.mark, snapshot: snapshot(run.mark.snapshot) } }
    return { run: whole as unknown as Json, chunks }
  }
}

type Fetch = (hashes: readonly string[]) => Promise<ReadonlyMap<string, Json>>

/** The run of a checkpoint; `fetch` gives chunks by their hashes. */
export async function unpacked(stored: Json, fetch: Fetch): Promise<Run> {
  const whole = stored as unknown as Run
  const contexts = [whole.snapshot.context, whole.mark.snapshot.context] as unknown as readonly Readonly<Record<string, Packed>>[]
  const bodies = await fetched(
    contexts.flatMap(context => Object.values(context)),
    fetch,
  )
  const chunk = (hash: string, level: number): readonly Json[] => {
    const body = bodies.get(hash) as readonly Json[]
    return level === 0 ? body : body.map(inner => chunk(inner as string, level - 1))
  }
  const value = (packed: Packed): Json => {
    if (packed.as === 'value') return packed.value
    if (packed.as === 'text') return bodies.get(packed.hash) ?? null
    const log: Log = { length: packed.length, levels: packed.levels.map((level, depth) => level.map(hash => chunk(hash, depth))), tail: packed.tail }
    return log as unknown as Json
  }
  const snapshot = (of: Snapshot): Snapshot => ({ ...of, context: mapped(of.context as unknown as Readonly<Record<string, Packed>>, value) as Snapshot['context'] })
  return { ...whole, snapshot: snapshot(whole.snapshot), mark: { ...whole.mark, snapshot: snapshot(whole.mark.snapshot) } }
}

/** All chunks these channels need, level by level. */
async function fetched(channels: readonly Packed[], fetch: Fetch): Promise<ReadonlyMap<string, Json>> {
  const bodies = new Map<string, Json>()
  let wanted = channels.flatMap(channel =>
    channel.as === 'text' ? [{ hash: channel.hash, level: 0 }] : channel.as === 'log' ? channel.levels.flatMap((level, depth) => level.map(hash => ({ hash, level: depth }))) : [],
  )
  while (wanted.length > 0) {
    for (const [hash, body] of await fetch(wanted.map(({ hash }) => hash))) bodies.set(hash, body)
    wanted = wanted.flatMap(({ hash, level }) => (level === 0 ? [] : (bodies.get(hash) as readonly string[]).map(inner => ({ hash: inner, level: level - 1 }))))
  }
  return bodies
}

function mapped<A, B>(of: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]))
}

function isLog(value: Json): value is Json & Log {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'levels' in value && 'tail' in value && 'length' in value && Array.isArray(value.levels)
}
