import { type Detector, itemOf, signOf } from '../detector.ts'
import { remember } from '../memory.ts'

/** The same call with the same answer `times` times among the latest `within` calls, whatever lies between. */
export interface RepetitionOptions {
  readonly times: number
  readonly within: number
}

type State = readonly (readonly [key: string, seq: number])[]

/**
 * Intuition: somebody who asks the same question again and gets the same answer has forgotten that he asked.
 * Other calls in between do not excuse it, which is what `sequence` cannot see.
 */
export const repetition: Detector<State, RepetitionOptions, 'answered'> = {
  name: 'repetition',
  version: 2,
  start: [],
  sees: ['answered'],
  observe(state, sighting, { times, within }) {
    const key = itemOf(sighting)
    const latest = remember(state, [key, sighting.seq], within)
    const same = latest.filter(item => item[0] === key)
    if (same.length < times) return [latest, undefined]
    return [
      latest,
      {
        kind: 'loop',
        detector: 'repetition',
        id: sighting.key,
        members: [sighting.subject],
        signs: [signOf(key)],
        period: 1,
        repeats: same.length,
        onset: same[0]?.[1] ?? sighting.seq,
        events: same.map(([, seq]) => seq),
        summary: `${sighting.subject} was called ${same.length} times with the same arguments, and nothing new came of it`,
      },
    ]
  },
}
