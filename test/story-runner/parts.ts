/** Custom parts of stories: detectors, rungs and a classifier. */
import { defineClassifier, defineDetector, defineRung } from '../../src/core/watch/detect/custom.ts'

/** Answers that say they are only drafts, one after the other. */
export const drafts = defineDetector({
  name: 'drafts',
  version: 1,
  options: { times: 3 },
  start: { since: -1, count: 0 },
  sees: ['answered'],
  observe: ({ since, count }, { seq, ok, subject }, { times }) => {
    const next =
      ok && subject === 'draft'
        ? { since: count === 0 ? seq : since, count: count + 1 }
        : { since: -1, count: 0 }
    return [
      next,
      next.count >= times
        ? {
            kind: 'stall',
            summary: `${next.count} drafts on end, and nothing sent`,
            members: [subject],
            repeats: next.count,
            onset: next.since,
          }
        : undefined,
    ]
  },
})

/** Broken at its second sighting. */
export const broken = defineDetector({
  name: 'broken',
  version: 2,
  start: 0,
  sees: ['answered', 'entered'],
  observe: count => {
    if (count > 0) throw new Error('it has seen enough')
    return [count + 1, undefined]
  },
})

/** Leads from a loop to a specialist, without an edge. */
export const handover = defineRung({
  name: 'handover',
  version: 1,
  choose: ({ finding }) =>
    finding.kind === 'loop'
      ? { rung: 'alternative', to: 'specialist' }
      : 'only loops are handed over',
})

/** Leads to an unknown node. */
export const lost = defineRung({
  name: 'lost',
  version: 1,
  choose: () => ({ rung: 'alternative', to: 'nowhere' }),
})

/** Never answers. */
export const shaky = defineRung({
  name: 'shaky',
  version: 1,
  choose: () => {
    throw new Error('no idea')
  },
})

/** Returns a promise, which is invalid. */
export const confused = defineClassifier({
  name: 'confused',
  version: 1,
  classify: (async () => {}) as never,
})

/** Returns a class that does not exist. */
export const odd = defineClassifier({
  name: 'odd',
  version: 1,
  classify: () => ({ class: 'strange' as never, scope: 'resource' }),
})

/** The vendor's own code for a quota that is used up. */
export const byVendor = defineClassifier({
  name: 'byVendor',
  version: 3,
  classify: ({ code }) => (code === 'E42' ? { class: 'persistent', scope: 'resource' } : undefined),
})
