/** The graphs that a thread stands in: what tells that one would be started inside itself. */
import type { Run } from '../../core/run.ts'
import type { Ancestor } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { callKey } from '../../core/watch/data/signature.ts'
import type { Graph } from '../ports.ts'

/**
 * A thread of this graph, as its descendants will know it. `undefined` for a graph that runs no others: it has none. What
 * counts is the context it begins with, so that an input which a default would have given is the same.
 */
export function ancestorOf({ machine, graphs = {} }: Graph, input: Json): Ancestor | undefined {
  if (Object.keys(graphs).length === 0) return undefined
  return { graph: machine.id, key: callKey(machine.hash, machine.start(input).snapshot.context) }
}

/** The way from an ancestor that is the same back to itself, by the names of the graphs; `undefined` if there is none. */
export function recursionPath(
  { lineage = [] }: Run,
  graph: Graph,
  input: Json,
): readonly string[] | undefined {
  const own = ancestorOf(graph, input)
  const twin = own ? lineage.findIndex(({ key }) => key === own.key) : -1
  return twin < 0 ? undefined : lineage.slice(twin).map(ancestor => ancestor.graph)
}
