/** The part of a timeline that is shown. */

/** As places from 0 to 1. */
export interface Extent {
  readonly from: number
  readonly to: number
}

export const WHOLE: Extent = { from: 0, to: 1 }

/** The smallest part that is shown. */
const EXTENT_MIN = 0.005

/** Inside the timeline, and not too small. */
export function extentOf(from: number, to: number): Extent {
  const size = Math.min(1, Math.max(EXTENT_MIN, to - from))
  const start = Math.min(1 - size, Math.max(0, from))
  return { from: start, to: start + size }
}

/** Smaller or larger by a factor. The place `around` keeps where it is. */
export function zoomed({ from, to }: Extent, factor: number, around: number): Extent {
  const size = Math.min(1, Math.max(EXTENT_MIN, (to - from) * factor))
  const start = around - ((around - from) / (to - from)) * size
  return extentOf(start, start + size)
}

/** `0.25-0.5` in an address. */
export const extentText = ({ from, to }: Extent): string | undefined =>
  from === 0 && to === 1 ? undefined : `${round(from)}-${round(to)}`

const round = (place: number): number => Math.round(place * 10_000) / 10_000

export function extentIn(text: string | undefined): Extent {
  const [, from, to] = /^([\d.]+)-([\d.]+)$/.exec(text ?? '') ?? []
  const extent = extentOf(Number(from), Number(to))
  return Number.isNaN(extent.from) || Number.isNaN(extent.to) ? WHOLE : extent
}
