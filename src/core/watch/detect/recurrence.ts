import type { OptionsOf } from '../policy/detect-keys.ts'
import type { Detector } from './detector.ts'
import { newsOf } from '../normalize/observed.ts'
import { remember } from '../data/json.ts'
import { SHORT_HASH, shortHash, cycleKey, hash } from '../data/signature.ts'

type State = {
  readonly entries: readonly (readonly [key: string, state: string, seq: number])[]
  /** Briefs of answers and texts seen, newest last, in one text: what makes the next one news. */
  readonly known: string
}

const KNOWN_MAX = 48 * SHORT_HASH

/**
 * The same state with the same content entered `times` times, nothing new having been learnt in between.
 *
 * Intuition: a walker who passes the same signpost with the same things in his pockets is walking in a circle.
 *
 * The hash covers the channels that are not volatile and not append-only (a transcript grows at every lap, and
 * would make each lap look new; a path inside the state did that to the lecture's detector). Therefore anything
 * learnt on the way, a new answer or a new text, starts the count again: the pockets are fuller than they look.
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
    if (observation.kind !== 'entered')
      return [
        learn(
          state,
          observation.kind === 'said'
            ? shortHash(hash(`${observation.subject} ${observation.hash}`))
            : newsOf(observation),
        ),
        undefined,
      ]
    const key = hash(`${observation.state} ${observation.hash}`)
    const entries = remember(state.entries, [key, observation.state, observation.seq], within)
    const next = { ...state, entries }
    const visits = entries.filter(entry => entry[0] === key)
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
        reason: { code: 'repeated-state', params: { states: members, times: visits.length - 1 } },
      },
    ]
  },
}

const NONE: State['entries'] = []

function learn(state: State, news: string): State {
  if (state.known.includes(news)) return state
  return { entries: NONE, known: (state.known + news).slice(-KNOWN_MAX) }
}
