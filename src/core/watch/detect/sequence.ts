import { type Detector, itemOf, signOf } from '../detector.ts'
import { remember } from '../memory.ts'
import { cycleKey } from '../signature.ts'

/** `repeats` times the same cycle of calls with the same answers, for any cycle of at most `periodMax` calls. */
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
 * Intuition: lay the story of the calls over itself, shifted by p. Where it matches for (repeats − 1) × p calls on
 * end, the last repeats × p calls are one cycle of p, `repeats` times over.
 *
 * A call counts with its answer: polling that sees the counter move is no loop. Keeping one run length per period
 * makes every period cost one comparison a call; comparing whole tails anew, as most do, costs period × repeats
 * each and is why they stop at periods of 4 or 5. The shortest period wins, so AAAA is a cycle of one, not of two.
 */
export const sequence: Detector<State, SequenceOptions, 'answered'> = {
  name: 'sequence',
  version: 2,
  start: { latest: [], runs: [] },
  sees: ['answered'],
  observe(state, sighting, { repeats, periodMax }) {
    const key = itemOf(sighting)
    const runs: number[] = []
    let found = 0
    for (let period = 1; period <= periodMax; period++) {
      const before = state.latest[state.latest.length - period]
      const run = before?.[0] === key ? (state.runs[period - 1] ?? 0) + 1 : 0
      runs.push(run)
      if (found === 0 && run >= (repeats - 1) * period) found = period
    }
    const latest = remember(state.latest, [key, sighting.subject, sighting.seq], periodMax)
    const next = { latest, runs }
    if (found === 0) return [next, undefined]

    const members = latest.slice(-found)
    const count = Math.floor((runs[found - 1] ?? 0) / found) + 1
    const names = members.map(([, name]) => name)
    return [
      next,
      {
        kind: 'loop',
        detector: 'sequence',
        id: cycleKey(members.map(([member]) => member)),
        members: names,
        signs: members.map(([member]) => signOf(member)),
        period: found,
        repeats: count,
        // The ring holds one period at least; an onset that has left it is named by its oldest call.
        onset: latest[Math.max(0, latest.length - found * count)]?.[2] ?? sighting.seq,
        events: members.map(([, , seq]) => seq),
        summary: `${names.join(' → ')} ${count} times over, with the same arguments and nothing new in the answers`,
      },
    ]
  },
}
