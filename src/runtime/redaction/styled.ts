/** Texts with the colors of a terminal: `grep` and `curl` color the name of a secret, which hides what belongs to it. */
import { ESCAPE, STYLE } from '../../core/watch/data/terminal-style.ts'
import type { Span } from './mask.ts'

/** The parts that `find` returns for the text as a person sees it; none if it has no style. */
export function spansBelowStyles(
  text: string,
  find: (plain: string) => readonly Span[],
): readonly Span[] {
  if (!text.includes(ESCAPE)) return []
  const parts: Part[] = []
  let plainAt = 0
  let last = 0
  const add = (end: number) => {
    if (end > last) parts.push({ plainAt, at: last, part: text.slice(last, end) })
    plainAt += end - last
  }
  for (const { index, 0: style } of text.matchAll(STYLE)) {
    add(index)
    last = index + style.length
  }
  add(text.length)
  const placeOf = (index: number): number => {
    const of = partAt(parts, index)
    return of === undefined ? index : of.at + index - of.plainAt
  }
  return find(parts.map(({ part }) => part).join('')).map(
    ([start, end]): Span => [placeOf(start), placeOf(end - 1) + 1],
  )
}

/** A part without style: where it begins in the plain text, and where in the text. */
interface Part {
  readonly plainAt: number
  readonly at: number
  readonly part: string
}

/** By halves: a text may have as many parts as secrets. */
function partAt(parts: readonly Part[], index: number): Part | undefined {
  let first = 0
  let end = parts.length
  while (first < end) {
    const middle = (first + end) >>> 1
    if ((parts[middle] as Part).plainAt <= index) first = middle + 1
    else end = middle
  }
  return parts[first - 1]
}
