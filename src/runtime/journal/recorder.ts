/** Makes stored threads of what watchdogs around other frameworks' agents see, so that `show` opens these like any other. */
import { STOPPED } from '../../core/watch/reason/reason.ts'
import type { Row } from '../../core/run.ts'
import { statusFrom } from '../../core/view.ts'
import { type WatchdogRow, endsTurn } from '../../core/watch/wrapped/state.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { LEASE } from '../store/store.ts'
import { ThreadExists } from '../store/store.ts'
import type { Ports } from '../ports.ts'
import type { Batch, ThreadSummary } from '../store/store.ts'

export type RecorderPorts = Pick<Ports, 'store' | 'wall' | 'owner' | 'isOwnerDead' | 'redact'>

/** Keeps what watchdogs see as threads of a store. */
export interface Recorder {
  /** Takes a row of a thread. Never throws and waits for nothing: an agent must not stumble over its journal. */
  record(row: WatchdogRow, thread: string): void
  /** Until all that was recorded is stored. @throws what went wrong since the last time. */
  flush(): Promise<void>
}

/** A thread as far as it is stored. */
interface StoredThread {
  readonly seq: number
  readonly summary?: Pick<ThreadSummary, 'graph' | 'specHash' | 'startedAt'>
}

export function recorder(ports: RecorderPorts): Recorder {
  const threads = new Map<string, ThreadWriter>()
  return {
    record(row, thread) {
      const writing = threads.get(thread) ?? new ThreadWriter(ports, thread)
      threads.set(thread, writing)
      writing.take(row)
    },
    async flush() {
      for (const writing of threads.values()) await writing.flush()
    },
  }
}

/** One thread that is being written. */
class ThreadWriter {
  readonly #ports: RecorderPorts
  readonly #thread: string
  #queue: WatchdogRow[] = []
  #stored: StoredThread | undefined
  #last: Promise<void> = Promise.resolve()
  #failed: unknown
  #begun = false
  /** Two watches go by the name of the thread: what comes cannot be told apart, and none of it is written. */
  #mixed = false

  constructor(ports: RecorderPorts, thread: string) {
    this.#ports = ports
    this.#thread = thread
  }

  take(row: WatchdogRow): void {
    if (row.seq === 0 && this.#begun) this.#mixUp()
    if (this.#mixed) return
    this.#begun = true
    this.#queue.push(row)
    this.#last = this.#last
      .then(() => this.#write())
      .catch(error => {
        this.#failed ??= error
      })
  }

  async flush(): Promise<void> {
    await this.#last
    const failed = this.#failed
    this.#failed = undefined
    if (failed !== undefined) throw failed
  }

  #mixUp(): void {
    this.#mixed = true
    this.#failed ??= new ThreadExists(this.#thread)
  }

  async #write(): Promise<void> {
    const taken = this.#queue
    this.#queue = []
    if (taken.length === 0 || this.#mixed) return
    const { store, wall, owner, isOwnerDead } = this.#ports
    const stored = this.#stored ?? (await this.#found(taken[0] as WatchdogRow))
    if (stored === undefined) return this.#mixUp()
    this.#stored = stored
    // What a framework does over again after an interrupt is told again, under the same numbers.
    const fresh = taken.filter(({ seq }) => seq > stored.seq)
    if (fresh.length === 0) return
    const now = wall()
    const lease = await store.lease(this.#thread, {
      owner: `${owner}/record`,
      now,
      until: now + LEASE,
      isOwnerDead,
    })
    try {
      const rows = fresh.map(row => this.#rowOf(row))
      const summary = summaryOf(rows, stored)
      await store.append({ lease, rows, wakeAt: undefined, summary })
      this.#stored = { seq: summary.seq, summary }
    } finally {
      await store.release(lease).catch(() => {})
    }
  }

  /** `undefined` where a watch that knows nothing of a stored thread would begin it again. */
  async #found({ seq }: WatchdogRow): Promise<StoredThread | undefined> {
    const summary = await this.#ports.store.thread(this.#thread)
    if (summary && seq === 0) return undefined
    return summary ? { seq: summary.seq, summary } : { seq: -1 }
  }

  #rowOf({ ended, because = STOPPED, ...told }: WatchdogRow): Row {
    const row = this.#ports.redact({ ...told, edges: [] } as unknown as Json) as unknown as Row
    return ended === undefined
      ? row
      : { ...row, ended: { outcome: 'stopped', reason: ended, because, result: null } }
  }
}

/** As in a list of threads. `rows` holds one at least. */
function summaryOf(rows: readonly Row[], { summary }: StoredThread): Batch['summary'] {
  const first = rows[0] as Row
  const last = rows.at(-1) as Row
  const begun =
    first.event.type === 'thread.started'
      ? {
          graph: first.event.versions.wrapped ?? 'agent',
          specHash: first.event.specHash,
          startedAt: first.event.at,
        }
      : undefined
  const { graph, specHash, startedAt } = begun ??
    summary ?? { graph: 'agent', specHash: '', startedAt: first.event.at }
  const ended = rows.findLast(row => row.ended || row.event.type === 'message')?.ended
  const asks = last.verdict.kind === 'escape' && last.verdict.route.rung === 'review'
  const rests = !ended && !asks && endsTurn(last.event)
  return {
    graph,
    specHash,
    startedAt,
    status: statusFrom(ended !== undefined, !asks && !rests),
    detail: ended?.reason ?? (rests ? 'for a message' : graph),
    ...(ended ? { outcome: ended.outcome } : {}),
    seq: last.seq,
    at: last.event.at,
  }
}
