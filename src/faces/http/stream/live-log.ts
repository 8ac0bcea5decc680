/** The rows of all threads in one order, for streams: a bounded buffer, from which a slow or returning client continues. */
import { randomUUID } from 'node:crypto'
import type { Runtime } from '../../../host/runtime.ts'
import type { ThreadRow } from '../../../host/follow-rows.ts'

/** An entry of the log. Its id is `LOG.n`. */
export interface LogEntry extends ThreadRow {
  readonly n: number
}

/** Characters of rows that the log keeps. */
const CHARACTERS_MAX = 4_194_304

/** Follows the store once for all streams, from the first stream on. */
export class LiveLog {
  /** Ids of another process are unknown here. */
  readonly id = randomUUID().slice(0, 8)
  readonly #runtime: Runtime
  readonly #closing: AbortSignal
  readonly #characters: number
  readonly #entries: (LogEntry & { readonly size: number })[] = []
  readonly #waiting = new Set<() => void>()
  #size = 0
  #last = 0
  #following: Promise<void> | undefined

  constructor(runtime: Runtime, closing: AbortSignal, characters = CHARACTERS_MAX) {
    this.#runtime = runtime
    this.#closing = closing
    this.#characters = characters
  }

  /** The number of the last entry. */
  get last(): number {
    return this.#last
  }

  /** Resolves when later rows are sure to enter the log. @throws an error of the store */
  start(): Promise<void> {
    this.#following ??= this.#follow().catch(error => {
      this.#following = undefined
      throw error
    })
    return this.#following
  }

  /** Whether the log still holds every entry after `n`. */
  holds(n: number): boolean {
    const first = this.#entries[0]?.n ?? this.#last + 1
    return n >= first - 1 && n <= this.#last
  }

  /** The entries after `n`, at most 200. */
  after(n: number): readonly LogEntry[] {
    const start = this.#entries.findIndex(entry => entry.n > n)
    return start < 0 ? [] : this.#entries.slice(start, start + 200)
  }

  /** Resolves at the next entry. */
  async next(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    const wake = () => resolve()
    signal.addEventListener('abort', wake, { once: true })
    await promise
    signal.removeEventListener('abort', wake)
    this.#waiting.delete(resolve)
  }

  async #follow(): Promise<void> {
    const rows = this.#runtime.follow(this.#closing)[Symbol.asyncIterator]()
    await rows.next()
    void this.#take(rows)
  }

  async #take(rows: AsyncIterator<readonly ThreadRow[]>): Promise<void> {
    try {
      for (let read = await rows.next(); !read.done; read = await rows.next()) this.#add(read.value)
    } catch {
      // The store failed. The next stream begins again, and numbers that are missing are a gap.
      this.#last++
      this.#entries.length = 0
      this.#size = 0
      this.#following = undefined
    }
    for (const wake of this.#waiting) wake()
  }

  #add(rows: readonly ThreadRow[]): void {
    for (const of of rows) {
      const size = JSON.stringify(of.row).length
      this.#entries.push({ ...of, n: ++this.#last, size })
      this.#size += size
    }
    while (this.#size > this.#characters && this.#entries.length > 0)
      this.#size -= this.#entries.shift()?.size ?? 0
    for (const wake of this.#waiting) wake()
  }
}
