/** One thread in the page: its rows, the event that is looked at, and the link to the service. */
import type { ThreadGraph } from '../../../src/host/thread/thread-graph.ts'
import type { Row } from '../../../src/core/run/run.ts'
import { type ChartIndex, indexOf } from './chart-index.ts'
import { Journal } from './journal.ts'
import { type FoundLoop, loopsIn } from './loops.ts'
import { type Message, Messages } from './messages.ts'
import type { Overlay } from './overlay.ts'
import { countUntil } from './sorted.ts'
import { askingIn, Spans } from './spans.ts'
import { Tail } from './tail.ts'

/** Where the rows come from, and whether more follow. */
export type Link =
  | { readonly kind: 'loading' }
  | { readonly kind: 'live' }
  | { readonly kind: 'file' }
  /** The service has the journal, but not the graph: the thread can be read, and another program drives it. */
  | { readonly kind: 'stored' }
  | { readonly kind: 'lost'; readonly since: number }
  | { readonly kind: 'failed'; readonly message: string }

/** A hidden page has no frames. */
const HIDDEN_MS = 50

/** The time in ms until a journal that is loading is viewed. Each further time is twice as long: views slow the loading down. */
const LOADING_FIRST_MS = 100

function nextFrame(call: () => void): void {
  if (document.hidden) setTimeout(call, HIDDEN_MS)
  else requestAnimationFrame(call)
}

/** An external store for React: components subscribe, and read what they need. */
export class RunModel {
  readonly thread: string
  readonly graph: ThreadGraph
  readonly index: ChartIndex | undefined
  readonly journal: Journal
  /** Resolves when the rows that there are have arrived. */
  readonly loaded: Promise<void>
  readonly #endLoading: () => void
  readonly #spans: Tail<Spans>
  readonly #messages: Tail<Messages>
  #at: number | undefined
  #link: Link = { kind: 'loading' }
  #overlay: Overlay
  #loops: { readonly key: string; readonly all: readonly FoundLoop[] } | undefined
  #matches: readonly number[] = []
  #loadingMs = LOADING_FIRST_MS
  readonly #listeners = new Set<() => void>()

  constructor(thread: string, graph: ThreadGraph) {
    this.thread = thread
    this.graph = graph
    this.index = graph.chart && indexOf(graph.chart)
    this.journal = new Journal(this.index, call => this.#later(call))
    const { promise, resolve } = Promise.withResolvers<void>()
    this.loaded = promise
    this.#endLoading = resolve
    this.#spans = new Tail(this.journal.rows, new Spans(graph.chart && askingIn(graph.chart)))
    this.#messages = new Tail(this.journal.rows, new Messages())
    this.#overlay = this.journal.overlayAt(-1)
    this.journal.subscribe(() => this.#refresh())
  }

  get rows(): readonly Row[] {
    return this.journal.rows
  }

  /** The event that is looked at; the last one while the page follows the thread. */
  get at(): number {
    return Math.min(this.#at ?? this.journal.end, this.journal.end)
  }

  /** The event that a person or a link has asked for, which may still be to come; `undefined`: the last one. */
  get wanted(): number | undefined {
    return this.#at
  }

  get follows(): boolean {
    return this.#at === undefined
  }

  get overlay(): Overlay {
    return this.#overlay
  }

  get link(): Link {
    return this.#link
  }

  /** The findings up to the event that is looked at. The same list as long as it would have the same content. */
  get loops(): readonly FoundLoop[] {
    const { at } = this
    const { marked } = this.journal
    const count = countUntil(marked, at, ({ seq }) => seq)
    // Until the next event, the last escape is in progress.
    const key = `${count} ${marked[count - 1]?.seq === at}`
    if (this.#loops?.key !== key) this.#loops = { key, all: loopsIn(marked, at) }
    return this.#loops.all
  }

  /** The spans of all rows. */
  get spans(): Spans {
    return this.#spans.current
  }

  /** The messages of all rows, oldest first. */
  get messages(): readonly Message[] {
    return this.#messages.current.all
  }

  /** The events that the condition of the search is true for, in order. */
  get matches(): readonly number[] {
    return this.#matches
  }

  setMatches(matches: readonly number[]): void {
    this.#matches = matches
    this.#emit()
  }

  /** Looks at an event; `undefined` follows the thread. */
  seek(at: number | undefined): void {
    // A link may name an event that is not loaded yet.
    const isLoading = this.#link.kind === 'loading'
    const isEnd = at === undefined || (at > this.journal.end && !isLoading)
    this.#at = isEnd ? undefined : Math.max(0, at)
    this.#refresh()
  }

  setLink(link: Link): void {
    const wasLoading = this.#link.kind === 'loading'
    this.#link = link
    if (link.kind !== 'loading') this.#endLoading()
    if (wasLoading) this.#refresh()
    else this.#emit()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #later(call: () => void): void {
    if (this.#link.kind !== 'loading') nextFrame(call)
    else {
      setTimeout(call, this.#loadingMs)
      this.#loadingMs *= 2
    }
  }

  #refresh(): void {
    this.#overlay = this.journal.overlayAt(this.at)
    this.#emit()
  }

  #emit(): void {
    for (const listener of this.#listeners) listener()
  }
}
