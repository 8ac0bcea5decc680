/** Checkpoints: stored runs. Long values of a context are replaced by their hashes and stored once for all checkpoints. */
import { createHash } from 'node:crypto'
import { type Context, type Log, CHUNK, itemsOf, logOf } from '../../core/graph/channels.ts'
import type { Snapshot } from '../../core/graph/machine.ts'
import type { Run } from '../../core/run/run.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { damagedError } from './row-text.ts'
import type { Checkpoint } from './store.ts'

/** A stored channel. The tag distinguishes references from user values. */
type Packed = Single | Many

type Single =
  | { readonly as: 'value'; readonly value: Json }
  | { readonly as: 'chunk'; readonly hash: string }

/** A log, or a long list stored like one: most of a growing list is in chunks that are stored already. */
interface Many {
  readonly as: 'log' | 'list'
  readonly length: number
  readonly levels: readonly (readonly string[])[]
  readonly tail: readonly Single[]
}

/** Values with more characters than this are stored as chunks: a long draft is stored once for many checkpoints. */
const LONG = 2_048

/** Packs the runs of one driver; `logs` names the channels that hold a log. Chunks of logs are immutable, so each is returned once. */
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
      const below = (item: Json) => refer(item as readonly Json[], level - 1)
      const hash = put(level === 0 ? chunk : chunk.map(below))
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
    const packed = mapContexts(run, (value, channel): Packed => {
      if (logs.has(channel)) return many('log', value as unknown as Log)
      const isLong = Array.isArray(value) && value.length > CHUNK
      return isLong ? many('list', logOf(value)) : single(value)
    })
    return { run: packed as unknown as Json, chunks }
  }
}

type Fetch = (hashes: readonly string[]) => Promise<ReadonlyMap<string, Json>>

/** The run of a checkpoint; `fetch` returns chunks by their hashes. @throws StoreUnavailable */
export async function unpack(stored: Json, fetch: Fetch): Promise<Run> {
  const run = stored as unknown as Run
  const contexts = [run.snapshot.context, run.savepoint.snapshot.context, run.opening.context ?? {}]
  const packed = contexts.flatMap(context => Object.values(context) as unknown as readonly Packed[])
  const bodies = await fetchChunks(packed, fetch)
  const chunk = (hash: string, level: number): readonly Json[] => {
    const body = bodies.get(hash) as readonly Json[]
    return level === 0 ? body : body.map(inner => chunk(inner as string, level - 1))
  }
  const single = (packed: Single): Json =>
    packed.as === 'value' ? packed.value : (bodies.get(packed.hash) as Json)
  return mapContexts(run, value => {
    const channel = value as unknown as Packed
    if (channel.as === 'value' || channel.as === 'chunk') return single(channel)
    const log: Log = {
      length: channel.length,
      levels: channel.levels.map((level, depth) => level.map(hash => chunk(hash, depth))),
      tail: channel.tail.map(single),
    }
    return channel.as === 'log' ? log : itemsOf(log)
  })
}

/** Fetches all chunks of these channels, level by level. @throws StoreUnavailable if one is missing: its channel would lose a part */
async function fetchChunks(channels: readonly Packed[], fetch: Fetch): ReturnType<Fetch> {
  const bodies = new Map<string, Json>()
  let wanted = channels.flatMap(chunksOf)
  while (wanted.length > 0) {
    for (const [hash, body] of await fetch(wanted.map(({ hash }) => hash))) bodies.set(hash, body)
    const missing = wanted.find(({ hash }) => !bodies.has(hash))
    if (missing) throw damagedError(`the value stored as ${missing.hash}`)
    wanted = wanted
      .filter(({ level }) => level > 0)
      .flatMap(({ hash, level }) =>
        (bodies.get(hash) as readonly string[]).map(inner => ({ hash: inner, level: level - 1 })),
      )
  }
  return bodies
}

function chunksOf(channel: Packed): readonly { readonly hash: string; readonly level: number }[] {
  if (channel.as === 'value') return []
  if (channel.as === 'chunk') return [{ hash: channel.hash, level: 0 }]
  const levels = channel.levels.flatMap((hashes, level) => hashes.map(hash => ({ hash, level })))
  return [...levels, ...channel.tail.flatMap(chunksOf)]
}

/** Changes every channel in the contexts of a run: the current one, the savepoint's and the opening one. */
function mapContexts(run: Run, change: (value: Json, channel: string) => unknown): Run {
  const mapped = (of: Context) => {
    const entries = Object.entries(of).map(([key, value]) => [key, change(value, key)])
    return Object.fromEntries(entries) as Context
  }
  const snapshot = (of: Snapshot): Snapshot => ({ ...of, context: mapped(of.context) })
  return {
    ...run,
    opening: { ...run.opening, context: run.opening.context && mapped(run.opening.context) },
    snapshot: snapshot(run.snapshot),
    savepoint: { ...run.savepoint, snapshot: snapshot(run.savepoint.snapshot) },
  }
}
