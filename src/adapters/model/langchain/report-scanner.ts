/**
 * Finds the usage in an answer of JSON that has not arrived to its end.
 *
 * It follows the brackets and keys of the text as it arrives, and parses an object only if it is a usage in a place where whole answers have
 * one. Hard case: the text or the arguments of an answer may contain `"usage": {…}`, too. Rejected: parsing what arrived with each part, which takes
 * quadratic time.
 */
import { countsIn, type EndpointCounts } from '../../../core/watch/event/endpoint-usage.ts'
import { isReportAt, ITEM, largestCounts } from '../../../core/watch/event/endpoint-usage.ts'

/** Characters of a key that are read. */
const KEY_MAX = 40
/** Objects and lists around a usage: the list of a stream, a message, and an object around it. */
const DEPTH_MAX = 3
/** Commas within a usage that broke off, of which the last ones may stand in its details. */
const TRIES_MAX = 64

const STRUCTURE = /["{}[\]:]/g
const STRING_PART = /["\\]/g

export class ReportScanner {
  /** The last key of each open object. */
  readonly #keys: string[] = []
  #roots = 0
  #isList = false
  #string: string | undefined
  #isEscaped = false
  #lastString = ''
  /** The usage that has begun. */
  #report: { readonly depth: number; readonly key: string; text: string } | undefined
  #counts: EndpointCounts = {}

  /** The largest counts so far. */
  get counts(): EndpointCounts {
    return this.#counts
  }

  /** The counts at the end of a text that may have broken off in a usage: what stands before one of its last commas has arrived. */
  end(): EndpointCounts {
    const { key = '', text = '' } = this.#report ?? {}
    let at = text.lastIndexOf(',')
    for (let tries = 0; at > 0 && tries < TRIES_MAX; tries++) {
      if (this.#read(key, `${text.slice(0, at)}}`)) break
      at = text.lastIndexOf(',', at - 1)
    }
    return this.#counts
  }

  /** Whether the answer is a list, or several objects: each reports the usage until then. */
  get isStream(): boolean {
    return this.#isList || this.#roots > 1
  }

  add(part: string): void {
    let from = 0
    let at = 0
    while (at < part.length) {
      if (this.#string !== undefined) {
        at = this.#endOfString(part, at)
        continue
      }
      STRUCTURE.lastIndex = at
      const sign = STRUCTURE.exec(part)?.[0]
      if (sign === undefined) break
      at = STRUCTURE.lastIndex
      if (sign === '"') this.#string = ''
      else if (sign === ':') this.#setKey()
      else if (sign === '[') this.#open(ITEM)
      else if (sign === '{') {
        if (this.#beginReport()) from = at - 1
        this.#open('')
      } else if (this.#close()) this.#endReport(part.slice(from, at))
    }
    if (this.#report) this.#report.text += part.slice(from)
  }

  /** The index after the string, or after the part of it that has arrived. */
  #endOfString(part: string, at: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false
      return at + 1
    }
    STRING_PART.lastIndex = at
    const sign = STRING_PART.exec(part)?.[0]
    const end = sign === undefined ? part.length : STRING_PART.lastIndex - 1
    const string = this.#string ?? ''
    this.#string =
      string.length > KEY_MAX ? string : string + part.slice(at, Math.min(end, at + KEY_MAX + 1))
    if (sign === '\\') this.#isEscaped = true
    if (sign === '"') {
      this.#lastString = this.#string
      this.#string = undefined
    }
    return end + 1
  }

  #setKey(): void {
    if (this.#keys.length > 0) this.#keys[this.#keys.length - 1] = this.#lastString
  }

  #open(key: string): void {
    if (this.#keys.length === 0) {
      this.#roots += 1
      this.#isList ||= key === ITEM
    }
    this.#keys.push(key)
  }

  #beginReport(): boolean {
    const depth = this.#keys.length
    if (this.#report || depth > DEPTH_MAX) return false
    const path = this.#keys[0] === ITEM ? this.#keys.slice(1) : this.#keys
    const key = path.at(-1)
    if (key === undefined || !isReportAt(path)) return false
    this.#report = { depth, key, text: '' }
    return true
  }

  /** Whether this was the end of the usage. */
  #close(): boolean {
    this.#keys.pop()
    return this.#keys.length === this.#report?.depth
  }

  #endReport(rest: string): void {
    const { key = '', text = '' } = this.#report ?? {}
    this.#report = undefined
    this.#read(key, text + rest)
  }

  /** Whether the text is JSON. */
  #read(key: string, text: string): boolean {
    try {
      this.#counts = largestCounts(this.#counts, countsIn({ [key]: JSON.parse(text) }))
      return true
    } catch {
      return false
    }
  }
}
