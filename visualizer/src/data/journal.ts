/** The rows of one thread in the page, in order and without duplicates, with keyframes of their overlay. */
import type { Row } from '../../../src/core/run/run.ts'
import type { ChartIndex } from './chart-index.ts'
import { EMPTY, type Overlay, OverlayFold } from './overlay.ts'

/** Calls back later, such as with the next frame. */
type Schedule = (call: () => void) => void

/** Rows between two keyframes: a seek folds at most so many. */
const KEYFRAME_EVERY = 500

/** A seek to an event of the past folds from the nearest keyframe. The end is kept folded. */
export class Journal {
  readonly #index: ChartIndex | undefined
  readonly #rows: Row[] = []
  readonly #marked: Row[] = []
  /** Rows that arrived before the rows in front of them, by seq. */
  readonly #early = new Map<number, Row>()
  readonly #keyframes: Overlay[] = []
  readonly #head: OverlayFold
  readonly #schedule: Schedule
  readonly #listeners = new Set<() => void>()
  #parent: string | undefined
  #hasMigrated = false
  #version = 0
  #latest: Overlay | undefined
  #announced = false

  constructor(index: ChartIndex | undefined, schedule: Schedule = call => call()) {
    this.#index = index
    this.#schedule = schedule
    this.#head = new OverlayFold(index, seq => this.overlayAt(seq))
  }

  get rows(): readonly Row[] {
    return this.#rows
  }

  /** The rows with findings or escapes. They are few, so that looking them through does not slow a long run down. */
  get marked(): readonly Row[] {
    return this.#marked
  }

  /** The seq of the last row; -1 without rows. */
  get end(): number {
    return this.#rows.length - 1
  }

  /** The thread that this one is a fork of. */
  get parent(): string | undefined {
    return this.#parent
  }

  /** Whether the thread has moved to another version of its graph. */
  get hasMigrated(): boolean {
    return this.#hasMigrated
  }

  /** Changes with every batch: React compares it. */
  get version(): number {
    return this.#version
  }

  /** Adds rows in any order. Rows that are already here are ignored; rows after a gap wait for it to close. */
  add(rows: Iterable<Row>): void {
    const before = this.#rows.length
    for (const row of rows) {
      if (row.seq > this.#rows.length) this.#early.set(row.seq, row)
      if (row.seq !== this.#rows.length) continue
      this.#append(row)
      for (
        let next = this.#early.get(this.#rows.length);
        next;
        next = this.#early.get(this.#rows.length)
      ) {
        this.#early.delete(next.seq)
        this.#append(next)
      }
    }
    if (this.#rows.length === before) return
    this.#version++
    this.#latest = undefined
    this.#announce()
  }

  #append(row: Row): void {
    this.#rows.push(row)
    if (row.event.type === 'migrated') this.#hasMigrated = true
    if (row.event.type === 'forked') this.#parent = row.event.parent.thread
    if (row.findings.length > 0 || row.verdict.kind === 'escape') this.#marked.push(row)
    this.#head.take(row)
    if (this.#rows.length % KEYFRAME_EVERY === 0) this.#keyframes.push(this.#head.snapshot())
  }

  /** The overlay after event `seq`. */
  overlayAt(seq: number): Overlay {
    if (seq >= this.end) {
      this.#latest ??= this.#head.snapshot()
      return this.#latest
    }
    if (seq < 0) return EMPTY
    const place = Math.floor((seq + 1) / KEYFRAME_EVERY)
    const from = place > 0 ? this.#keyframes[place - 1] : undefined
    const fold = new OverlayFold(this.#index, earlier => this.overlayAt(earlier), from)
    for (let next = place * KEYFRAME_EVERY; next <= seq; next++) {
      const row = this.#rows[next]
      if (row) fold.take(row)
    }
    return fold.snapshot()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Listeners are called once for all rows that arrive before the scheduled call. */
  #announce(): void {
    if (this.#announced) return
    this.#announced = true
    this.#schedule(() => {
      this.#announced = false
      for (const listener of this.#listeners) listener()
    })
  }
}
