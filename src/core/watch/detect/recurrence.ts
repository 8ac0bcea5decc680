import type { Detector } from '../detector.ts'
import { cycleKey, hash } from '../signature.ts'

/** The same state with the same content entered `times` times, nothing new having been learnt in between. */
export interface RecurrenceOptions {
  readonly times: number
  /** How many entries are remembered: cycles longer than this are not seen. */
  readonly within: number
}

type State = {
  readonly entries: readonly (readonly [key: string, state: string, seq: number])[]
  /** Hashes of answers and texts seen, newest last: what makes the next one news. */
  readonly known: readonly string[]
}

const KNOWN_MAX = 48

/**
 * Intuition: a walker who passes the same signpost with the same things in his pockets is walking in a circle.
 *
 * The hash covers the channels that are not volatile and not append-only (a transcript grows at every lap, and
 * would make each lap look new; a path inside the state did that to the lecture's detector). Therefore anything
 * learnt on the way, a new answer or a new text, starts the count again: the pockets are fuller than they look.
 */
export const recurrence: Detector<State, RecurrenceOptions> = {
  name: 'recurrence',
  version: 1,
  start: { entries: [], known: [] },
  observe(state, sighting, { times, within }) {
    if (sighting.kind !== 'entered') return [learn(state, hash(`${sighting.subject} ${sighting.kind === 'said' ? sighting.hash : sighting.outcome}`)), undefined]
    const key = hash(`${sighting.state} ${sighting.hash}`)
    const entries = [...state.entries.slice(-(within - 1)), [key, sighting.state, sighting.seq] as const]
    const next = { ...state, entries }
    const visits = entries.filter(([other]) => other === key)
    const [first, last] = [visits[0], visits.at(-2)]
    if (visits.length < times || !first || !last) return [next, undefined]

    const lap = entries.slice(entries.indexOf(last), -1)
    const members = lap.map(([, name]) => name)
    return [
      next,
      {
        kind: 'loop',
        detector: 'recurrence',
        id: cycleKey(members),
        members,
        period: members.length,
        repeats: visits.length - 1,
        onset: first[2],
        events: visits.map(([, , seq]) => seq),
        summary: `${members.join(' → ')} and back ${visits.length - 1} times, with the state unchanged`,
      },
    ]
  },
}

function learn(state: State, news: string): State {
  if (state.known.includes(news)) return state
  return { entries: [], known: [...state.known.slice(-(KNOWN_MAX - 1)), news] }
}
