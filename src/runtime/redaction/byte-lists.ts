/** Known secrets in lists of bytes: a buffer that a tool returns is a list of numbers in JSON. */
import { MASK, merged, type Span } from './mask.ts'

/** The fewest bytes of a secret. */
const BYTES_MIN = 8

/** The items by their index, with the bytes of each secret as one mask; undefined without a secret. */
export function maskBytes(
  items: readonly unknown[],
  find: (list: string) => readonly Span[],
): Readonly<Record<number, unknown>> | undefined {
  if (!mayBeText(items)) return undefined
  const spans = merged(find(items.join(' ')))
  if (spans.length === 0) return undefined
  const masked: Record<number, unknown> = {}
  let nth = 0
  let at = 0
  let isMasked = false
  for (const [index, item] of items.entries()) {
    const [start, end] = spans[nth] ?? [Number.POSITIVE_INFINITY, 0]
    const next = at + String(item).length
    if (start >= next) masked[index] = item
    else if (!isMasked) masked[index] = MASK
    isMasked = start < next && next < end
    if (start < next && next >= end) nth++
    at = next + 1
  }
  return masked
}

/** Whether all items may be bytes, and enough of them in a row may be characters. */
function mayBeText(items: readonly unknown[]): boolean {
  let run = 0
  let longest = 0
  for (const item of items) {
    if (!isByte(item)) return false
    run = typeof item === 'number' && item >= 0 && item < 9 ? 0 : run + 1
    longest = Math.max(longest, run)
  }
  return longest >= BYTES_MIN
}

/** A number, or a byte as digits. */
const isByte = (item: unknown): boolean =>
  typeof item === 'number'
    ? Number.isInteger(item)
    : typeof item === 'string' && /^(?:0x)?[\da-f]{1,3}$/i.test(item)
