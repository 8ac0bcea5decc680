/** The texts of a request that its answer repeats. They are not the answer. */
import { hasText, withoutText } from '../data/find-text.ts'
import { type Json, DEPTH_MAX } from '../data/json.ts'
import { textOf } from './result-text.ts'

/** More texts are not searched for, and a stored event has no more. */
export const QUOTED_MAX = 3
/** Texts that are searched for: the longest of an input. */
const SEARCHED_MAX = 16
const LENGTH_MAX = 1_000
/** Two words: a single one may stand in an answer by chance. */
const WORDS = /[\p{L}\d][^\p{L}\d]+[\p{L}\d]/u

/** The longest texts anywhere in `input` that stand in `result`, in any case of letters. */
export function quotedTexts(input: Json, result: Json): readonly string[] {
  const answer = textOf(result).toLowerCase()
  return [...new Set(textsIn(input, LENGTH_MAX))]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, SEARCHED_MAX)
    .filter(text => spellings(text).some(spelling => hasText(answer, spelling)))
    .slice(0, QUOTED_MAX)
}

/** The texts anywhere in `input` that are long enough to be quoted, and not longer than `max`. */
export function textsIn(input: Json, max: number): readonly string[] {
  const texts: string[] = []
  collect(input, texts, max, 0)
  return texts
}

/** `text` without quoted texts, in lower case. */
export const withoutQuoted = (text: string, quoted: readonly string[]): string =>
  quoted.flatMap(spellings).reduce(withoutText, text.toLowerCase())

function collect(value: Json, texts: string[], max: number, depth: number): void {
  if (typeof value === 'string') {
    const text = value.trim()
    if (text.length <= max && WORDS.test(text)) texts.push(text)
  } else if (typeof value === 'object' && value !== null && depth < DEPTH_MAX) {
    for (const inner of Object.values(value)) collect(inner as Json, texts, max, depth + 1)
  }
}

/** As in a text, and as JSON escapes it. */
const spellings = (text: string): readonly string[] => {
  const plain = text.toLowerCase()
  const escaped = JSON.stringify(plain).slice(1, -1)
  return escaped === plain ? [plain] : [plain, escaped]
}
