/** The course of a run as a walk: which node may follow which by the edges of the graph alone, and where the ways out lead. */
import { isFindingEdge, outcomeEdges } from '../edges.ts'
import type { WorkingNode } from '../spec/node.ts'
import { type Area, areasOf, isRegions, regionsOf, type RegionsNode } from '../spec/region.ts'
import { isFinal, nodesOf, type Spec, workingNodes } from '../spec/spec.ts'

/** For each node, those that may follow it without the escape mechanism. Nodes of a statechart written by hand may follow in any order. */
export function successorsOf(spec: Spec): ReadonlyMap<string, readonly string[]> {
  const names = [...nodesOf(spec).keys()]
  if (spec.machine !== undefined) return new Map(names.map(name => [name, names]))
  return new Map(
    areasOf(spec).flatMap(area =>
      Object.entries(area.nodes).map(
        ([name, node]) =>
          [
            name,
            [...nextNodes(node), ...afterRegion(spec, area), ...intoRegions(name, node)],
          ] as const,
      ),
    ),
  )
}

function nextNodes(node: Area['nodes'][string]): readonly string[] {
  // Whatever leads on from a set of regions leads on from its regions.
  return isFinal(node) || isRegions(node) ? [] : nextByEdges(node)
}

function nextByEdges(node: WorkingNode | RegionsNode): readonly string[] {
  const human = 'use' in node && node.use === 'human'
  return outcomeEdges(node).flatMap(([outcome, target]) =>
    isFindingEdge(outcome) || (outcome !== 'cancelled' && outcome.startsWith('human.') !== human)
      ? []
      : [target],
  )
}

/** A region may have come to nothing yet, its first node still waiting for a person, when the next has begun. */
function intoRegions(name: string, node: Area['nodes'][string]): readonly string[] {
  return isRegions(node) ? regionsOf(name, node).flatMap(({ start }) => start ?? []) : []
}

/**
 * Regions work at the same time; what they spend together is what one walk through all of them, one after the other, spends. A
 * region may be left wherever it is, and the walk goes on with a later one from any of its nodes.
 */
function afterRegion(spec: Spec, { region }: Area): readonly string[] {
  const [name = ''] = region.split('.')
  const set = region === '' ? undefined : spec.nodes[name]
  if (!set || !isRegions(set)) return []
  const regions = regionsOf(name, set)
  const later = regions.slice(regions.findIndex(other => other.region === region) + 1)
  return [...later.flatMap(({ start }) => start ?? []), ...setEdges(set)]
}

function setEdges({ on }: RegionsNode): readonly string[] {
  return [on.done, on['done.failed'], on.cancelled].flatMap(target => target ?? [])
}

/**
 * The same with the ways of the `alternative` rung as edges like any other: from where they are named, and from all nodes that may
 * follow, for a loop is left where it is seen. A loop that was seen is not left to one of its own nodes.
 * `undefined` for a graph that is too large.
 */
export function successorsWithAlternatives(
  spec: Spec,
): ReadonlyMap<string, readonly string[]> | undefined {
  const named = [...nodesOf(spec)].flatMap(([from, node]) =>
    isFinal(node)
      ? []
      : outcomeEdges(node).flatMap(([kind, to]) =>
          isFindingEdge(kind) ? [{ from, to, kind }] : [],
        ),
  )
  const others = Object.entries(spec.escape.alternatives ?? {}).flatMap(([from, targets]) =>
    targets.map(to => ({ from, to, kind: 'any' })),
  )
  const working = new Set(workingNodes(spec).map(([name]) => name))
  const ways = [...named, ...others]
  const course = new Map([...successorsOf(spec)].map(([name, targets]) => [name, new Set(targets)]))
  if (ways.length * course.size > ALTERNATIVES_MAX) return undefined
  for (let before = -1; before !== sizeOf(course); ) {
    before = sizeOf(course)
    for (const { from, to, kind } of ways) {
      for (const source of reachableFrom(course, from))
        if (working.has(source) && (kind !== 'loop' || source !== to)) course.get(source)?.add(to)
    }
  }
  return new Map([...course].map(([name, targets]) => [name, [...targets]]))
}

/** Each way out may be taken from every node: what a graph of many of both would be walked for takes minutes, and says little. */
const ALTERNATIVES_MAX = 20_000

function sizeOf(course: ReadonlyMap<string, ReadonlySet<string>>): number {
  return [...course.values()].reduce((sum, targets) => sum + targets.size, 0)
}

/** A node and all that may come after it. */
function reachableFrom(
  course: ReadonlyMap<string, Iterable<string>>,
  from: string,
): ReadonlySet<string> {
  const found = new Set([from])
  // A set is walked in the order of insertion, what is added on the way included.
  for (const name of found) for (const target of course.get(name) ?? []) found.add(target)
  return found
}

/** The nodes to which the `alternative` rung leads. */
export function alternativesIn(spec: Spec): readonly string[] {
  const named = [...nodesOf(spec).values()].flatMap(node =>
    isFinal(node)
      ? []
      : outcomeEdges(node).flatMap(([outcome, target]) => (isFindingEdge(outcome) ? [target] : [])),
  )
  return [...new Set([...named, ...Object.values(spec.escape.alternatives ?? {}).flat()])]
}

/** Whether an edge is named for a spent limit. */
export function namesBudget(spec: Spec): boolean {
  return [...nodesOf(spec).values()].some(
    node => !isFinal(node) && outcomeEdges(node).some(([outcome]) => outcome === 'budget'),
  )
}

/** How many nodes can work at the same time, of those that fit. */
export function concurrentNodes(spec: Spec, fits: (node: WorkingNode) => boolean): number {
  const fitting = new Set(workingNodes(spec).flatMap(([name, node]) => (fits(node) ? [name] : [])))
  const sets = Object.entries(spec.nodes).map(([name, node]) =>
    isRegions(node)
      ? regionsOf(name, node).filter(({ nodes }) =>
          Object.keys(nodes).some(inner => fitting.has(inner)),
        ).length
      : 0,
  )
  if (spec.machine !== undefined) return fitting.size
  return Math.max(fitting.size > 0 ? 1 : 0, ...sets)
}
