import type { OptionsOf } from '../policy/detect-keys.ts'
import type { Detector } from './detector.ts'
import { ITEM, itemOf, signOf } from '../normalize/observed.ts'
import { remember } from '../data/json.ts'
import { hash } from '../data/signature.ts'
import { confidenceOf } from '../data/confidence.ts'

type State = {
  /** Calls with their answers, one after the other in one text: looking through it costs a tenth of looking through a list. */
  readonly known: string
  /** The latest answers that were no news: their tools, calls and seqs. */
  readonly row: readonly (readonly [subject: string, sign: string, seq: number])[]
  /** The seq of the first of them, the round of the last, and how many rounds they make, less those that news has paid for. */
  readonly since: number
  readonly round: number
  readonly rounds: number
}

const KNOWN_MAX = 96 * ITEM
const ROW_MAX = 8
/** A budget of novelty: who brings something new in one round of five goes on, who brings less runs dry. */
const PAID = 4

/**
 * `times` rounds in which nothing was asked or answered that had not been before; something new in between pays for a few.
 *
 * Intuition: reading the same pages again in another order is still reading the same pages. This sees loops of any
 * shape and period, reordered and drifting ones too, because it asks only how much was new.
 *
 * What was known before a write took effect may have changed with it: three checks after each edit are checks, not laps.
 * Call and answer count together. Rejected: the answer alone. Measured on recorded agents, it stops three times as many
 * healthy ones, since half the answers of a shell are empty.
 */
export const stale: Detector<State, OptionsOf<'stale'>, 'answered'> = {
  name: 'stale',
  version: 4,
  start: { known: '', row: [], since: 0, round: -1, rounds: 0 },
  sees: ['answered'],
  observe(state, observation, { times }) {
    if (observation.tone === 'unseen' || observation.tone === 'later') return [state, undefined]
    const { subject, round, seq } = observation
    const item = itemOf(observation)
    if (observation.wrote && !state.known.includes(item))
      return [{ ...stale.start, known: item }, undefined]
    if (!state.known.includes(item))
      return [payCredit(state, (state.known + item).slice(-KNOWN_MAX)), undefined]
    const row = remember(state.row, [subject, signOf(item), seq] as const, ROW_MAX)
    const rounds = state.rounds + (state.round === round ? 0 : 1)
    const since = state.rounds === 0 ? seq : state.since
    const next = { known: state.known, row, since, round, rounds }
    if (rounds < times) return [next, undefined]
    const members = [...new Set(row.map(([subject]) => subject))]
    return [
      next,
      {
        kind: 'stall',
        detector: 'stale',
        id: `stale ${hash(members.toSorted().join())}`,
        members,
        signs: [...new Set(row.map(([, sign]) => sign))],
        period: 1,
        repeats: rounds,
        onset: since,
        events: row.map(([, , seq]) => seq),
        confidence: confidenceOf(rounds - 1),
        reason: { code: 'no-new-information', params: { calls: members, rounds } },
      },
    ]
  },
}

function payCredit(state: State, known: string): State {
  const rounds = Math.max(0, state.rounds - PAID)
  return { ...state, known, row: rounds === 0 ? [] : state.row, round: -1, rounds }
}
