/**
 * One state entered `max` times within `window` ms.
 *
 * Intuition: an agent that enters one state this often does not get past it.
 *
 * Hard case: a healthy agent enters `plan` once a lap. This is the weakest signal, so it is off until a spec sets `max`, which
 * counts each state on its own. Rejected: one ring for all states, which misses every cycle of more than 32 / `max` states.
 */
import type { BuiltIn } from './detector.ts'

/** A state, the time and seq of its latest entry, and the distance of each visit from the one before, newest first. */
type Visited = readonly [state: string, at: number, seq: number, gaps: readonly Gap[]]
type Gap = readonly [ms: number, events: number]
type State = readonly Visited[]

/** Visits remembered in all states together, and the least number of states remembered for any `max`. */
const VISITS_MAX = 128
const STATES_MIN = 4

export const visits: BuiltIn<State, 'visits', 'entered'> = {
  name: 'visits',
  version: 2,
  start: [],
  finds: 'loop',
  sees: ['entered'],
  observe(state, { state: name, at, seq }, { max, window }) {
    const gaps = gapsWithin(window, gapsBefore(state, name, at, seq), max - 1)
    const others = state.filter(([other, last]) => other !== name && at - last <= window)
    const kept = busiest(others, Math.max(STATES_MIN, Math.floor(VISITS_MAX / max)) - 1)
    const next = [...kept, [name, at, seq, gaps] as const]
    if (gaps.length < max - 1) return [next, undefined]
    const events = eventsOf(seq, gaps)
    const seconds = Math.round(window / 1_000)
    const reason = { code: 'frequent-state', params: { state: name, times: max, seconds } } as const
    const seen = { members: [name], repeats: max, onset: events[0] ?? seq }
    return [next, { ...seen, events: events.slice(-12), reason }]
  },
}

function gapsBefore(state: State, name: string, at: number, seq: number): readonly Gap[] {
  const known = state.find(visited => visited[0] === name)
  return known ? [[at - known[1], seq - known[2]], ...known[3]] : []
}

/** The newest gaps that together fit into the window, at most `max` of them. */
function gapsWithin(window: number, gaps: readonly Gap[], max: number): readonly Gap[] {
  let age = 0
  const end = gaps.findIndex(([ms], index) => {
    age += ms
    return index >= max || age > window
  })
  return end < 0 ? gaps : gaps.slice(0, end)
}

/** The seqs of the visits, oldest first. */
function eventsOf(seq: number, gaps: readonly Gap[]): readonly number[] {
  const seqs = [seq]
  for (const [, events] of gaps) seqs.unshift((seqs[0] ?? seq) - events)
  return seqs
}

/** Drops the newest of the least visited states if there are more than `max`. A cycle longer than the memory keeps some states. */
function busiest(states: State, max: number): State {
  if (states.length <= max) return states
  const visits = ([, , , { length }]: Visited) => length
  const least = Math.min(...states.map(visits))
  const newest = states.findLastIndex(state => visits(state) === least)
  return states.toSpliced(newest, 1)
}
