import type { Detector } from '../detector.ts'

/** One state entered `max` times within `window` ms. */
export interface VisitsOptions {
  readonly max: number
  readonly window: number
}

type State = readonly (readonly [state: string, at: number, seq: number])[]

const REMEMBERED_MAX = 32

/**
 * Intuition: a revolving door that turns this often has nobody going through it.
 *
 * The weakest of the signals: a healthy agent enters `plan` once a lap. So it is off until a spec names its number,
 * and the number is for one state, not for all of them together.
 */
export const visits: Detector<State, VisitsOptions> = {
  name: 'visits',
  version: 1,
  start: [],
  observe(state, sighting, { max, window }) {
    if (sighting.kind !== 'entered') return [state, undefined]
    const recent = [...state.slice(-(REMEMBERED_MAX - 1)), [sighting.state, sighting.at, sighting.seq] as const]
    const same = recent.filter(([name, at]) => name === sighting.state && at >= sighting.at - window)
    if (same.length < max) return [recent, undefined]
    return [
      recent,
      {
        kind: 'loop',
        detector: 'visits',
        id: `visits ${sighting.state}`,
        members: [sighting.state],
        period: 1,
        repeats: same.length,
        onset: same[0]?.[2] ?? sighting.seq,
        events: same.slice(-12).map(([, , seq]) => seq),
        summary: `${sighting.state} was entered ${same.length} times within ${Math.round(window / 1_000)} s`,
      },
    ]
  },
}
