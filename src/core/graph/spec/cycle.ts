/** The cycles of a directed graph, for lint and drawings. */
import { MultiDirectedGraph } from 'graphology'
import { stronglyConnectedComponents } from 'graphology-components'

export type Pair = readonly [source: string, target: string]

/** The strongly connected components that contain an edge. They, and the names in them, keep the order of `names`. */
export function cyclesIn(names: readonly string[], pairs: readonly Pair[]): readonly string[][] {
  const graph = new MultiDirectedGraph()
  for (const name of names) graph.addNode(name)
  for (const [source, target] of pairs) graph.addDirectedEdge(source, target)
  const places = new Map(names.map((name, index) => [name, index]))
  const byPlace = (a = '', b = '') => (places.get(a) ?? 0) - (places.get(b) ?? 0)
  return stronglyConnectedComponents(graph)
    .filter(([first = '', ...others]) => others.length > 0 || graph.hasDirectedEdge(first, first))
    .map(group => group.toSorted(byPlace))
    .toSorted(([a], [b]) => byPlace(a, b))
}

/** A shortest path from a name through others back to it, else its self-loop, else an empty path. */
export function roundTrip(start: string, pairs: readonly Pair[]): readonly string[] {
  const targets = Map.groupBy(pairs, ([source]) => source)
  const before = new Map<string, string>()
  const queue = [start]
  for (const source of queue) {
    for (const [, target] of targets.get(source) ?? []) {
      if (target === start && source !== start) return roundTripBy(before, source, start)
      if (target === start || before.has(target)) continue
      before.set(target, source)
      queue.push(target)
    }
  }
  const hasLoop = pairs.some(([source, target]) => source === start && target === start)
  return hasLoop ? [start, start] : []
}

function roundTripBy(before: ReadonlyMap<string, string>, last: string, start: string) {
  const path = [start]
  for (let at: string | undefined = last; at !== undefined; at = before.get(at)) path.push(at)
  return path.reverse()
}

/** The most names of a path that people see. */
const SHOWN_MAX = 24

/** A path for people: `A → B → A`; of a long one the beginning and the end. */
export function pathText(path: readonly string[]): string {
  const more = path.length - SHOWN_MAX
  const shown =
    more > 0 ? [...path.slice(0, SHOWN_MAX - 4), `(${more} more)`, ...path.slice(-4)] : path
  return shown.join(' → ')
}
