/** A figure of the worst case: a number, and in words where it comes from. */
import type { Spent } from '../../watch/event/spent.ts'
import { spanAbout } from '../../watch/data/duration.ts'

export interface Figure {
  /** The most; `Infinity` where the spec does not say. Times are in ms. */
  readonly most: number
  /** How the number comes about, or which setting would bound it. */
  readonly because: string
  /** The limit after which no further call is made, where only the size of the last calls is unknown. */
  readonly stopsAt?: number
}

export function unknown(because: string): Figure {
  return { most: Number.POSITIVE_INFINITY, because }
}

export function isUnknown({ most }: Figure): boolean {
  return most === Number.POSITIVE_INFINITY
}

/** The smaller of two figures that both hold: of equals, the first. */
export function minFigure(first: Figure, second: Figure): Figure {
  return second.most < first.most ? second : first
}

/** The largest of some figures; `none` if all are 0. */
export function maxFigure(figures: readonly Figure[], none: Figure): Figure {
  return figures.reduce((max, figure) => (figure.most > max.most ? figure : max), none)
}

/** Whole numbers in threes, money to the hundredth of a cent, times in the units people use. */
export function formatAmount(value: number, unit: keyof Spent): string {
  if (unit === 'usd') return String(Number(value.toFixed(4)))
  return unit === 'duration' ? spanAbout(value) : Number(value.toFixed(2)).toLocaleString('en-US')
}

/** `1 call`, `3 calls`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
