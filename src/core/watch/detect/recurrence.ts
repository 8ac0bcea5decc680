import type { OptionsOf } from '../policy/detect-keys.ts'
import type { Detector } from './detector.ts'
import { findingDraft } from '../event/finding.ts'
import { newsOf } from '../normalize/observed.ts'
import { remember } from '../data/json.ts'
import { SHORT_HASH, shortHash, cycleKey, hash } from '../data/signature.ts'

type State = {
  readonly entries: readonly (readonly [key: string, state: string, seq: number])[]
  /** Short hashes of known answers and texts in one string, newest last. */
  readonly known: string
}

const KNOWN_MAX = 48 * SHORT_HASH

/**
 * The same state entered with the same content `times` times, with nothing new in between.
 *
 * Intuition: an agent that returns to the same place with the same knowledge walks in a circle.
 *
 * Hard cases: a transcript grows at every lap and would make each lap look new, therefore the hash covers only channels that
 * are neither volatile nor append-only. A new answer or text may not show in these channels, therefore it resets the count.
 * Rejected: hashing the whole context, which finds no loop in any agent that logs what it does.
 */
export const recurrence: Detector<
  State,
  OptionsOf<'recurrence'>,
  'entered' | 'answered' | 'said'
> = {
  name: 'recurrence',
  version: 3,
  start: { entries: [], known: '' },
  sees: ['entered', 'answered', 'said'],
  observe(state, observation, { times, within }) {
    if (observation.kind === 'answered') return [withNews(state, newsOf(observation)), undefined]
    if (observation.kind === 'said') {
      const text = hash(`${observation.subject} ${observation.hash}`)
      return [withNews(state, shortHash(text)), undefined]
    }
    const key = hash(`${observation.state} ${observation.hash}`)
    const entries = remember(state.entries, [key, observation.state, observation.seq], within)
    const next = { ...state, entries }
    const visits = entries.filter(entry => entry[0] === key)
    const last = visits.at(-2)
    if (visits.length < times || !last) return [next, undefined]

    const repeats = visits.length - 1
    const members = entries.slice(entries.indexOf(last), -1).map(([, name]) => name)
    const cycle = { id: cycleKey(members), members, period: members.length, repeats }
    const events = visits.map(([, , seq]) => seq)
    const reason = { code: 'repeated-state', params: { states: members, times: repeats } } as const
    return [next, findingDraft('loop', 'recurrence', { ...cycle, events, reason })]
  },
}

function withNews(state: State, news: string): State {
  if (state.known.includes(news)) return state
  return { entries: [], known: (state.known + news).slice(-KNOWN_MAX) }
}
