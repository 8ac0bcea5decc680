import type { OptionsOf } from '../policy/detect-keys.ts'
import type { Detector } from './detector.ts'
import { ITEM, itemOf, signOf } from '../normalize/observed.ts'
import type { FindingDraft } from '../event/finding.ts'
import { remember } from '../data/json.ts'
import { cycleKey } from '../data/signature.ts'
import { confidenceOf } from '../data/confidence.ts'

type State = {
  /** The items of the latest calls, oldest first, in one text: looking for one in it costs less than half of comparing it with each. */
  readonly items: string
  /** Their names and seqs. */
  readonly calls: readonly (readonly [name: string, seq: number])[]
  /** The periods one before which the same was called, longest first, and how many calls in a row equalled the one a period before. */
  readonly runs: readonly RepeatRun[]
}

type RepeatRun = readonly [period: number, length: number]

/**
 * The `repeats`th lap of the same cycle of calls with the same answers has begun, for any cycle of at most `periodMax` calls.
 *
 * Intuition: lay the story of the calls over itself, shifted by p. As long as it matches, the last calls are laps of p.
 *
 * A call counts with its answer: polling that sees the counter move is no loop. Keeping one run length per period
 * makes a call cost one search for its like, whatever the periods; comparing whole tails anew, as most do, costs
 * period × repeats each and is why they stop at periods of 4 or 5. The shortest period wins, so AAAA is a cycle of one, not of two.
 */
export const sequence: Detector<State, OptionsOf<'sequence'>, 'answered'> = {
  name: 'sequence',
  version: 4,
  start: { items: '', calls: [], runs: [] },
  sees: ['answered'],
  observe(state, observation, { repeats, periodMax }) {
    // A call without its answer, or one that is to come back later, is half a piece of evidence: `repetition` weighs it.
    if (observation.tone === 'unseen' || observation.tone === 'later') return [state, undefined]
    const item = itemOf(observation)
    const next = {
      items: (state.items + item).slice(-periodMax * ITEM),
      calls: remember(state.calls, [observation.subject, observation.seq] as const, periodMax),
      runs: runsWith(state, item),
    }
    const run = next.runs.findLast(([period, length]) => length >= runNeeded(period, repeats))
    return [next, run && cycleOf(next, run)]
  },
}

function runsWith({ items, runs }: State, item: string): readonly RepeatRun[] {
  let at = placeOf(item, items, 0)
  if (at < 0) return NONE
  const next: RepeatRun[] = []
  for (; at >= 0; at = placeOf(item, items, at + ITEM)) {
    const period = (items.length - at) / ITEM
    next.push([period, (runs.find(([other]) => other === period)?.[1] ?? 0) + 1])
  }
  return next
}

const NONE: readonly RepeatRun[] = []

/** Where an item stands among items, `-1` if it does not. */
function placeOf(item: string, items: string, from: number): number {
  let at = items.indexOf(item, from)
  while (at >= 0 && at % ITEM !== 0) at = items.indexOf(item, at + 1)
  return at
}

/** How many calls on end must be those of one lap before. */
function runNeeded(period: number, repeats: number): number {
  return Math.max((repeats - 2) * period + 1, period)
}

function cycleOf({ items, calls }: State, [period, run]: RepeatRun): FindingDraft {
  const lap = calls.slice(-period)
  const first = (period - (run % period)) % period
  const names = rotate(lap, first).map(([name]) => name)
  const signs = rotate(
    lap.map((_, index) => signOf(items.slice((index - period) * ITEM))),
    first,
  )
  const laps = Math.ceil(run / period) + 1
  return {
    kind: 'loop',
    detector: 'sequence',
    id: cycleKey(signs),
    members: names,
    signs,
    period,
    repeats: laps,
    // The ring holds one period at least; an onset that has left it is named by its oldest call.
    onset: calls[Math.max(0, calls.length - run - period)]?.[1] ?? 0,
    events: lap.map(([, seq]) => seq),
    confidence: confidenceOf(run / period),
    reason: { code: 'repeated-sequence', params: { calls: names, times: laps } },
  }
}

/** The same round, begun at `first`. */
function rotate<T>(lap: readonly T[], first: number): readonly T[] {
  return [...lap.slice(first), ...lap.slice(0, first)]
}
