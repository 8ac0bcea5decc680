/** The graphs that can run below a graph. */
import type { Graph } from '../ports.ts'

/** These graphs and all graphs below them, each once. */
export function nestedGraphs(graphs: readonly Graph[]): readonly Graph[] {
  // A graph may contain itself. The set also visits the graphs that are added meanwhile.
  const all = new Set(graphs)
  for (const graph of all) for (const child of Object.values(graph.graphs ?? {})) all.add(child)
  return [...all]
}
