import type { OptionsOf } from '../policy/detect-keys.ts'
import type { Detector } from './detector.ts'

/** A state: when it was last entered, by which event, and how far each visit is from the one before it, newest first. */
type Visited = readonly [state: string, at: number, seq: number, gaps: readonly Gap[]]
type Gap = readonly [ms: number, events: number]
type State = readonly Visited[]

/** Visits remembered in all; at least `STATES_MIN` states are, whatever their `max`. */
const VISITS_MAX = 128
const STATES_MIN = 4

/**
 * One state entered `max` times within `window` ms.
 *
 * Intuition: a revolving door that turns this often has nobody going through it.
 *
 * The weakest of the signals: a healthy agent enters `plan` once a lap. So it is off until a spec names its number,
 * and the number is for one state, not for all of them together. Each state has a memory of its own: one ring for all
 * of them is deaf to every cycle of more than 32 / `max` states.
 */
export const visits: Detector<State, OptionsOf<'visits'>, 'entered'> = {
  name: 'visits',
  version: 2,
  start: [],
  sees: ['entered'],
  observe(state, { state: name, at, seq }, { max, window }) {
    const gaps = gapsWithin(window, gapsBefore(state, name, at, seq), max - 1)
    const others = state.filter(([other, last]) => other !== name && at - last <= window)
    const next = [
      ...busiest(others, Math.max(STATES_MIN, Math.floor(VISITS_MAX / max)) - 1),
      [name, at, seq, gaps] as const,
    ]
    if (gaps.length < max - 1) return [next, undefined]
    const events = eventsOf(seq, gaps)
    return [
      next,
      {
        kind: 'loop',
        detector: 'visits',
        id: `visits ${name}`,
        members: [name],
        period: 1,
        repeats: max,
        onset: events[0] ?? seq,
        events: events.slice(-12),
        reason: {
          code: 'frequent-state',
          params: { state: name, times: max, seconds: Math.round(window / 1_000) },
        },
      },
    ]
  },
}

function gapsBefore(state: State, name: string, at: number, seq: number): readonly Gap[] {
  const known = state.find(visited => visited[0] === name)
  return known ? [[at - known[1], seq - known[2]], ...known[3]] : []
}

/** The newest gaps that together lie within the window, at most `max` of them. */
function gapsWithin(window: number, gaps: readonly Gap[], max: number): readonly Gap[] {
  let count = 0
  for (
    let age = gaps[0]?.[0] ?? 0;
    count < Math.min(max, gaps.length) && age <= window;
    age += gaps[count]?.[0] ?? 0
  )
    count++
  return gaps.slice(0, count)
}

/** The seqs of the visits, oldest first. */
function eventsOf(seq: number, gaps: readonly Gap[]): readonly number[] {
  const seqs = [seq]
  for (const [, events] of gaps) seqs.push((seqs.at(-1) ?? seq) - events)
  return seqs.reverse()
}

/** Without the least visited, of these the newest, if there are more than `max`: a cycle longer than the memory still leaves some of its states in it. */
function busiest(states: State, max: number): State {
  if (states.length <= max) return states
  const visits = ([, , , { length }]: Visited) => length
  const least = Math.min(...states.map(visits))
  const gone = states.findLastIndex(state => visits(state) === least)
  return states.toSpliced(gone, 1)
}
