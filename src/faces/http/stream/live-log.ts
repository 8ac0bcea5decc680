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

/** How long the store is followed without a reader, in ms. */
const IDLE = 30_000

/** Follows the store once for all streams, while there are readers. */
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
  #readers = 0
  #following: { readonly started: Promise<void>; readonly stop: AbortController } | undefined
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor(runtime: Runtime, closing: AbortSignal, characters = CHARACTERS_MAX) {
    this.#runtime = runtime
    this.#closing = closing
    this.#characters = characters
  }

  /** The number of the last entry. */
  get last(): number {
    return this.#last
  }

  /** Resolves when later rows are sure to enter the log. The result ends the reading. @throws an error of the store */
  async read(): Promise<() => void> {
    this.#readers++
    clearTimeout(this.#idle)
    this.#following ??= this.#follow()
    const leave = once(() => this.#leave())
    await this.#following.started.catch(error => {
      leave()
      throw error
    })
    return leave
  }

  /** Whether the log still holds every entry after `n`. */
  holds(n: number): boolean {
    const first = this.#entries[0]?.n ?? this.#last + 1
    return n >= first - 1 && n <= this.#last
  }

  /** The entries after `n`, at most 200. */
  after(n: number): readonly LogEntry[] {
    // The numbers have no gaps.
    const start = Math.max(0, n + 1 - (this.#entries[0]?.n ?? 0))
    return this.#entries.slice(start, start + 200)
  }

  /** Resolves when there is an entry after `n`, or the log has lost some. */
  async next(n: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#last > n) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    const wake = () => resolve()
    signal.addEventListener('abort', wake, { once: true })
    await promise
    signal.removeEventListener('abort', wake)
    this.#waiting.delete(resolve)
  }

  #follow() {
    const stop = new AbortController()
    const signal = AbortSignal.any([this.#closing, stop.signal])
    const rows = this.#runtime.follow(signal)[Symbol.asyncIterator]()
    const started = rows.next().then(() => void this.#take(rows))
    started.catch(() => this.#forget())
    return { started, stop }
  }

  async #take(rows: AsyncIterator<readonly ThreadRow[]>): Promise<void> {
    try {
      for (let read = await rows.next(); !read.done; read = await rows.next()) this.#add(read.value)
    } catch {
      // The next reader begins again.
      this.#forget()
    }
    for (const wake of this.#waiting) wake()
  }

  /** Rows may be missing from now on: the entries end with a gap. */
  #forget(): void {
    this.#last++
    this.#entries.length = 0
    this.#size = 0
    this.#following = undefined
  }

  /** A client that reconnects soon continues without a gap. */
  #leave(): void {
    if (--this.#readers > 0) return
    this.#idle = setTimeout(() => {
      this.#following?.stop.abort()
      this.#forget()
    }, IDLE).unref()
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

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
