import type { Detector } from '../detector.ts'
import { remember } from '../memory.ts'
import { hash } from '../signature.ts'

/** The same error of the same tool `times` times, with no success of that tool in between. */
export interface ErrorsOptions {
  readonly times: number
}

type State = readonly (readonly [subject: string, error: string, seqs: readonly number[]])[]

const SUBJECTS_MAX = 8

/**
 * Intuition: trying every key on the ring is no plan when the door says "bricked up" each time. Arguments may
 * differ; numbers, ids and addresses inside the message do not make it another error.
 */
export const errors: Detector<State, ErrorsOptions, 'answered'> = {
  name: 'errors',
  version: 2,
  start: [],
  sees: ['answered'],
  observe(state, sighting, { times }) {
    const others = state.some(([subject]) => subject === sighting.subject) ? state.filter(([subject]) => subject !== sighting.subject) : state
    if (sighting.ok) return [others, undefined]
    const before = state.find(([subject, error]) => subject === sighting.subject && error === sighting.outcome)?.[2] ?? []
    const seqs = remember(before, sighting.seq, 12)
    const next = remember(others, [sighting.subject, sighting.outcome, seqs], SUBJECTS_MAX)
    if (seqs.length < times) return [next, undefined]
    return [
      next,
      {
        kind: 'stall',
        detector: 'errors',
        id: `errors ${hash(`${sighting.subject} ${sighting.outcome}`)}`,
        members: [sighting.subject],
        period: 1,
        repeats: seqs.length,
        onset: seqs[0] ?? sighting.seq,
        events: seqs,
        summary: `${sighting.subject} failed ${seqs.length} times with the same error: ${sighting.message ?? sighting.outcome}`,
      },
    ]
  },
}
