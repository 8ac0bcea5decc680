/** The events whose type or line contains a text. */
import type { Row } from '../../../src/core/run/run.ts'
import { eventLine } from './event-line.ts'

export class Matching {
  /** In order. */
  readonly seqs: number[] = []
  readonly #wanted: string

  constructor(text: string) {
    this.#wanted = text.toLowerCase()
  }

  take(row: Row): void {
    const text = `${row.event.type} ${eventLine(row)}`
    if (text.toLowerCase().includes(this.#wanted)) this.seqs.push(row.seq)
  }
}
