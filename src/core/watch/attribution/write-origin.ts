/** Where the latest write took its values from: the read that a check blames. */
import { type Answered, fieldsOf } from './step.ts'

interface Placed {
  readonly place: number
  readonly of: Answered
}

/** Answers in the order of their arrival, searched for the last one whose call was made before another. */
class Reads {
  /** In the order of their calls, too: a later answer to an earlier call hides those before it. */
  readonly #reads: Placed[] = []

  add(read: Placed): void {
    while ((this.#reads.at(-1)?.of.seq ?? -1) >= read.of.seq) this.#reads.pop()
    this.#reads.push(read)
  }

  lastBefore(seq: number): Placed | undefined {
    let [low, high] = [0, this.#reads.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#reads[middle] as Placed).of.seq < seq) low = middle + 1
      else high = middle
    }
    return this.#reads[low - 1]
  }
}

interface Write {
  readonly seq: number
  readonly numbers: ReadonlySet<number>
  /** The last read with a number of the write. */
  origin?: Placed | undefined
  /** The last read that is not a rejection. */
  last?: Placed | undefined
}

/** Follows the answers of a recording in their order. */
export class WriteOrigin {
  readonly #reads = new Reads()
  readonly #byNumber = new Map<number, Reads>()
  #write: Write | undefined
  #place = 0

  /** The read that the latest write rests on. */
  get blamed(): Answered | undefined {
    return (this.#write?.origin ?? this.#write?.last)?.of
  }

  add(of: Answered, isRejection: boolean): void {
    if (of.writes) this.#write = this.#written(of)
    else this.#read({ place: this.#place++, of }, isRejection)
  }

  #written({ seq, args }: Answered): Write {
    const numbers = new Set(numbersIn(args))
    const origins = [...numbers].flatMap(number => {
      const read = this.#byNumber.get(number)?.lastBefore(seq)
      return read ? [read] : []
    })
    const origin = origins.reduce<Placed | undefined>(
      (latest, read) => (latest && latest.place > read.place ? latest : read),
      undefined,
    )
    return { seq, numbers, origin, last: this.#reads.lastBefore(seq) }
  }

  #read(read: Placed, isRejection: boolean): void {
    const numbers = numbersIn(read.of.value)
    for (const number of numbers) {
      const reads = this.#byNumber.get(number) ?? new Reads()
      reads.add(read)
      this.#byNumber.set(number, reads)
    }
    if (!isRejection) this.#reads.add(read)
    // The answer to a call that was made before the write, and was slower.
    if (!this.#write || read.of.seq >= this.#write.seq) return
    const { numbers: written } = this.#write
    if (numbers.some(number => written.has(number))) this.#write.origin = read
    if (!isRejection) this.#write.last = read
  }
}

const numbersIn = (value: Answered['value']): readonly number[] =>
  [...fieldsOf(value).values()].filter(inner => typeof inner === 'number')
