/** The calls of a trace that wait for their answers. */

interface Open<T> {
  readonly call: string
  readonly of: T
}

/** Finds the call that an answer belongs to, without a search: a trace may leave any number of calls open. */
export class OpenCalls<T> {
  /** In the order of the calls; those answered are undefined. */
  readonly #calls: (Open<T> | undefined)[] = []
  #first = 0
  /** The places of the calls with one id, and the first of them that may be open. */
  readonly #places = new Map<string, { readonly all: number[]; first: number }>()

  add(call: string, of: T): void {
    const places = this.#places.get(call) ?? { all: [], first: 0 }
    places.all.push(this.#calls.length)
    this.#places.set(call, places)
    this.#calls.push({ call, of })
  }

  /** Removes the first open call with this id; without an id, the first of all. */
  take(call: string | undefined): T | undefined {
    const place = call === undefined ? this.#firstOfAll() : this.#firstOf(call)
    if (place === undefined) return undefined
    const open = this.#calls[place]
    this.#calls[place] = undefined
    return open?.of
  }

  #firstOfAll(): number | undefined {
    while (this.#first < this.#calls.length && !this.#calls[this.#first]) this.#first++
    return this.#first < this.#calls.length ? this.#first : undefined
  }

  #firstOf(call: string): number | undefined {
    const places = this.#places.get(call)
    if (!places) return undefined
    const isOpen = (place: number | undefined) => place !== undefined && this.#calls[place]
    while (places.first < places.all.length && !isOpen(places.all[places.first])) places.first++
    return places.all[places.first]
  }
}
