/** A figure of the worst case: a number, and its origin in words. */
import { spanAbout } from '../../watch/data/duration.ts'
import type { Spent } from '../../watch/event/spent.ts'

export interface Figure {
  /** The maximum; `Infinity` where the spec does not define it. Times are in ms. */
  readonly most: number
  /** The origin of the number, or the setting that would bound it. */
  readonly because: string
  /** The limit after which no further call is made, where only the size of the last calls is unknown. */
  readonly stopsAt?: number
}

export const NOTHING: Figure = { most: 0, because: '' }

export function unknown(because: string): Figure {
  return { most: Number.POSITIVE_INFINITY, because }
}

export function isUnknown({ most }: Figure): boolean {
  return most === Number.POSITIVE_INFINITY
}

/** The largest figure; `none` if all are 0. */
export function maxFigure(figures: readonly Figure[], none: Figure): Figure {
  return figures.reduce((max, figure) => (figure.most > max.most ? figure : max), none)
}

/** Whole numbers with separators, money to the hundredth of a cent, times in common units. */
export function formatAmount(value: number, unit: keyof Spent): string {
  if (unit === 'usd') return String(Number(value.toFixed(4)))
  return unit === 'duration' ? spanAbout(value) : Number(value.toFixed(2)).toLocaleString('en-US')
}

/** `1 call`, `3 calls`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
