/** The rows and tokens of one thread, in order and without duplicates, whichever process drives it. */
import { refold } from '../../core/advance.ts'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { initialRun, isOver, type Row, type Run, type Started } from '../../core/run/run.ts'
import type { Stamped } from '../../core/watch/event/event.ts'
import type { Live, LiveToken } from '../../runtime/ports.ts'
import { waitsForPeople } from '../drive/children.ts'
import { isCommandDue } from '../drive/drive-family.ts'
import type { Host } from '../drive/host.ts'

/** `run` is the run after the row. */
export type FeedItem =
  | { readonly kind: 'row'; readonly row: Row; readonly run: Run }
  | { readonly kind: 'token'; readonly token: LiveToken }

export interface FeedOptions {
  /** Skips the events up to this one. Default: starts with the first event. */
  readonly after?: number
  /**
   * `waiting`: also ends when only a person can continue the thread and the children it waits for. While this process drives the thread,
   * queued commands are applied first. Default: `ended`.
   */
  readonly until?: 'ended' | 'waiting'
  /** Ends the feed. */
  readonly signal?: AbortSignal
}

/** The number of rows that one read of the store returns. */
const PAGE = 500

/** The queue length of a slow reader. It reads dropped rows from the store; `model.done` contains the text of dropped tokens. */
const UPDATES_MAX = 10_000

/**
 * Ends when the thread has ended or the signal is aborted.
 * @throws UnknownThread, WrongGraph, and the error of a failed drive of this process
 */
export async function* feed(host: Host, thread: string, options: FeedOptions = {}) {
  const { after = -1, until = 'ended', signal } = options
  const updates: Live[] = []
  const end = host.changes.follow(thread, item => {
    if (item) updates.push(item)
    if (updates.length > UPDATES_MAX) updates.shift()
  })
  const nextChange = async () => {
    if (updates.length === 0) await host.changes.next(thread, signal).catch(() => {})
  }
  try {
    const start = after < 0 ? undefined : await host.runOf(thread, after)
    const { machine } = start?.graph ?? (await host.graphOf(thread))
    const reader = new Reader(host, thread, machine, start?.run)
    // Rows that were stored before the subscription.
    yield* reader.stored()
    while (!signal?.aborted) {
      for (let item = updates.shift(); item; item = updates.shift()) yield* reader.take(item)
      const { run } = reader
      if ((run && isOver(run)) || signal?.aborted) return
      if (until === 'waiting' && run && (await waitsForPeople(host, run))) {
        const isQueued = await isCommandDue(host, thread, run)
        const known = reader.seq
        // The rows of a command are stored when it leaves the inbox, and published later.
        if (!isQueued) yield* reader.stored()
        if (!isQueued && reader.seq === known && updates.length === 0) return
      }
      if (host.drives(thread)) {
        await nextChange()
        continue
      }
      const failure = host.failureOf(thread)
      if (failure !== undefined) throw failure
      const before = reader.seq
      yield* reader.stored()
      if (reader.seq === before) await nextChange()
    }
  } finally {
    end()
  }
}

/** The position of a reader in a thread. */
class Reader {
  seq: number
  run: Run | undefined
  readonly #machine: AgentMachine
  readonly #rows: (after: number) => Promise<readonly Row[]>
  /** The last closed attempt of each call. Further tokens of it are late. */
  readonly #closed = new Map<string, number>()

  constructor(host: Host, thread: string, machine: AgentMachine, run?: Run) {
    this.#rows = after => host.store.rows(thread, after, PAGE)
    this.#machine = machine
    this.run = run
    this.seq = run?.seq ?? -1
  }

  /** Reads the rows after this position from the store. */
  async *stored(): AsyncGenerator<FeedItem> {
    for (;;) {
      const rows = await this.#rows(this.seq)
      for (const row of rows) {
        const run = this.run ?? initialRun(row.event as Stamped<Started>)
        yield this.#itemOf(row, refold(this.#machine, run, row))
      }
      if (rows.length < PAGE) return
    }
  }

  async *take(update: Live): AsyncGenerator<FeedItem> {
    if (update.kind === 'delta') {
      if (update.attempt > (this.#closed.get(update.call) ?? 0))
        yield { kind: 'token', token: update }
      return
    }
    const [first] = update.items
    if (first && first.row.seq > this.seq + 1) yield* this.stored()
    for (const { row, run } of update.items) if (row.seq > this.seq) yield this.#itemOf(row, run)
  }

  #itemOf(row: Row, run: Run): FeedItem {
    const { event } = row
    this.seq = row.seq
    this.run = run
    if (event.type === 'model.called') this.#closed.set(event.call, event.attempt - 1)
    if (event.type === 'model.done') this.#closed.set(event.call, Number.POSITIVE_INFINITY)
    if (event.type === 'model.failed')
      this.#closed.set(event.call, event.final ? Number.POSITIVE_INFINITY : event.attempt)
    return { kind: 'row', row, run }
  }
}
