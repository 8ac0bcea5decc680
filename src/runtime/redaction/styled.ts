/** Texts with the colors of a terminal: `grep` and `curl` color the name of a secret, which hides what belongs to it. */
import { ESCAPE, STYLE } from '../../core/watch/data/terminal-style.ts'
import type { Span } from './mask.ts'

/** The parts that `find` returns for the text as a person sees it; none if it has no style. */
export function spansBelowStyles(
  text: string,
  find: (plain: string) => readonly Span[],
): readonly Span[] {
  if (!text.includes(ESCAPE)) return []
  const parts: { readonly plainAt: number; readonly at: number; readonly part: string }[] = []
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
    const of = parts.findLast(({ plainAt: from }) => from <= index)
    return of === undefined ? index : of.at + index - of.plainAt
  }
  return find(parts.map(({ part }) => part).join('')).map(
    ([start, end]): Span => [placeOf(start), placeOf(end - 1) + 1],
  )
}
