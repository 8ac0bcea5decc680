/** Generated graph specs, for properties. */
import fc from 'fast-check'
import { specOf } from './linted.ts'

export const NAMES = ['A', 'B', 'C', 'D', 'F', 'G']
export const OUTCOMES = [
  'done',
  'done',
  'done.x',
  'error',
  'error.transient',
  'timeout',
  'breaker.open',
  'loop',
  'stall',
  'cancelled',
  'human.approved',
  'human.approved',
  'human.rejected',
  'human.expired',
]
const USES = [
  { use: 'pass' },
  { use: 'pass', when: { x: 'true' } },
  { use: 'tool', tool: 't' },
  { use: 'tool', tool: 'w' },
  { use: 'model', model: 'm', tools: ['t'] },
  { use: 'tools' },
  { use: 'human', question: 'q', deadline: 1_000 },
  { use: './own.ts#own', tools: ['w'] },
]

const target = fc.constantFrom(...NAMES, 'E')
const edges = fc.array(fc.tuple(fc.constantFrom(...OUTCOMES), target), { maxLength: 4 })
/** Most nodes lead on when their work succeeds, so that not every graph is a dead end. */
const success = fc.oneof(
  { weight: 15, arbitrary: target.map(to => ({ done: to, 'human.approved': to })) },
  { weight: 1, arbitrary: fc.constant({}) },
)
const node = fc
  .tuple(fc.constantFrom(...USES), success, edges)
  .map(([work, on, more]) => ({ ...work, on: { ...on, ...Object.fromEntries(more) } }))
const finals = fc.constantFrom({ final: 'success' }, { final: 'failure' })
const escape = fc.record(
  {
    alternatives: fc.dictionary(target, fc.array(target, { maxLength: 2 })),
    review: fc.constant({ deadline: 1_000 }),
    ladder: fc.subarray(['retry', 'alternative', 'review', 'stop']),
  },
  { requiredKeys: [] },
)
/** A graph of these nodes that `readSpec` accepts. */
export const anySpec = fc
  .record({
    nodes: fc.tuple(
      node,
      ...NAMES.slice(1).map(() =>
        fc.oneof({ weight: 4, arbitrary: node }, { weight: 1, arbitrary: finals }),
      ),
    ),
    escape,
  })
  .map(({ nodes, escape }) =>
    specOf({
      nodes: {
        ...Object.fromEntries(nodes.map((of, index) => [NAMES[index], of])),
        E: { final: 'success' },
      },
      tools: { t: { use: 'flaky' }, w: { use: 'flaky', effects: 'write' } },
      models: { m: { id: 'm' } },
      escape,
    }),
  )
