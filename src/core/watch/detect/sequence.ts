/**
 * The `repeats`th lap of one cycle of calls with the same answers has begun. A cycle has at most `periodMax` calls.
 *
 * Intuition: shift the list of calls by p and compare it with itself. As long as both match, the latest calls are laps of
 * period p. The shortest period wins, so AAAA is a cycle of one call.
 *
 * Hard cases: a poll whose counter moves is not a loop, therefore a call counts with its answer. A branch that is made, used and deleted is
 * new in each lap, therefore ids that were made for a lap do not count.
 * Rejected: comparing whole tails, which costs period × repeats for each period and limits most implementations to periods of
 * 4 or 5. One length for each period costs one search per call.
 */
import { type BuiltIn, confidenceOf } from './detector.ts'
import { ITEM_LENGTH, itemOf, signOf } from '../normalize/observed.ts'
import { remember, cycleKey, rotate } from '../data/json.ts'

type State = {
  /** The items of the latest calls in one string, oldest first. A search in it costs less than half of comparing each item. */
  readonly items: string
  readonly calls: readonly (readonly [name: string, seq: number])[]
  /** The periods that match now, longest first, and how many consecutive calls equal the call one period earlier. */
  readonly matches: readonly PeriodMatch[]
}

type PeriodMatch = readonly [period: number, length: number]

export const sequence: BuiltIn<State, 'sequence', 'answered'> = {
  name: 'sequence',
  version: 10,
  start: { items: '', calls: [], matches: [] },
  finds: 'loop',
  sees: ['answered'],
  observe(state, observation, { repeats, periodMax }) {
    // `repetition` weighs calls that have an unknown answer or must be repeated later.
    if (observation.tone === 'unseen' || observation.tone === 'later') return [state, undefined]
    const { key, answerHash, request, lapAnswer = answerHash } = observation
    const item = itemOf({ key: request?.lap?.key ?? key, answerHash: lapAnswer })
    const next = {
      items: (state.items + item).slice(-periodMax * ITEM_LENGTH),
      calls: remember(state.calls, [observation.subject, observation.seq] as const, periodMax),
      matches: matchesWith(state, item),
    }
    // `length` counts the calls that equal those of the lap before. After (n - 2) × period + 1 of them, lap n has begun.
    const isLoop = ([period, length]: PeriodMatch) =>
      length >= Math.max((repeats - 2) * period + 1, period)
    const match = next.matches.findLast(isLoop)
    return [next, match && cycleOf(next, match)]
  },
}

function matchesWith({ items, matches }: State, item: string): readonly PeriodMatch[] {
  let at = placeOf(item, items, 0)
  const next: PeriodMatch[] = []
  for (; at >= 0; at = placeOf(item, items, at + ITEM_LENGTH)) {
    const period = (items.length - at) / ITEM_LENGTH
    next.push([period, (matches.find(([other]) => other === period)?.[1] ?? 0) + 1])
  }
  return next
}

function placeOf(item: string, items: string, from: number): number {
  let at = items.indexOf(item, from)
  while (at >= 0 && at % ITEM_LENGTH !== 0) at = items.indexOf(item, at + 1)
  return at
}

function cycleOf({ items, calls }: State, [period, length]: PeriodMatch) {
  const lap = calls.slice(-period)
  const first = (period - (length % period)) % period
  const names = rotate(lap, first).map(([name]) => name)
  const lapSigns = lap.map((_, index) => signOf(items.slice((index - period) * ITEM_LENGTH)))
  const signs = rotate(lapSigns, first)
  const laps = Math.ceil(length / period) + 1
  // The state holds at least one period. If the onset has left it, its oldest call takes the place.
  const onset = calls[Math.max(0, calls.length - length - period)]?.[1] ?? 0
  const events = lap.map(([, seq]) => seq)
  // The lap that has begun may still differ.
  const times = Math.floor(length / period) + 1
  const reason = { code: 'repeated-sequence', params: { calls: names, times } } as const
  const seen = { id: cycleKey(signs), members: names, signs, period, repeats: laps, onset, events }
  return { ...seen, confidence: confidenceOf(length / period), reason }
}
