/** Random specs for the worst case: those of the properties, with custom or default limits. */
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
  .map(([{ spec }, { unlimited, duration, model }]) => {
    const { limits } = spec
    return {
      ...spec,
      limits: unlimited ? { steps: limits.steps } : { ...limits, ...duration },
      models: Object.fromEntries(
        Object.entries(spec.models).map(([name, of]) => [name, { ...of, ...model }]),
      ),
    } as Spec
  })
