/** Checkpoints: a run as it is stored. Whatever is long in its context stands in it by its hash, stored once for all checkpoints. */
import { createHash } from 'node:crypto'
import type { Context } from '../../core/graph/channels.ts'
import { CHUNK, itemsOf, type Log, logOf } from '../../core/graph/log.ts'
import type { Snapshot } from '../../core/graph/machine.ts'
import type { Run } from '../../core/run.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Checkpoint } from './store.ts'

/** A channel as it is stored. Tagged, so that no value of a user can be mistaken for a reference. */
type Packed = Single | Many

type Single =
  | { readonly as: 'value'; readonly value: Json }
  | { readonly as: 'chunk'; readonly hash: string }

/** A log, or a list that is kept like one: of a list that only grows, most stands in chunks that are there already. */
interface Many {
  readonly as: 'log' | 'list'
  readonly length: number
  readonly levels: readonly (readonly string[])[]
  readonly tail: readonly Single[]
}

/** Values with more characters than this are kept apart: a long draft stands in many checkpoints and is stored once. */
const LONG = 2_048

/**
 * Packs the runs of one driver; `logs` names the channels that hold a log. It remembers which chunks it has handed out: they
 * are immutable, and stored by then.
 */
export function packer(
  logs: ReadonlySet<string>,
): (run: Run) => Pick<Checkpoint, 'run' | 'chunks'> {
  const known = new WeakMap<object, string>()
  return run => {
    const chunks = new Map<string, Json>()
    const put = (body: Json, text = JSON.stringify(body)): string => {
      const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22)
      chunks.set(hash, body)
      return hash
    }
    const refer = (chunk: readonly Json[], level: number): string => {
      const seen = known.get(chunk)
      if (seen) return seen
      const hash = put(
        level === 0 ? chunk : chunk.map(inner => refer(inner as readonly Json[], level - 1)),
      )
      known.set(chunk, hash)
      return hash
    }
    const single = (value: Json, text = JSON.stringify(value)): Single =>
      text.length > LONG ? { as: 'chunk', hash: put(value, text) } : { as: 'value', value }
    const many = (as: Many['as'], { length, levels, tail }: Log): Many => ({
      as,
      length,
      levels: levels.map((level, depth) => level.map(chunk => refer(chunk, depth))),
      tail: tail.map(item => single(item)),
    })
    const packed = (value: Json, channel: string): Packed => {
      if (logs.has(channel)) return many('log', value as unknown as Log)
      return Array.isArray(value) && value.length > CHUNK
        ? many('list', logOf(value))
        : single(value)
    }
    const context = (of: Context) => mapChannels(of, packed)
    const snapshot = (of: Snapshot) => ({ ...of, context: context(of.context) })
    const opening = { ...run.opening, context: run.opening.context && context(run.opening.context) }
    const whole = {
      ...run,
      opening,
      snapshot: snapshot(run.snapshot),
      savepoint: { ...run.savepoint, snapshot: snapshot(run.savepoint.snapshot) },
    }
    return { run: whole as unknown as Json, chunks }
  }
}

type Fetch = (hashes: readonly string[]) => Promise<ReadonlyMap<string, Json>>

/** The run of a checkpoint; `fetch` gives chunks by their hashes. */
export async function unpack(stored: Json, fetch: Fetch): Promise<Run> {
  const whole = stored as unknown as Run
  const contexts = [
    whole.snapshot.context,
    whole.savepoint.snapshot.context,
    whole.opening.context ?? {},
  ] as unknown as readonly Readonly<Record<string, Packed>>[]
  const bodies = await fetchChunks(
    contexts.flatMap(context => Object.values(context)),
    fetch,
  )
  const chunk = (hash: string, level: number): readonly Json[] => {
    const body = bodies.get(hash) as readonly Json[]
    return level === 0 ? body : body.map(inner => chunk(inner as string, level - 1))
  }
  const single = (packed: Single): Json =>
    packed.as === 'value' ? packed.value : (bodies.get(packed.hash) ?? null)
  const value = (packed: Packed): Json => {
    if (packed.as === 'value' || packed.as === 'chunk') return single(packed)
    const { as, length, levels, tail } = packed
    const log: Log = {
      length,
      levels: levels.map((level, depth) => level.map(hash => chunk(hash, depth))),
      tail: tail.map(single),
    }
    return as === 'log' ? (log as unknown as Json) : itemsOf(log)
  }
  const context = (of: Context): Context =>
    mapChannels(of as unknown as Readonly<Record<string, Packed>>, value)
  const snapshot = (of: Snapshot): Snapshot => ({ ...of, context: context(of.context) })
  return {
    ...whole,
    opening: { ...whole.opening, context: whole.opening.context && context(whole.opening.context) },
    snapshot: snapshot(whole.snapshot),
    savepoint: { ...whole.savepoint, snapshot: snapshot(whole.savepoint.snapshot) },
  }
}

interface Wanted {
  readonly hash: string
  readonly level: number
}

/** All chunks these channels need, level by level. */
async function fetchChunks(
  channels: readonly Packed[],
  fetch: Fetch,
): Promise<ReadonlyMap<string, Json>> {
  const bodies = new Map<string, Json>()
  let wanted = channels.flatMap(wantedBy)
  while (wanted.length > 0) {
    for (const [hash, body] of await fetch(wanted.map(({ hash }) => hash))) bodies.set(hash, body)
    wanted = wanted.flatMap(({ hash, level }) =>
      level === 0
        ? []
        : (bodies.get(hash) as readonly string[]).map(inner => ({ hash: inner, level: level - 1 })),
    )
  }
  return bodies
}

function wantedBy(channel: Packed): readonly Wanted[] {
  switch (channel.as) {
    case 'value':
      return []
    case 'chunk':
      return [{ hash: channel.hash, level: 0 }]
    default:
      return [
        ...channel.levels.flatMap((level, depth) => level.map(hash => ({ hash, level: depth }))),
        ...channel.tail.flatMap(wantedBy),
      ]
  }
}

function mapChannels<A, B>(
  of: Readonly<Record<string, A>>,
  change: (value: A, key: string) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value, key)]))
}
