/** The arrows of an area's `escape`: what the escape mechanism may choose among. */
import type { Rung } from '../../watch/policy.ts'
import type { Departure } from '../chart.ts'
import { isFindingEdge, outcomeEdges } from '../edges.ts'
import type { Area } from '../spec/region.ts'
import { isFinal, type Spec, rethinkNodes } from '../spec/spec.ts'

/** Each arrow asks for the region it belongs to: the way out of one leaves the others where they are. */
export function escapeEdges(spec: Spec, area: Area) {
  const { ladder, review } = spec.escape
  const { region } = area
  const takes = (rung: Rung) => ladder?.includes(rung) ?? true
  // No guard asks for `from`: it is there for the chart. The law keeps the arrows the policy does not take now, because a thread's policy may change.
  return [
    ...[...alternativeTargets(spec, area)].map(([to, from]) => ({
      guard: {
        type: 'route',
        params: { rung: 'alternative', to, region, from: takes('alternative') ? from : [] },
      },
      target: `#${to}`,
    })),
    ...rethinkNodes(spec)
      .filter(name => Object.hasOwn(area.nodes, name))
      .map(to => ({
        guard: {
          type: 'route',
          params: { rung: 'rethink', to, region, ...(takes('rethink') ? {} : { from: [] }) },
        },
        target: `#${to}`,
      })),
    {
      guard: {
        type: 'route',
        params: { rung: 'review', region, ...(review && takes('review') ? {} : { from: [] }) },
      },
      target: `#${reviewId(area)}`,
    },
    ...(region === ''
      ? [{ guard: { type: 'route', params: { rung: 'stop' } }, target: '#stopped' }]
      : []),
  ]
}

/** The id of the review of an escape: every region asks for itself. */
export function reviewId({ region }: Pick<Area, 'region'>): string {
  return region === '' ? 'review' : `${region}.review`
}

/** The targets of the `alternative` rung, each with the states it may be taken from: none, where only a change of policy could name it. */
function alternativeTargets(
  { escape }: Spec,
  { nodes }: Area,
): ReadonlyMap<string, readonly Departure[]> {
  const ways = new Map<string, readonly Departure[]>(Object.keys(nodes).map(name => [name, []]))
  const add = (to: string, from: Departure) => ways.set(to, [...(ways.get(to) ?? []), from])
  for (const [state, targets] of Object.entries(escape.alternatives ?? {}))
    if (Object.hasOwn(nodes, state)) for (const to of targets) add(to, { state })
  for (const [state, node] of Object.entries(nodes)) {
    if (!isFinal(node))
      for (const [outcome, to] of outcomeEdges(node))
        if (isFindingEdge(outcome)) add(to, { state, on: outcome })
  }
  return ways
}
