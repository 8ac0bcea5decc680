/** An answer as a form with numbers in it: two answers of one form differ in nothing but their numbers. */
import { shown } from './shown.ts'
import { type Reader, readWhole } from './words.ts'

export interface Figures {
  /** The hash of the words and symbols. */
  readonly form: number
  /** The numbers in order, without times, ids and measured durations. */
  readonly values: readonly number[]
}

/** A shorter text has fewer words. A longer one is not read, nor one with more numbers. */
const LENGTH_MIN = 12
const LENGTH_MAX = 4_000
const VALUES_MAX = 64
/** A text with fewer words is a value: a price, a throw of a die, the next number of a queue. */
const WORDS_MIN = 6
const DIGIT = /\d/
const FIGURE = /\d{1,15}(?:\.\d{1,15})?/

/** `undefined` for a text without numbers, and for one that is too long or too short. */
export function figuresOf(text: string): Figures | undefined {
  if (text.length < LENGTH_MIN || text.length > LENGTH_MAX) return undefined
  if (!DIGIT.test(text)) return undefined
  const read = shown(text)
  const values: number[] = []
  let form = 0
  let words = 0
  const mix = (value: number) => {
    form = Math.imul(form ^ value, 0x01000193)
  }
  const reader: Reader = {
    word(hash) {
      words++
      mix(hash)
    },
    number: () => undefined,
    symbol: mix,
    figure: (start, end) => values.push(Number(FIGURE.exec(read.slice(start, end))?.[0])),
  }
  readWhole(read, 'answer', reader)
  const isForm = words >= WORDS_MIN && values.length > 0 && values.length <= VALUES_MAX
  return isForm ? { form, values } : undefined
}
