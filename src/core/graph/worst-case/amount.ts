/** Amounts as text. */
import { durationText } from '../../watch/data/duration.ts'
import type { Spent } from '../../watch/event/call-event.ts'

/** Whole numbers with separators, money to the hundredth of a cent, times in common units. */
export function formatAmount(value: number, unit: keyof Spent): string {
  if (unit === 'usd') return String(Number(value.toFixed(4)))
  return unit === 'duration'
    ? durationText(value)
    : Number(value.toFixed(2)).toLocaleString('en-US')
}

/** `1 call`, `3 calls`. */
export const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
