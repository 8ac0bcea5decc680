/** A figure of a bound: a number, and in words where it comes from. */
import type { Spent } from '../../watch/budget/spent.ts'
import { spanAbout } from '../spec/span.ts'

export interface Figure {
  /** The most; `Infinity` where nothing bounds it. Times are in ms. */
  readonly most: number
  /** How the number comes about, or which setting would bound it. */
  readonly because: string
}

/** The least of several bounds that all hold: of equals, the one named first. */
export function minFigure(first: Figure, ...others: readonly Figure[]): Figure {
  return others.reduce((best, other) => (other.most < best.most ? other : best), first)
}

/** How figures of a unit are written. */
export function formatUnit(unit: keyof Spent): 'count' | 'usd' | 'ms' {
  return unit === 'usd' ? 'usd' : unit === 'duration' ? 'ms' : 'count'
}

/** Whole numbers in threes, money to the hundredth of a cent, times in the units people use. */
export function formatAmount(value: number, unit: 'count' | 'usd' | 'ms' = 'count'): string {
  if (unit === 'usd') return String(Number(value.toFixed(4)))
  return unit === 'ms' ? spanAbout(value) : Number(value.toFixed(2)).toLocaleString('en-US')
}

/** `1 call`, `3 calls`. */
export function formatCount(count: number, noun: string): string {
  return `${formatAmount(count)} ${noun}${count === 1 ? '' : 's'}`
}
