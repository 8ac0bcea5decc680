/** The rounds of a thread, as its rows show them: each round answers one message. */
import type { Row } from '../../../core/run/run.ts'

export class Rounds {
  /** The row with the message of the current round. */
  current: Row | undefined
  /** Messages that wait for their round. */
  #queue: readonly Row[] = []
  #busy: string | undefined
  #isOver = false
  #seq = -1

  /** Returns the row with the message whose round begins with this row. A row is taken once. */
  take(row: Row): Row | undefined {
    if (row.seq <= this.#seq) return undefined
    this.#seq = row.seq
    const opening = this.#openingOf(row)
    if (opening) {
      this.current = opening
      this.#isOver = false
    }
    if (row.ended) this.#isOver = true
    return opening
  }

  #openingOf(row: Row): Row | undefined {
    const { event } = row
    switch (event.type) {
      case 'thread.started':
        this.#busy = event.policy.rounds?.busy
        return row
      case 'policy.changed':
        this.#busy = event.policy.rounds?.busy
        return undefined
      case 'message':
        if (row.ignored) return undefined
        if (this.#isOver && this.#queue.length === 0) return row
        this.#queue = this.#isFirst ? [row, ...this.#queue] : [...this.#queue, row]
        return undefined
      case 'round.started': {
        const [next = row, ...rest] = this.#queue
        this.#queue = rest
        return next
      }
      case 'cancel':
        if (this.#isOver) this.#queue = []
    }
    return undefined
  }

  /** A message that ends the current round goes first. */
  get #isFirst(): boolean {
    return this.#busy === 'interrupt' || this.#busy === 'rollback'
  }
}
