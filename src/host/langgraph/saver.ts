/** A LangGraph checkpointer on a store of escapement: each checkpoint stores what has changed, and a list that has grown its new items. */
import { BaseCheckpointSaver, type Checkpoint, copyCheckpoint } from '@langchain/langgraph'
import type { CheckpointMetadata, CheckpointTuple } from '@langchain/langgraph'
import type { RunnableConfig } from '@langchain/core/runnables'
import { nodeOwner, systemClock } from '../../adapters/node/ports.ts'
import type { Row } from '../../core/run/run.ts'
import { canonical, type Json } from '../../core/watch/data/json.ts'
import { CONTINUE } from '../../core/watch/escape/ladder.ts'
import type { Stamped } from '../../core/watch/event/event.ts'
import { POLICY } from '../../core/watch/policy/policy.ts'
import { withLease } from '../../runtime/store/lease.ts'
import { CHECKPOINTS } from '../../runtime/store/query/tables.ts'
import type { Store } from '../../runtime/store/store.ts'
import {
  CheckpointIndex,
  channelAfter,
  type Note,
  type PutNote,
  type Stored,
} from './checkpoint-index.ts'

/** The threads of checkpoints in a store, beside those of graphs. */
const GRAPH = 'LangGraph checkpoints'
const WRAPPED_HASH = `wrapped ${GRAPH}`
/** The channel of `Send` in checkpoints of older versions. */
const TASKS = '__pregel_tasks'
/** The places of control writes, which replace one another. */
const CONTROL: Readonly<Record<string, number>> = {
  __error__: -1,
  __scheduled__: -2,
  __interrupt__: -3,
  __resume__: -4,
}

type Pending = [taskId: string, channel: string, value: unknown]
type ListOptions = Parameters<BaseCheckpointSaver['list']>[1]
type Configurable = {
  readonly thread_id?: string
  readonly checkpoint_ns?: string
  readonly checkpoint_id?: string
}

interface Known {
  readonly index: CheckpointIndex
  seq: number
  startedAt: number
}

/**
 * Keeps the checkpoints of LangGraph threads in a store, one journal for each thread: any store of escapement works, and several
 * processes may share it. Its size is linear in what the thread writes. `prune` deletes threads that had no checkpoint for a time.
 * @example const agent = graph.compile({ checkpointer: new EscapementSaver(sqliteStore('threads.db')) })
 */
