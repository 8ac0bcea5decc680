import type { Detector, Spoken } from '../detector.ts'
import { remember } from '../memory.ts'
import { brief, cycleKey, hash } from '../signature.ts'
import { sureOf } from '../sure.ts'

/** The same text, or the same exchange of up to three, `times` times over with nothing done in between. */
export interface MonologueOptions {
  readonly times: number
  /** The same for one text of the person, or of what stands for one. */
  readonly nudges: number
}

type State = {
  readonly latest: readonly (readonly [text: string, speaker: string, seq: number, person: boolean])[]
  /** For each period, how many texts in a row equalled the one that many before. */
  readonly runs: readonly number[]
}

const PERIOD_MAX = 3
/** A label, as `yes`, may be the right answer many times over. Nothing at all never is. */
const LABEL = 8

/**
 * Intuition: who says the same for the third time, and does nothing, will say it a fourth time. Two agents that answer
 * each other in the same words are the same with a longer period.
 *
 * A harness that complains of each empty reply shows only its own complaint. That is a cure at work, and needs time: it
 * gets `nudges`. Rejected: texts alike in part. Reports on steps of real work differ in few words.
 */
export const monologue: Detector<State, MonologueOptions, 'said'> = {
  name: 'monologue',
  version: 1,
  start: { latest: [], runs: [] },
  sees: ['said'],
  observe(before, sighting, options) {
    const state = sighting.acted ? monologue.start : before
    if (isLabel(sighting)) return [monologue.start, undefined]
    const text = brief(hash(`${sighting.subject} ${sighting.hash}`))
    const runs: number[] = []
    for (let period = 1; period <= PERIOD_MAX; period++) runs.push(state.latest[state.latest.length - period]?.[0] === text ? (state.runs[period - 1] ?? 0) + 1 : 0)
    const latest = remember(state.latest, [text, sighting.subject, sighting.seq, sighting.person === true] as const, 2 * PERIOD_MAX)
    const next = { latest, runs }
    const period = runs.findIndex((run, index) => run >= (lapsFor(latest.slice(-(index + 1)), options) - 1) * (index + 1)) + 1
    return [next, period === 0 || !isPrimitive(latest, period) ? undefined : found(next, period)]
  },
}

function isLabel({ length, command }: Spoken): boolean {
  return command && length > 0 && length < LABEL
}

function lapsFor(cycle: State['latest'], { times, nudges }: MonologueOptions): number {
  return cycle.every(([, , , person]) => person) ? nudges : times
}

/** One text over and over is no exchange of two. */
function isPrimitive(latest: State['latest'], period: number): boolean {
  return period === 1 || latest.at(-1)?.[0] !== latest.at(-2)?.[0]
}

function found({ latest, runs }: State, period: number) {
  const cycle = latest.slice(-period)
  const laps = Math.floor((runs[period - 1] ?? 0) / period) + 1
  const members = cycle.map(([, speaker]) => speaker)
  return {
    kind: 'loop' as const,
    detector: 'monologue',
    id: `monologue ${cycleKey(cycle.map(([text]) => text))}`,
    members,
    period,
    repeats: laps,
    onset: latest[0]?.[2] ?? 0,
    events: latest.map(([, , seq]) => seq),
    sure: sureOf(laps - 1),
    summary: `${members.join(' and ')} said the same ${laps} times over, and nothing was done`,
  }
}
