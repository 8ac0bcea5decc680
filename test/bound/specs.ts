/** Random specs for the bound: those of the laws, with limits that do not bind, and without ways round but those of the ladder. */
import fc from 'fast-check'
import { isFindingEdge } from '../../src/core/graph/edges.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import { randomSpec } from '../properties/specs.ts'

const shape = fc.record({
  /** Limits of calls, money and time are left out, so that the graph itself must bound them. */
  unlimited: fc.boolean(),
  /** Edges lead forward only: round it goes by the ladder alone, and the limit of steps does not bind either. */
  forward: fc.boolean(),
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
  .map(([{ spec }, { unlimited, forward, duration, model }]) => {
    const limits = forward ? { ...spec.limits, steps: 10_000 } : spec.limits
    return {
      ...spec,
      limits: unlimited ? { steps: limits.steps } : { ...limits, ...duration },
      nodes: forward ? forwarded(spec.nodes) : spec.nodes,
      models: Object.fromEntries(
        Object.entries(spec.models).map(([name, of]) => [name, { ...of, ...model }]),
      ),
    } as Spec
  })

type Nodes = Spec['nodes']

/** Nodes whose edges lead to later nodes only. Edges of findings stay: it is the ladder that takes them. */
function forwarded(nodes: Nodes): Nodes {
  const names = Object.keys(nodes)
  return Object.fromEntries(
    Object.entries(nodes).map(([name, node], place) => {
      if ('final' in node) return [name, node]
      const on = Object.entries(node.on ?? {}).map(([outcome, to]) => [
        outcome,
        isFindingEdge(outcome) || names.indexOf(to ?? '') > place ? to : names[place + 1],
      ])
      const inner =
        'regions' in node
          ? {
              regions: Object.fromEntries(
                Object.entries(node.regions).map(([key, region]) => [
                  key,
                  { ...region, nodes: forwarded(region.nodes) },
                ]),
              ),
            }
          : {}
      return [name, { ...node, ...inner, on: Object.fromEntries(on) }]
    }),
  ) as Nodes
}
