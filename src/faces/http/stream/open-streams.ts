/** The open streams of a service. A stream is reserved before its request changes anything. */
import { Refused } from '../contract/problem.ts'
import type { LimitOptions } from '../access/limits.ts'

/** A place for one stream. It is given back, or kept until the stream ends. */
export interface StreamPlace {
  /** Ms without a message after which the stream sends a comment. */
  readonly heartbeat: number
  /** The returned function ends the stream. */
  keep(): () => void
  /** Without effect on a place that is kept. */
  giveBack(): void
}

/** The place of an endpoint without a stream. */
export const NO_STREAM: StreamPlace = {
  heartbeat: Number.POSITIVE_INFINITY,
  keep: () => () => {},
  giveBack: () => {},
}

export class OpenStreams {
  readonly #max: number
  readonly #perCaller: number
  readonly #heartbeat: number
  readonly #of = new Map<string, number>()
  #count = 0

  constructor({ streams = 2_000, streamsPerCaller, heartbeat = 15_000 }: LimitOptions) {
    this.#max = streams
    this.#perCaller = streamsPerCaller ?? Math.ceil(streams / 2)
    this.#heartbeat = heartbeat
  }

  get count(): number {
    return this.#count
  }

  /** @throws Refused */
  reserve(caller: string): StreamPlace {
    const own = this.#of.get(caller) ?? 0
    if (this.#count >= this.#max || own >= this.#perCaller)
      throw new Refused(503, 'too-many-streams', 'the service has no place for another stream')
    this.#count++
    this.#of.set(caller, own + 1)
    let [isKept, isOpen] = [false, true]
    const end = () => {
      if (!isOpen) return
      isOpen = false
      this.#count--
      const left = (this.#of.get(caller) ?? 1) - 1
      if (left > 0) this.#of.set(caller, left)
      else this.#of.delete(caller)
    }
    return {
      heartbeat: this.#heartbeat,
      keep() {
        isKept = true
        return end
      },
      giveBack() {
        if (!isKept) end()
      },
    }
  }
}
