/** What the fill of a state shows, as one of five steps of a ramp. */
import { NO_USE } from '../data/state-use.ts'
import type { Overlay } from '../data/overlay.ts'
import { countText, durationText, moneyText, numberText } from '../design/format.ts'

export const HEATS = ['visits', 'time', 'cost', 'errors'] as const
export type Heat = (typeof HEATS)[number]

type Level = 0 | 1 | 2 | 3 | 4

/** The heat that an address names. */
export const heatIn = (named: string | undefined): Heat =>
  HEATS.find(heat => heat === named) ?? 'visits'

/** Of a state, or of the states that a closed box stands for. */
export const heatOf = (overlay: Overlay, heat: Heat, states: readonly string[]): number =>
  states.reduce((sum, state) => sum + valueOf(overlay, heat, state), 0)

function valueOf({ visits, uses }: Overlay, heat: Heat, state: string): number {
  if (heat === 'visits') return visits.get(state) ?? 0
  const { ms, usd, failed } = uses.get(state) ?? NO_USE
  return { time: ms, cost: usd, errors: failed }[heat]
}

/** Counts have a fixed scale, and time and money one up to the state that took most. */
export function levelOf(overlay: Overlay, heat: Heat, value: number): Level {
  if (value <= 0) return 0
  if (heat === 'visits' || heat === 'errors') return countLevel(value)
  return Math.min(4, Math.max(1, Math.ceil((value / hottest(overlay, heat)) * 4))) as Level
}

/** On a logarithmic scale, because loops dominate a linear one. */
function countLevel(count: number): Level {
  if (count === 1) return 1
  if (count <= 4) return 2
  return count <= 16 ? 3 : 4
}

type Measured = 'time' | 'cost'

const HOTTEST = new WeakMap<Overlay, Map<Measured, number>>()

/** The value of the hottest state that was visited. Computed once per overlay, for all states. */
function hottest(overlay: Overlay, heat: Measured): number {
  const known = HOTTEST.get(overlay) ?? new Map<Measured, number>()
  HOTTEST.set(overlay, known)
  const most =
    known.get(heat) ??
    Math.max(...[...overlay.visits.keys()].map(state => valueOf(overlay, heat, state)))
  known.set(heat, most)
  return most
}

/** The value in words, such as `3 visits` or `1.2 s`. */
export function heatText(heat: Heat, value: number): string {
  switch (heat) {
    case 'visits':
      return countText(value, 'visit')
    case 'time':
      return durationText(value)
    case 'cost':
      return moneyText(value)
    case 'errors':
      return `${numberText(value)} failed`
  }
}
