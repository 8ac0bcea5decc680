/** The identity of a spec: what its stored threads depend on. A thread continues under any spec with the identity of its own. */
import { canonical, hash, mapFields } from '../../watch/data/json.ts'
import type { AnyNode } from './node.ts'
import { isRegions, rethinkNodes, type Spec } from './spec.ts'

/**
 * The hash of what decides how an event changes a thread: nodes with their edges and time limits, channels, input and output.
 * Settings that only the work of a node reads may change under a thread, as code may: prompts, models, tools, notifiers. So may
 * the policy, because a thread keeps the one that it has recorded.
 */
export function identityOfSpec(spec: Spec): string {
  const known = identities.get(spec)
  if (known !== undefined) return known
  const identity = identityFrom(spec)
  identities.set(spec, identity)
  return identity
}

/** A spec that contains others is asked for with each of them: without this, the time grows with the square of the depth. */
const identities = new WeakMap<Spec, string>()

function identityFrom(spec: Spec): string {
  const { id, start, machine, input, channels, parts, progress, output } = spec
  return hash(
    canonical({
      ...{ id, start, machine, input, channels, parts, progress, output },
      nodes: mapFields(spec.nodes, fixedPart),
      alternatives: spec.escape.alternatives,
      rethink: rethinkNodes(spec),
      graphs: mapFields(spec.graphs, graph =>
        typeof graph === 'string' ? graph : identityOfSpec(graph),
      ),
    }),
  )
}

/** The settings of nodes that only their work, a person or the policy reads. */
const OPEN: ReadonlySet<string> = new Set([
  'prompt',
  'preamble',
  'history',
  'command',
  'model',
  'tools',
  'question',
  'args',
  'with',
  'detect',
])

/** The settings of a node that may not change under a thread. */
function fixedPart(node: AnyNode): object {
  if (!isRegions(node))
    return mapFields<unknown, unknown>({ ...node }, (value, key) =>
      OPEN.has(key) ? undefined : value,
    )
  const regions = mapFields(node.regions, region => ({
    ...region,
    nodes: mapFields(region.nodes, fixedPart),
  }))
  return { ...node, regions }
}
