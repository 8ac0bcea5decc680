/** One thread in the page: its rows, the event that is looked at, and the link to the service. */
import type { ThreadGraph } from '../../../src/host/thread-graph.ts'
import type { Row } from '../../../src/core/run.ts'
import { Journal } from './journal.ts'
import { type FoundLoop, loopsIn } from './loops.ts'
import { type ChartIndex, indexOf, type Overlay } from './overlay.ts'
import { Spans } from './spans.ts'

/** Where the rows come from, and whether more follow. */
export type Link =
  | { readonly kind: 'loading'; readonly loaded: number }
  | { readonly kind: 'live' }
  | { readonly kind: 'file' }
  /** The service has the journal, but not the graph: the thread can be read, and another program drives it. */
  | { readonly kind: 'stored' }
  | { readonly kind: 'lost'; readonly since: number }
  | { readonly kind: 'failed'; readonly message: string }

/** A hidden page has no frames. */
const HIDDEN_MS = 50

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
  readonly #spans = new Spans()
  #spanned = 0
  #at: number | undefined
  #link: Link = { kind: 'loading', loaded: 0 }
  #overlay: Overlay
  #loops: { readonly at: number; readonly all: readonly FoundLoop[] } | undefined
  #matches: readonly number[] = []
  readonly #listeners = new Set<() => void>()

  constructor(thread: string, graph: ThreadGraph) {
    this.thread = thread
    this.graph = graph
    this.index = graph.chart && indexOf(graph.chart)
    this.journal = new Journal(this.index, nextFrame)
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

  get loops(): readonly FoundLoop[] {
    if (this.#loops?.at !== this.at)
      this.#loops = { at: this.at, all: loopsIn(this.journal.marked, this.at) }
    return this.#loops.all
  }

  /** The spans of all rows. */
  get spans(): Spans {
    const { rows } = this.journal
    for (; this.#spanned < rows.length; this.#spanned++) {
      const row = rows[this.#spanned]
      if (row) this.#spans.take(row)
    }
    return this.#spans
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
    this.#link = link
    this.#emit()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #refresh(): void {
    this.#overlay = this.journal.overlayAt(this.at)
    this.#emit()
  }

  #emit(): void {
    for (const listener of this.#listeners) listener()
  }
}
