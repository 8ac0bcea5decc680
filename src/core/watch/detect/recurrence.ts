/**
 * The same state entered with the same content after the same answers `times` times, with nothing new in between.
 *
 * Intuition: an agent that returns to the same place with the same knowledge, by the same way, walks in a circle.
 *
 * Hard cases: a transcript grows at every lap and would make each lap look new, therefore the hash covers only channels that
 * are neither volatile nor append-only. A new answer or text may not show in these channels, therefore it resets the count.
 * A second look at three pages passes the same state three times, but each time after another page.
 * Rejected: hashing the whole context, which finds no loop in any agent that logs what it does.
 */
import type { BuiltIn } from './detector.ts'
import { newsOf } from '../normalize/observed.ts'
import { remember, SHORT_HASH, shortHash, cycleKey, hash } from '../data/json.ts'

type State = {
  readonly entries: readonly Entry[]
  /** Short hashes of known answers and texts in one string, newest last. */
  readonly known: string
  /** Short hashes of the latest answers and texts in one string, newest last, and the length of all. */
  readonly way: string
  readonly length: number
}

/** `length`: of the way to this entry. */
type Entry = readonly [key: string, state: string, seq: number, length: number]

const KNOWN_MAX = 48 * SHORT_HASH

export const recurrence: BuiltIn<State, 'recurrence', 'entered' | 'answered' | 'said'> = {
  name: 'recurrence',
  version: 6,
  start: { entries: [], known: '', way: '', length: 0 },
  finds: 'loop',
  sees: ['entered', 'answered', 'said'],
  observe(state, observation, { times, within }) {
    if (observation.kind === 'answered') return [withNews(state, newsOf(observation)), undefined]
    if (observation.kind === 'said') {
      // The answer to another question is news, whatever it is.
      const { subject, hash: said, asked, seq } = observation
      const text = hash(`${subject} ${said} ${asked ? seq : ''}`)
      return [withNews(state, shortHash(text)), undefined]
    }
    const { state: name, hash: content, seq } = observation
    const key = hash(`${name} ${content} ${wayFrom(state, name)}`)
    const entries = remember(state.entries, [key, name, seq, state.length] as const, within)
    const next = { ...state, entries }
    const visits = entries.filter(entry => entry[0] === key)
    const last = visits.at(-2)
    if (visits.length < times || !last) return [next, undefined]

    const repeats = visits.length - 1
    const members = entries.slice(entries.indexOf(last), -1).map(([, name]) => name)
    const cycle = { id: cycleKey(members), members, period: members.length, repeats }
    const events = visits.map(([, , seq]) => seq)
    const reason = { code: 'repeated-state', params: { states: members, times: repeats } } as const
    return [next, { ...cycle, events, reason }]
  },
}

/** The answers and texts since the last entry of a state. */
function wayFrom({ entries, way, length }: State, name: string): string {
  const last = entries.findLast(([, state]) => state === name)
  return last ? way.slice(Math.max(0, way.length - (length - last[3]))) : way
}

function withNews(state: State, news: string): State {
  const length = state.length + news.length
  if (state.known.includes(news))
    return { ...state, way: (state.way + news).slice(-KNOWN_MAX), length }
  return { entries: [], known: (state.known + news).slice(-KNOWN_MAX), way: news, length }
}
