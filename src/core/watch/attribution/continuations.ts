/** Values that continue another one: a longer text, or a longer list. */
import { canonical, type Json } from '../data/json.ts'

/** Finds whether a value is a proper beginning of one of many. In sorted texts, those that continue one follow it. */
export class Continuations {
  readonly #texts: string[] = []
  #isSorted = true

  add(value: Json): void {
    const text = textOf(value)
    if (text === undefined) return
    this.#texts.push(text)
    this.#isSorted = false
  }

  has(part: Json): boolean {
    const text = part === '' ? undefined : textOf(part)
    if (text === undefined) return false
    if (!this.#isSorted) this.#texts.sort(byCodeUnits)
    this.#isSorted = true
    return this.#after(text)?.startsWith(text) ?? false
  }

  /** The first text behind this one. */
  #after(text: string): string | undefined {
    let [low, high] = [0, this.#texts.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#texts[middle] as string) > text) high = middle
      else low = middle + 1
    }
    return this.#texts[low]
  }
}

const byCodeUnits = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** A list as the text of its items. A line break ends each: canonical texts have none. */
function textOf(value: Json): string | undefined {
  if (typeof value === 'string') return `"${value}`
  if (!Array.isArray(value)) return undefined
  return `[${value.map(item => `${canonical(item)}\n`).join('')}`
}
