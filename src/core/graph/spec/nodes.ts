/** The nodes of a spec with their places and edges, those in regions included. */
import type { AnyNode, FinalNode, RegionsNode, WorkingNode } from './node.ts'
import { FINDING_EDGES } from './node.ts'

/** Nodes that may lead to one another: those of the graph itself, or those of one region. */
export interface Area {
  /** The id of the region, `<node>.<region>`; `''` for the graph itself. */
  readonly region: string
  /** The place of its nodes in the spec: `nodes`, or `nodes.handle.regions.inform.nodes`. */
  readonly path: string
  readonly start?: string | undefined
  readonly nodes: Readonly<Record<string, AnyNode>>
}

type Nodes = Pick<Area, 'start' | 'nodes'>

export const isFinal = (node: AnyNode): node is FinalNode => 'final' in node
export const isRegions = (node: AnyNode): node is RegionsNode => 'regions' in node

export function regionsOf(name: string, { regions }: RegionsNode): readonly Area[] {
  return Object.entries(regions).map(([key, region]) => {
    return { region: `${name}.${key}`, path: `nodes.${name}.regions.${key}.nodes`, ...region }
  })
}

/** The graph itself, and every region in it. */
export function areasOf({ start, nodes }: Nodes): readonly [Area, ...Area[]] {
  const inner = ([name, node]: readonly [string, AnyNode]) =>
    isRegions(node) ? regionsOf(name, node) : []
  return [{ region: '', path: 'nodes', start, nodes }, ...Object.entries(nodes).flatMap(inner)]
}

/** Every node by its name: names are unique in the whole spec. */
export const nodesOf = (spec: Nodes): ReadonlyMap<string, AnyNode> =>
  new Map(areasOf(spec).flatMap(({ nodes }) => Object.entries(nodes)))

/** The path of every node, as `nodes.B` or `nodes.handle.regions.inform.nodes.B`. */
export function pathsOf(spec: Nodes): ReadonlyMap<string, string> {
  const pathsIn = ({ path, nodes }: Area) =>
    Object.keys(nodes).map(name => [name, `${path}.${name}`] as const)
  return new Map(areasOf(spec).flatMap(pathsIn))
}

/** The nodes that perform work, by their names. */
export function workingNodes(spec: Nodes): readonly (readonly [name: string, node: WorkingNode])[] {
  return [...nodesOf(spec)].filter(
    (entry): entry is [string, WorkingNode] => !isFinal(entry[1]) && !isRegions(entry[1]),
  )
}

/** The node, if it is of this built-in kind. The `use` of a custom node is any string, hence the cast. */
export const ofKind = <K extends string>(node: WorkingNode | undefined, use: K) =>
  node?.use === use ? (node as Extract<WorkingNode, { use: K }>) : undefined

/** The target of each outcome. A final node has none, and neither has a node beside a `machine`. */
export const targetsOf = (node: AnyNode): Readonly<Partial<Record<string, string>>> =>
  isFinal(node) ? {} : (node.on ?? {})

export function outcomeEdges(node: AnyNode): readonly (readonly [outcome: string, to: string])[] {
  return Object.entries(targetsOf(node)).filter(
    (edge): edge is [string, string] => edge[1] !== undefined,
  )
}

/** Whether no outcome of the work takes this edge, only the `alternative` rung. */
export const isFindingEdge = (outcome: string): boolean =>
  (FINDING_EDGES as readonly string[]).includes(outcome)

/** The target of the edge for a kind of finding, if the state names one. */
export function namedIn(spec: Nodes): (state: string, kind: string) => readonly string[] {
  const targets = new Map<string, ReturnType<typeof targetsOf>>(
    areasOf(spec).flatMap(({ region, nodes }) => {
      // A limit concerns the whole thread: inside a region the edge `budget` of the set applies.
      const set = spec.nodes[region.split('.')[0] ?? '']
      const around = set && { budget: targetsOf(set).budget }
      return Object.entries(nodes).flatMap(([name, node]) =>
        isRegions(node) ? [] : [[name, { ...targetsOf(node), ...around }] as const],
      )
    }),
  )
  return (state, kind) => {
    const target = isFindingEdge(kind) ? targets.get(state)?.[kind] : undefined
    return target === undefined ? [] : [target]
  }
}

/** The targets of the edges of a node that its own work can take, without final nodes. */
export function continuationsIn(spec: Nodes): (state: string) => readonly string[] {
  const going = new Map([...nodesOf(spec)].filter(([, node]) => !isFinal(node)))
  return state => {
    const node = going.get(state)
    const edges = node ? outcomeEdges(node) : []
    return edges.flatMap(([outcome, to]) => (!isFindingEdge(outcome) && going.has(to) ? to : []))
  }
}

export function channelsWrittenBy(out: WorkingNode['out']): readonly string[] {
  if (out === undefined) return []
  if (typeof out === 'string') return [out]
  return Array.isArray(out) ? out : Object.keys(out)
}
