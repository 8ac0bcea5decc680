/** Stores the rows of watchdogs around other frameworks' agents as threads, which `show` opens like any other thread. */
import { STOPPED } from '../../core/watch/reason/reason.ts'
import type { Row } from '../../core/run/run.ts'
import { statusFrom } from '../../core/run/view.ts'
import type { RecordRow } from '../../core/watch/wrapped/options.ts'
import { isWrappedHash } from '../../core/watch/wrapped/watchdog.ts'
import { type WatchdogRow, endsTurn } from '../../core/watch/wrapped/state.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { Ports } from '../ports.ts'
import { recordedTally } from './recorded-tally.ts'
import { type LeasePorts, withLease } from '../store/lease.ts'
import { checkName, ThreadExists } from '../store/store.ts'
import type { Batch, ThreadSummary } from '../store/store.ts'

interface RecorderPorts extends LeasePorts, Pick<Ports, 'redact'> {
  /** Reads the secrets of the environment, which `redact` masks from then on. Default: nothing. */
  readonly readSecrets?: () => void
}

/** Stores the rows of watchdogs as threads. */
export interface Recorder {
  /** Never throws and never waits: a journal must not disturb the agent. */
  readonly record: RecordRow
  /** Resolves when all rows are stored. @throws the first error since the last flush. The rows are kept for the next write. */
  flush(): Promise<void>
}

/** The stored part of a thread. */
interface StoredThread {
  readonly seq: number
  readonly summary?: Pick<ThreadSummary, 'graph' | 'specHash' | 'startedAt' | 'tally'>
}

export function recorder(ports: RecorderPorts): Recorder {
  const writers = new Map<string, ThreadWriter>()
  const record = (row: WatchdogRow, thread: string) => {
    const writer = writers.get(thread) ?? new ThreadWriter(ports, thread)
    writers.set(thread, writer)
    writer.take(row)
  }
  return {
    // A new watchdog takes it from here.
    record: Object.defineProperty(record, 'redact', {
      get() {
        ports.readSecrets?.()
        return ports.redact
      },
    }),
    async flush() {
      for (const writer of writers.values()) await writer.flush()
    },
  }
}

/** The rows of one thread that wait for a store that fails. */
const QUEUE_MAX = 10_000

class RecorderFull extends Error {
  override readonly name = 'RecorderFull'

  constructor(thread: string) {
    super(
      `thread '${thread}': ${QUEUE_MAX} rows wait for the store; its later rows are not recorded`,
    )
  }
}

class ThreadWriter {
  readonly #ports: RecorderPorts
  readonly #thread: string
  /** The rows that are not stored yet. A failed write leaves them here for the next one. */
  readonly #queue: WatchdogRow[] = []
  #stored: StoredThread | undefined
  #last: Promise<void> = Promise.resolve()
  #error: unknown
  #hasBegun = false
  #isScheduled = false
  /** No more rows are stored: two watchdogs use the name of this thread, and their rows cannot be distinguished, or too many rows wait. */
  #isClosed = false

  constructor(ports: RecorderPorts, thread: string) {
    this.#ports = ports
    this.#thread = thread
  }

  take(row: WatchdogRow): void {
    if (row.seq === 0 && this.#hasBegun) this.#reject()
    if (this.#error !== undefined && this.#queue.length >= QUEUE_MAX)
      this.#close(new RecorderFull(this.#thread))
    if (this.#isClosed) return
    // A tool may have replaced a token. The row is redacted once more when it is written, which may be later.
    this.#ports.readSecrets?.()
    this.#hasBegun = true
    this.#queue.push(row)
    void this.#writeQueue()
  }

  async flush(): Promise<void> {
    await (this.#queue.length > 0 ? this.#writeQueue() : this.#last)
    const error = this.#error
    this.#error = undefined
    if (error !== undefined) throw error
  }

  /** A write that has not begun takes later rows along: with a failing store, a write for each row would grow with all rows. */
  #writeQueue(): Promise<void> {
    if (this.#isScheduled) return this.#last
    this.#isScheduled = true
    this.#last = this.#last
      .then(() => {
        this.#isScheduled = false
        return this.#write([...this.#queue])
      })
      .catch(error => {
        this.#error ??= error
      })
    return this.#last
  }

  #reject(): void {
    this.#close(new ThreadExists(this.#thread))
  }

  /** The first error of the store explains more than the last. */
  #close(error: Error): void {
    this.#isClosed = true
    this.#queue.length = 0
    this.#error ??= error
  }

  async #write(queue: readonly WatchdogRow[]): Promise<void> {
    const [next] = queue
    if (!next) return
    const stored = this.#stored ?? (await this.#load(next))
    if (stored === undefined) return this.#reject()
    // After an interrupt a framework repeats steps, and their rows come again under the same numbers.
    const rows = queue.filter(({ seq }) => seq > stored.seq).map(row => this.#rowOf(row))
    if (rows.length > 0) {
      const summary = summaryOf(rows, stored)
      await withLease(this.#ports, this.#thread, (lease, { store }) =>
        store.append({ lease, rows, wakeAt: undefined, summary }),
      )
      this.#stored = { seq: summary.seq, summary }
    }
    this.#queue.splice(0, queue.length)
  }

  /** `undefined` when a new watchdog would begin an existing thread again, or a restored one would write to a thread of a graph. */
  async #load({ seq }: WatchdogRow): Promise<StoredThread | undefined> {
    const summary = await this.#ports.store.thread(this.#thread)
    if (summary)
      return seq > 0 && isWrappedHash(summary.specHash) ? { seq: summary.seq, summary } : undefined
    checkName(this.#thread)
    return { seq: -1 }
  }

  #rowOf({ ended: reason, because = STOPPED, ...rest }: WatchdogRow): Row {
    const ended = reason && { outcome: 'stopped', reason, because, result: null }
    return this.#ports.redact({ ...rest, edges: [], ...(ended && { ended }) } as Row)
  }
}

/** The summary of a thread. `rows` is not empty. */
function summaryOf(rows: readonly Row[], stored: StoredThread): Batch['summary'] {
  const { event: first } = rows[0] as Row
  const last = rows.at(-1) as Row
  const { graph, specHash, startedAt } =
    first.type === 'thread.started'
      ? { graph: first.versions.wrapped ?? 'agent', specHash: first.specHash, startedAt: first.at }
      : (stored.summary ?? { graph: 'agent', specHash: '', startedAt: first.at })
  const ended = rows.findLast(row => row.ended || row.event.type === 'message')?.ended
  const isReview = last.verdict.kind === 'escape' && last.verdict.route.rung === 'review'
  const isIdle = !ended && !isReview && endsTurn(last.event)
  return {
    graph,
    specHash,
    startedAt,
    status: statusFrom(ended !== undefined, !isReview && !isIdle),
    detail: ended?.reason ?? (isIdle ? 'for a message' : graph),
    ...defined({ outcome: ended?.outcome, tally: recordedTally(stored.summary?.tally, rows) }),
    seq: last.seq,
    at: last.event.at,
  }
}
