/** Random specs for the worst case: those of the laws, with limits of their own or the default ones. */
import fc from 'fast-check'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import { randomSpec } from '../properties/specs.ts'

const shape = fc.record({
  /** Only steps are limited: for all other units the defaults hold. */
  unlimited: fc.boolean(),
  /** A time that binds. */
  duration: fc.constantFrom({}, { duration: 20_000 }),
  model: fc.record({
    context: fc.constantFrom(1_000, 700),
    maxTokens: fc.option(fc.constant(200), { nil: undefined }),
    price: fc.constant({ input: 1, output: 3 }),
  }),
})

export const bounded: fc.Arbitrary<Spec> = fc
  .tuple(randomSpec, shape)
<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
  .map(([{ spec }, { unlimited, forward, duration, model }]) => {
    const limits = forward ? { ...spec.limits, steps: 10_000 } : spec.limits
    return {
      ...spec,
      limits: unlimited ? { steps: limits.steps } : { ...limits, ...duration },
      nodes: forward ? forwarded(spec.nodes) : spec.nodes,
=======
  .map(([{ spec }, { unlimited, wall, model }]) => {
    const { limits } = spec
    return {
      ...spec,
      limits: unlimited ? { steps: limits.steps } : { ...limits, ...wall },
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
      models: Object.fromEntries(
        Object.entries(spec.models).map(([name, of]) => [name, { ...of, ...model }]),
      ),
    } as Spec
  })
