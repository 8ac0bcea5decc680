/** The edges of a node, as its spec names them. */
import { FINDING_EDGES, type WorkingNode } from './spec/node.ts'

/** The target of each outcome; a node of a statechart written by hand names none. */
export function targetsOf(node: WorkingNode): Readonly<Partial<Record<string, string>>> {
  return node.on ?? {}
}

export function outcomeEdges(node: WorkingNode): readonly (readonly [outcome: string, target: string])[] {
  return Object.entries(targetsOf(node)).filter((edge): edge is [string, string] => edge[1] !== undefined)
}

/** An edge that no outcome of the work takes, only the `alternative` rung. */
export function isFindingEdge(outcome: string): boolean {
  return (FINDING_EDGES as readonly string[]).includes(outcome)
}
