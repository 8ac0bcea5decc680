/** The cycles of a chart, each with the edges and the rungs that lead out of it: the static complement of a loop of a run. */
import type { Chart } from '../chart.ts'
import { type Arrow, outlineOf } from './outline.ts'
import { lapsOf } from './text.ts'

export interface Cycle {
  /** Its states, each once, in the order of its shortest round trips. */
  readonly states: readonly string[]
  /** Whether a state requests work, which the limit of steps counts. */
  readonly isCounted: boolean
  /** The edges that lead out without an escape. Cancellation is a command. */
  readonly exits: readonly CycleExit[]
  /** The rungs that lead out, except `stop`, which ends the thread from everywhere. */
  readonly escapes: readonly CycleExit[]
}

/** `by`: an outcome or a rung. */
export type CycleExit = Readonly<{ from: string; to: string; by: string }>

/**
 * The cycles of a chart.
 * @example const trapped = cyclesOf(graph.machine.chart).filter(({ exits, escapes }) => exits.length + escapes.length === 0)
 */
export function cyclesOf(chart: Chart): readonly Cycle[] {
  const working = new Set(
    chart.states.filter(({ effects }) => effects.length > 0).map(({ id }) => id),
  )
  return lapsOf(outlineOf(chart)).map(({ rounds, exits }) => {
    const states = [...new Set(rounds.flat().map(({ source }) => source))]
    const own = exits.filter(({ style, label }) => style !== 'escape' && label !== 'cancelled')
    const escapes = exits.filter(({ style, label }) => style === 'escape' && !isStop(label))
    return {
      states,
      isCounted: states.some(state => working.has(state)),
      exits: own.map(exitOf),
      escapes: escapes.map(exitOf),
    }
  })
}

const exitOf = ({ source, target, label, style }: Arrow): CycleExit => {
  return { from: source, to: target, by: style === 'escape' ? rungIn(label) : label }
}

/** Drawings label an escape with `escape` and its rung. */
const rungIn = (label: string): string => label.replace(/^escape\s*/, '') || 'escape'
const isStop = (label: string): boolean => rungIn(label) === 'stop'