export class EscapementSaver extends BaseCheckpointSaver {
  readonly #store: Store
  readonly #known = new Map<string, Known>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(store: Store, serde?: BaseCheckpointSaver['serde']) {
    super(serde)
    this.#store = store
  }

  /** The checkpoint that the config names, or the latest of its namespace. */
  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id: thread, checkpoint_ns: ns = '', checkpoint_id: id } = of(config)
    if (thread === undefined) return undefined
    const { index } = await this.#read(thread)
    const note = index.find(ns, id || undefined)
    return note && this.#tuple(thread, index, note)
  }

  /** Latest first. Without a `thread_id`, of all threads. */
  async *list(config: RunnableConfig, options: ListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id } = of(config)
    const { limit = Number.POSITIVE_INFINITY, before, filter = {} } = options
    const { checkpoint_id: end } = before ? of(before) : {}
    const wanted = Object.entries(filter).filter(([, value]) => value !== undefined)
    let left = limit
    for (const name of thread === undefined ? await this.#threads() : [thread]) {
      const { index } = await this.#read(name)
      for (const note of index.all()) {
        if (left <= 0) return
        if (
          (ns !== undefined && note.ns !== ns) ||
          (id && note.id !== id) ||
          (end && note.id >= end)
        )
          continue
        const metadata = (await this.#load(note.metadata)) as Record<string, unknown>
        if (!wanted.every(([key, value]) => canonical(metadata[key] ?? null) === canonical(value)))
          continue
        left -= 1
        yield this.#tuple(name, index, note)
      }
    }
  }

  /** @throws Error without a `thread_id` */
  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: Readonly<Record<string, unknown>>,
  ): Promise<RunnableConfig> {
    const { thread_id: thread, checkpoint_ns: ns = '', checkpoint_id: parent } = of(config)
    if (thread === undefined) throw new Error(MISSING)
    const { channel_values: values, ...rest } = copyCheckpoint(checkpoint)
    const dumped = new Map<string, Stored>()
    for (const name of Object.keys(newVersions))
      if (Object.hasOwn(values, name)) dumped.set(name, await this.#dump(values[name]))
    const [own, about] = [await this.#dump(rest), await this.#dump(metadata)]
    await this.#append(thread, index => {
      const above = parent === undefined ? undefined : index.find(ns, parent)
      const before = above ? index.channels(above) : new Map<string, Stored>()
      const channels = [...dumped].flatMap(([name, value]) => {
        const stored = channelAfter(before.get(name), value)
        return stored ? [[name, stored] as const] : []
      })
      return {
        ...{ kind: 'checkpoint', ns, id: checkpoint.id, checkpoint: own, metadata: about },
        ...(parent !== undefined && { parent }),
        channels: Object.fromEntries(channels),
        dropped: [...before.keys()].filter(name => !Object.hasOwn(values, name)),
      }
    })
    return { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: checkpoint.id } }
  }

  /** @throws Error without a `thread_id` or a `checkpoint_id` */
  async putWrites(
    config: RunnableConfig,
    writes: [channel: string, value: unknown][],
    task: string,
    path = '',
  ): Promise<void> {
    const { thread_id: thread, checkpoint_ns: ns = '', checkpoint_id: id } = of(config)
    if (thread === undefined) throw new Error(MISSING)
    if (id === undefined) throw new Error('configurable.checkpoint_id is missing')
    const dumped = await Promise.all(
      writes.map(async ([channel, value], index) => {
        return [CONTROL[channel] ?? index, channel, await this.#dump(value)] as const
      }),
    )
    await this.#append(thread, () => ({ kind: 'writes', ns, id, task, path, writes: dumped }))
  }

  /** Deletes the checkpoints of a LangGraph thread. */
  async deleteThread(thread: string): Promise<void> {
    const now = systemClock.now()
    await this.#serially(async () => {
      await this.#store.remove([[CHECKPOINTS + thread]], { before: now + 1, now })
      this.#known.delete(thread)
    })
  }

  async #tuple(thread: string, index: CheckpointIndex, note: PutNote): Promise<CheckpointTuple> {
    const place = (id: string) => ({
      configurable: { thread_id: thread, checkpoint_ns: note.ns, checkpoint_id: id },
    })
    const channels = await Promise.all(
      [...index.channels(note)].map(
        async ([name, value]) => [name, await this.#load(value)] as const,
      ),
    )
    const checkpoint = {
      ...((await this.#load(note.checkpoint)) as Checkpoint),
      channel_values: Object.fromEntries(channels),
    }
    const { parent } = note
    if (checkpoint.v < 4 && parent !== undefined)
      await this.#migrateSends(checkpoint, index, { ...note, id: parent })
    return {
      config: place(note.id),
      checkpoint,
      metadata: (await this.#load(note.metadata)) as CheckpointMetadata,
      ...(parent !== undefined && { parentConfig: place(parent) }),
      pendingWrites: await this.#pending(index, note),
    }
  }

  async #pending(index: CheckpointIndex, note: Pick<PutNote, 'ns' | 'id'>): Promise<Pending[]> {
    return Promise.all(
      index.writes(note).map(async ({ task, channel, value }): Promise<Pending> => {
        return [task, channel, await this.#load(value)]
      }),
    )
  }

  /** Checkpoints of older versions keep each `Send` among the writes of their parent. */
  async #migrateSends(
    checkpoint: Checkpoint,
    index: CheckpointIndex,
    parent: PutNote,
  ): Promise<void> {
    const sends = (await this.#pending(index, parent)).filter(([, channel]) => channel === TASKS)
    checkpoint.channel_values[TASKS] = sends.map(([, , value]) => value)
    const versions = Object.values(checkpoint.channel_versions) as number[]
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? versions.reduce((a, b) => (b > a ? b : a)) : 1
  }

  async #dump(value: unknown): Promise<Stored> {
    const [type, bytes] = await this.serde.dumpsTyped(value)
    const buffer = Buffer.from(bytes)
    return type === 'json'
      ? [type, buffer.toString('utf8')]
      : [type, buffer.toString('base64'), 'base64']
  }

  #load([type, text, encoding]: Stored): Promise<unknown> {
    return this.serde.loadsTyped(
      type,
      encoding ? new Uint8Array(Buffer.from(text, encoding)) : text,
    )
  }

  async #threads(): Promise<readonly string[]> {
    const page = await this.#store.page({ prefix: CHECKPOINTS })
    return page.map(({ thread }) => thread.slice(CHECKPOINTS.length))
  }

  /** The index with the rows that other processes have added. */
  async #read(thread: string): Promise<Known> {
    const known = this.#known.get(thread) ?? { index: new CheckpointIndex(), seq: -1, startedAt: 0 }
    this.#known.set(thread, known)
    for (const { seq, event } of await this.#store.rows(CHECKPOINTS + thread, known.seq)) {
      // A concurrent reader may have added the row.
      if (seq <= known.seq) continue
      known.seq = seq
      if (event.type === 'thread.started') known.startedAt = event.at
      if (event.type === 'reported') known.index.add(event.note as unknown as Note)
    }
    return known
  }

  async #append(thread: string, noteAfter: (index: CheckpointIndex) => Note): Promise<void> {
    const { redact: _, ...owner } = nodeOwner()
    await this.#serially(() =>
      withLease({ ...owner, store: this.#store }, CHECKPOINTS + thread, async lease => {
        const known = await this.#read(thread)
        const at = owner.wall()
        const rows = [
          ...(known.seq < 0 ? [rowOf(0, startedAt(at))] : []),
          rowOf(Math.max(known.seq, 0) + 1, noteEvent(noteAfter(known.index), at)),
        ]
        const { seq } = rows.at(-1) as Row
        const summary = { graph: GRAPH, specHash: WRAPPED_HASH, startedAt: known.startedAt || at }
        const ended = { status: 'ended', detail: GRAPH, outcome: 'success' } as const
        await this.#store.append({
          lease,
          rows,
          wakeAt: undefined,
          summary: { ...summary, ...ended, seq, at },
        })
      }),
    )
  }

  /** One write after the other: they share a lease. */
  #serially<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}

const MISSING = 'configurable.thread_id is missing; pass { configurable: { thread_id } }'

const of = ({ configurable = {} }: RunnableConfig): Configurable => configurable

const rowOf = (seq: number, event: Stamped): Row => {
  return { seq, event, findings: [], verdict: CONTINUE, edges: [] }
}

/** The thread belongs to LangGraph: faces show its rows, and drive nothing. */
function startedAt(at: number): Stamped {
  const versions = { wrapped: GRAPH }
  return {
    type: 'thread.started',
    input: null,
    seed: 0,
    specHash: WRAPPED_HASH,
    policy: POLICY,
    versions,
    at,
  }
}

const noteEvent = (note: Note, at: number): Stamped => {
  return {
    type: 'reported',
    effect: note.ns,
    region: '',
    call: note.id,
    note: note as unknown as Json,
    at,
  }
}
