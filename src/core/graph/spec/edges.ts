/** The edges of a node, as its spec names them. */
import { FINDING_EDGES, type WorkingNode } from './node.ts'
import { areasOf, isRegions, type RegionsNode } from './region.ts'
import { type Spec, workingNodes } from './spec.ts'

type Leading = WorkingNode | RegionsNode

/** The target of each outcome; a node of a statechart written by hand names none. */
export function targetsOf(node: Leading): Readonly<Partial<Record<string, string>>> {
  return node.on ?? {}
}

export function outcomeEdges(
  node: Leading,
): readonly (readonly [outcome: string, target: string])[] {
  return Object.entries(targetsOf(node)).filter(
    (edge): edge is [string, string] => edge[1] !== undefined,
  )
}

/** An edge that no outcome of the work takes, only the `alternative` rung. */
export function isFindingEdge(outcome: string): boolean {
  return (FINDING_EDGES as readonly string[]).includes(outcome)
}

/** Where the edge for a kind of finding leads from a state; nowhere, if it names none. */
export function namedIn(spec: Spec): (state: string, kind: string) => readonly string[] {
  const nodes = new Map(workingNodes(spec))
  const budgets = budgetsIn(spec)
  return (state, kind) => {
    const node = nodes.get(state)
    if (!node || !isFindingEdge(kind)) return []
    const target =
      kind === 'budget' && budgets.has(state) ? budgets.get(state) : targetsOf(node)[kind]
    return target === undefined ? [] : [target]
  }
}

/** A limit concerns the whole thread: inside regions, the edge `budget` around them is meant. */
function budgetsIn(spec: Spec): ReadonlyMap<string, string | undefined> {
  const around = new Map(
    Object.entries(spec.nodes).flatMap(([name, node]) =>
      isRegions(node) ? [[name, node.on.budget] as const] : [],
    ),
  )
  return new Map(
    areasOf(spec).flatMap(({ region, nodes }) =>
      region === ''
        ? []
        : Object.keys(nodes).map(name => [name, around.get(region.split('.')[0] ?? '')] as const),
    ),
  )
}
