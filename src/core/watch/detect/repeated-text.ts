import type { OptionsOf } from '../policy/detect-keys.ts'
import type { Detector } from './detector.ts'
import type { SpokenObservation } from '../normalize/observed.ts'
import { remember } from '../data/json.ts'
import { shortHash, cycleKey, hash } from '../data/signature.ts'
import { confidenceOf } from '../data/confidence.ts'

type State = {
  readonly latest: readonly Text[]
  /** For each period, how many texts in a row equalled the one that many before. */
  readonly runs: readonly number[]
}

/** `hash` is of the text. */
type Text = readonly [hash: string, speaker: string, seq: number, person: boolean]

const PERIOD_MAX = 3
/** A label, as `yes`, may be the right answer many times over. Nothing at all never is. */
const LABEL = 8

/**
 * The same text, or the same exchange of up to three, `times` times over with nothing done in between.
 *
 * Intuition: who says the same for the third time, and does nothing, will say it a fourth time. Two agents that answer
 * each other in the same words are the same with a longer period.
 *
 * A harness that complains of each empty reply shows only its own complaint. That is a cure at work, and needs time: it
 * gets `nudges`. Rejected: texts alike in part. Reports on steps of real work differ in few words.
 */
export const repeatedText: Detector<State, OptionsOf<'repeatedText'>, 'said'> = {
  name: 'repeatedText',
  version: 2,
  start: { latest: [], runs: [] },
  sees: ['said'],
  observe(before, observation, options) {
    const state = observation.acted ? repeatedText.start : before
    if (isLabel(observation)) return [repeatedText.start, undefined]
    const text: Text = [
      observation.hash,
      observation.subject,
      observation.seq,
      observation.person === true,
    ]
    const runs: number[] = []
    let period = 0
    const latest = remember(state.latest, text, 2 * PERIOD_MAX)
    for (let back = 1; back <= PERIOD_MAX; back++) {
      const earlier = latest[latest.length - 1 - back]
      const run =
        earlier !== undefined && isSame(earlier, text) ? (state.runs[back - 1] ?? 0) + 1 : 0
      runs.push(run)
      if (period === 0 && run >= (lapsFor(latest, back, options) - 1) * back) period = back
    }
    const next = { latest, runs }
    return [next, period === 0 || !isPrimitive(latest, period) ? undefined : draftOf(next, period)]
  },
}

function isSame(one: Text | undefined, other: Text | undefined): boolean {
  return one?.[0] === other?.[0] && one?.[1] === other?.[1]
}

function isLabel({ length, command }: SpokenObservation): boolean {
  return command && length > 0 && length < LABEL
}

function lapsFor(
  latest: State['latest'],
  period: number,
  { times, nudges }: OptionsOf<'repeatedText'>,
): number {
  for (let back = 1; back <= period; back++) if (!latest[latest.length - back]?.[3]) return times
  return nudges
}

/** One text over and over is no exchange of two. */
function isPrimitive(latest: State['latest'], period: number): boolean {
  return period === 1 || !isSame(latest.at(-1), latest.at(-2))
}

function draftOf({ latest, runs }: State, period: number) {
  const cycle = latest.slice(-period)
  const laps = Math.floor((runs[period - 1] ?? 0) / period) + 1
  const members = cycle.map(([, speaker]) => speaker)
  return {
    kind: 'loop' as const,
    detector: 'repeatedText',
    id: `repeatedText ${cycleKey(cycle.map(([text, speaker]) => shortHash(hash(`${speaker} ${text}`))))}`,
    members,
    period,
    repeats: laps,
    onset: latest[0]?.[2] ?? 0,
    events: latest.map(([, , seq]) => seq),
    confidence: confidenceOf(laps - 1),
    reason: { code: 'repeated-text' as const, params: { speakers: members, times: laps } },
  }
}
