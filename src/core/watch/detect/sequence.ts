import { type Detector, itemOf, signOf } from '../detector.ts'
import type { Sketch } from '../finding.ts'
import { remember } from '../memory.ts'
import { cycleKey } from '../signature.ts'
import { sureOf } from '../sure.ts'

/** The `repeats`th lap of the same cycle of calls with the same answers has begun, for any cycle of at most `periodMax` calls. */
export interface SequenceOptions {
  readonly repeats: number
  readonly periodMax: number
}

/** The latest calls, oldest first, and for each period how many of them in a row equalled the call one period before. */
type State = {
  readonly latest: readonly (readonly [key: string, name: string, seq: number])[]
  readonly runs: readonly number[]
}

/**
 * Intuition: lay the story of the calls over itself, shifted by p. As long as it matches, the last calls are laps of p.
 *
 * A call counts with its answer: polling that sees the counter move is no loop. Keeping one run length per period
 * makes every period cost one comparison a call; comparing whole tails anew, as most do, costs period × repeats
 * each and is why they stop at periods of 4 or 5. The shortest period wins, so AAAA is a cycle of one, not of two.
 */
export const sequence: Detector<State, SequenceOptions, 'answered'> = {
  name: 'sequence',
  version: 3,
  start: { latest: [], runs: [] },
  sees: ['answered'],
  observe(state, sighting, { repeats, periodMax }) {
    // A call without its answer, or one that is to come back later, is half a piece of evidence: `repetition` weighs it.
    if (sighting.tone === 'unseen' || sighting.tone === 'later') return [state, undefined]
    const key = itemOf(sighting)
    const runs: number[] = []
    let found = 0
    for (let period = 1; period <= periodMax; period++) {
      const before = state.latest[state.latest.length - period]
      const run = before?.[0] === key ? (state.runs[period - 1] ?? 0) + 1 : 0
      runs.push(run)
      if (found === 0 && run >= runNeeded(period, repeats)) found = period
    }
    const latest = remember(state.latest, [key, sighting.subject, sighting.seq], periodMax)
    return [{ latest, runs }, found === 0 ? undefined : cycleOf(latest, found, runs[found - 1] ?? 0)]
  },
}

/** How many calls on end must be those of one lap before. */
function runNeeded(period: number, repeats: number): number {
  return Math.max((repeats - 2) * period + 1, period)
}

function cycleOf(latest: State['latest'], period: number, run: number): Sketch {
  const lap = latest.slice(-period)
  const first = (period - (run % period)) % period
  const members = [...lap.slice(first), ...lap.slice(0, first)]
  const names = members.map(([, name]) => name)
  const signs = members.map(([member]) => signOf(member))
  const laps = Math.ceil(run / period) + 1
  return {
    kind: 'loop',
    detector: 'sequence',
    id: cycleKey(signs),
    members: names,
    signs,
    period,
    repeats: laps,
    // The ring holds one period at least; an onset that has left it is named by its oldest call.
    onset: latest[Math.max(0, latest.length - run - period)]?.[2] ?? 0,
    events: lap.map(([, , seq]) => seq),
    sure: sureOf(run / period),
    summary: `${names.join(' → ')} ${laps} times over, with the same arguments and nothing new in the answers`,
  }
}
