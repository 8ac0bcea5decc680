/** Copies of graphs with other models and tools. */
import { mapFields } from '../core/watch/data/json.ts'
import type { Graph, Model, Tool } from '../runtime/ports.ts'

/** Each returns a replacement, or the part itself. */
export interface Replacements {
  readonly model: (model: Model, name: string) => Model
  readonly tool: (tool: Tool, name: string) => Tool
  /** Default: the machine stays the same, and so does the identity of the graph. */
  readonly machine?: (machine: Graph['machine']) => Graph['machine']
}

/** Replaces the models and tools of a graph and of all graphs below it. A graph may contain itself. */
export function replaceParts(
  top: Graph,
  { model, tool, machine = same => same }: Replacements,
): Map<Graph, Graph> {
  const copies = new Map<Graph, Graph>()
  const copyOf = (graph: Graph): Graph => {
    const known = copies.get(graph)
    if (known) return known
    const below: Record<string, Graph> = {}
    const copy: Graph = {
      ...graph,
      machine: machine(graph.machine),
      models: mapFields(graph.models, model),
      tools: mapFields(graph.tools, tool),
      ...(graph.graphs ? { graphs: below } : {}),
    }
    copies.set(graph, copy)
    for (const [name, other] of Object.entries(graph.graphs ?? {})) below[name] = copyOf(other)
    return copy
  }
  copyOf(top)
  return copies
}
