/** What is made of all rows of a journal, kept up with it. */
import type { Row } from '../../../src/core/run/run.ts'

interface TakesRows {
  take(row: Row): void
}

/** Each row is taken once, when someone reads: a batch costs the same in a long run as in a short one. */
export class Tail<T extends TakesRows> {
  readonly #rows: readonly Row[]
  readonly #made: T
  #taken = 0

  /** `rows` may grow, and changes in no other way. */
  constructor(rows: readonly Row[], made: T) {
    this.#rows = rows
    this.#made = made
  }

  get current(): T {
    for (; this.#taken < this.#rows.length; this.#taken++) {
      const row = this.#rows[this.#taken]
      if (row) this.#made.take(row)
    }
    return this.#made
  }
}
