/**
 * `times` batches in which nothing new was asked or answered. News in between pays for a few of them.
 *
 * Intuition: reading the same pages again in another order is still reading the same pages. The detector only asks how much is
 * new, therefore it finds loops of any shape and period, reordered and drifting ones included.
 *
 * Answers to one call in which numbers only go up and down are not news, once they did so `times` times in a row.
 *
 * Hard case: a write may change every answer, so three checks after each edit are checks, not laps.
 * Rejected: counting the answer without its call. Measured on recorded agents, it stops three times as many healthy ones,
 * because half the answers of a shell are empty.
 */
import { type BuiltIn, confidenceOf } from './detector.ts'
import { ITEM_LENGTH, itemOf, signOf } from '../normalize/observed.ts'
import { remember, hash } from '../data/json.ts'
import { answersInVain, type Series, seriesAfter } from './fluctuation.ts'

type State = {
  /** Calls with their answers in one string: a search in it costs a tenth of a search in a list. */
  readonly known: string
  /** The latest answers without news. */
  readonly row: readonly (readonly [subject: string, sign: string, seq: number])[]
  /** The seq of the first of them, the batch of the last, and the number of their batches, minus those that news paid for. */
  readonly since: number
  readonly batch: number
  readonly batches: number
  /** The answers of the call that was made last. Absent without one, because each step keeps its state. */
  readonly series?: Series
}

const KNOWN_MAX = 96 * ITEM_LENGTH
const ROW_MAX = 8
/** One batch with news pays for four without. */
const PAID = 4

export const stale: BuiltIn<State, 'stale', 'answered'> = {
  name: 'stale',
  version: 9,
  start: { known: '', row: [], since: 0, batch: -1, batches: 0 },
  finds: 'stall',
  sees: ['answered'],
  observe(state, observation, { times }) {
    const { subject, tone, wrote, figures, batch, seq } = observation
    if (tone === 'unseen' || tone === 'later') return [state, undefined]
    const item = itemOf(observation)
    const isKnown = state.known.includes(item)
    const sign = signOf(item)
    const isAgain = state.known.includes(sign)
    const ends = !isKnown || tone !== 'plain'
    const series = seriesAfter(state.series, { subject, sign, figures, isAgain, ends })
    const inVain = answersInVain(series)
    if (!isKnown && inVain < times)
      return [wrote ? { ...stale.start, known: item } : withNews(state, item, series), undefined]
    const row = remember(state.row, [subject, signOf(item), seq] as const, ROW_MAX)
    const batches = Math.max(state.batches + (state.batch === batch ? 0 : 1), inVain)
    const since = state.batches === 0 ? seq : state.since
    const next = {
      known: state.known,
      row,
      since,
      batch,
      batches,
      ...(series && { series }),
    }
    if (batches < times) return [next, undefined]
    const members = [...new Set(row.map(([subject]) => subject))]
    const id = `stale ${hash(members.toSorted().join())}`
    const signs = [...new Set(row.map(([, sign]) => sign))]
    const events = row.map(([, , seq]) => seq)
    const reason = {
      code: 'no-new-information',
      params: { calls: members, rounds: batches },
    } as const
    const seen = { id, members, signs, repeats: batches, onset: since, events, reason }
    return [next, { ...seen, confidence: confidenceOf(batches - 1) }]
  },
}

function withNews(state: State, item: string, series: Series | undefined): State {
  const { row, since } = state
  const known = (state.known + item).slice(-KNOWN_MAX)
  const batches = Math.max(0, state.batches - PAID)
  const next = { known, row: batches === 0 ? [] : row, since, batch: -1, batches }
  return series ? { ...next, series } : next
}
