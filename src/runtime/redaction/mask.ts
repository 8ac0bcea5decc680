/** Masks parts of a text. */

export const MASK = '[redacted]'

/** A part of a text: the index of its first character, and the index after its last one. */
export type Span = readonly [start: number, end: number]

/** The text with each part masked. Parts that overlap become one mask. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  let masked = ''
  let last = 0
  for (const [start, end] of merged(spans)) {
    masked += text.slice(last, start) + MASK
    last = end
  }
  return masked + text.slice(last)
}

/** The parts in their order. Those that overlap become one. */
export function merged(spans: readonly Span[]): readonly Span[] {
  const parts: Span[] = []
  for (const span of spans.toSorted(([a], [b]) => a - b)) {
    const [start, end] = parts.at(-1) ?? [0, 0]
    if (span[0] < end) parts[parts.length - 1] = [start, Math.max(end, span[1])]
    else parts.push(span)
  }
  return parts
}

/** All matches of a global pattern, also of one that begins inside of another. */
export function overlapping(pattern: RegExp, text: string): readonly Span[] {
  const spans: Span[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    spans.push([match.index, pattern.lastIndex])
    pattern.lastIndex = match.index + 1
  }
  return spans
}

/** All matches of a global pattern, without their first group. */
export function spansOf(pattern: RegExp, text: string): readonly Span[] {
  const spans: Span[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text))
    spans.push([match.index + (match[1]?.length ?? 0), pattern.lastIndex])
  return spans
}
