/** The rows and tokens of one thread, in order and each once, whichever process drives it. */
import { refold } from '../core/advance.ts'
import { isOver, type Row, type Run, type Started, initialRun } from '../core/run.ts'
import { waitsForPerson } from '../core/view.ts'
import type { Stamped } from '../core/watch/event/event.ts'
import type { Live } from '../runtime/ports.ts'
import type { Host } from './host.ts'

type Token = Extract<Live, { kind: 'delta' }>

/** `run`: the run after the row. */
export type FeedItem =
  | { readonly kind: 'row'; readonly row: Row; readonly run: Run }
  | { readonly kind: 'token'; readonly token: Token }

export interface FeedOptions {
  /** Only what comes after this event; default: from the first on. */
  readonly after?: number
  /** `waiting`: the feed also ends when only a person can carry the thread on. Default: `ended`. */
  readonly until?: 'ended' | 'waiting'
  /** Aborted: the feed ends. */
  readonly signal?: AbortSignal
}

/** Rows read from the store at a time. */
const PAGE = 500

/** News kept for a reader that lags behind. What is dropped is read from the store again; dropped tokens are in `model.done`. */
const NEWS_MAX = 10_000

/**
 * Ends when the thread has ended, or the signal is aborted.
 * @throws UnknownThread, WrongGraph, and what the drive of this process failed with
 */
export async function* feed(
  host: Host,
  thread: string,
  { after = -1, until = 'ended', signal }: FeedOptions = {},
): AsyncGenerator<FeedItem> {
  const news: Live[] = []
  const end = host.changes.subscribe(thread, item => {
    if (item) news.push(item)
    if (news.length > NEWS_MAX) news.shift()
  })
  try {
    const reader = await Reader.at(host, thread, after)
    // Rows that were stored before the subscription.
    yield* reader.stored()
    while (!signal?.aborted) {
      for (let item = news.shift(); item; item = news.shift()) yield* reader.take(item)
      if (reader.ended || signal?.aborted) return
      if (until === 'waiting' && reader.waitsForPerson && news.length === 0) return
      if (host.drives(thread)) {
        if (news.length === 0) await host.changes.next(thread, signal).catch(() => {})
        continue
      }
      const failure = host.failureOf(thread)
      if (failure !== undefined) throw failure
      const before = reader.seq
      yield* reader.stored()
      if (reader.seq === before && news.length === 0)
        await host.changes.next(thread, signal).catch(() => {})
    }
  } finally {
    end()
  }
}

/** Where a reader of a thread is. */
class Reader {
  seq: number
  #run: Run | undefined
  readonly #host: Host
  readonly #thread: string
  readonly #machine: Parameters<typeof refold>[0]
  /** Attempts that have ended, by their calls: their tokens are late. */
  readonly #closed = new Map<string, number>()

  static async at(host: Host, thread: string, after: number): Promise<Reader> {
    if (after < 0) return new Reader(host, thread, (await host.graphOf(thread)).machine, undefined)
    const { graph, run } = await host.runOf(thread, after)
    return new Reader(host, thread, graph.machine, run)
  }

  constructor(
    host: Host,
    thread: string,
    machine: Parameters<typeof refold>[0],
    run: Run | undefined,
  ) {
    this.#host = host
    this.#thread = thread
    this.#machine = machine
    this.#run = run
    this.seq = run?.seq ?? -1
  }

  get ended(): boolean {
    return this.#run !== undefined && isOver(this.#run)
  }

  get waitsForPerson(): boolean {
    return this.#run !== undefined && waitsForPerson(this.#run)
  }

  /** What the store has beyond this place. */
  async *stored(): AsyncGenerator<FeedItem> {
    for (;;) {
      const rows = await this.#host.store.rows(this.#thread, this.seq, PAGE)
      for (const row of rows)
        yield this.#on(row, refold(this.#machine, this.#run ?? initialRun(row.event as Begun), row))
      if (rows.length < PAGE) return
    }
  }

  async *take(news: Live): AsyncGenerator<FeedItem> {
    if (news.kind === 'delta') {
      if (news.attempt > (this.#closed.get(news.call) ?? 0)) yield { kind: 'token', token: news }
      return
    }
    const [first] = news.rows
    if (first && first.seq > this.seq + 1) yield* this.stored()
    for (const [index, row] of news.rows.entries()) {
      const run = news.runs[index]
      if (run && row.seq > this.seq) yield this.#on(row, run)
    }
  }

  #on(row: Row, run: Run): FeedItem {
    const { event } = row
    this.seq = row.seq
    this.#run = run
    if (event.type === 'model.called') this.#closed.set(event.call, event.attempt - 1)
    if (event.type === 'model.done') this.#closed.set(event.call, Number.POSITIVE_INFINITY)
    if (event.type === 'model.failed')
      this.#closed.set(event.call, event.final ? Number.POSITIVE_INFINITY : event.attempt)
    return { kind: 'row', row, run }
  }
}

type Begun = Stamped<Started>
