/** The cycles of a directed graph: where lint looks for a way out, and what a drawing shows first. */
import { MultiDirectedGraph } from 'graphology'
import { stronglyConnectedComponents } from 'graphology-components'

export type Pair = readonly [source: string, target: string]

/**
 * Groups of names each of which leads to all others of its group, or to itself. Groups, and names within a group,
 * stand in the order of `names`.
 */
export function cyclesIn(
  names: readonly string[],
  pairs: readonly Pair[],
): readonly (readonly string[])[] {
  const graph = new MultiDirectedGraph()
  for (const name of names) graph.addNode(name)
  for (const [source, target] of pairs) graph.addDirectedEdge(source, target)
  const place = new Map(names.map((name, index) => [name, index]))
  const placeOf = (name: string | undefined) => place.get(name ?? '') ?? 0
  return stronglyConnectedComponents(graph)
    .filter(([first = '', ...others]) => others.length > 0 || graph.hasDirectedEdge(first, first))
    .map(group => group.toSorted((a, b) => placeOf(a) - placeOf(b)))
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b))
}

/** A shortest way from a name by others back to it, the name at both ends; else the one from it to itself; empty, if there is neither. */
export function roundTrip(start: string, pairs: readonly Pair[]): readonly string[] {
  const round = roundTripThroughOthers(start, pairs)
  return round.length === 0 &&
    pairs.some(([source, target]) => source === start && target === start)
    ? [start, start]
    : round
}

function roundTripThroughOthers(start: string, pairs: readonly Pair[]): readonly string[] {
  const next = new Map<string, string[]>()
  for (const [source, target] of pairs) {
    if (source === target) continue
    const targets = next.get(source)
    if (targets) targets.push(target)
    else next.set(source, [target])
  }
  const before = new Map<string, string>()
  const queue = [start]
  for (const at of queue) {
    for (const target of next.get(at) ?? []) {
      if (target === start) return [...pathTo(at, before), start]
      if (before.has(target)) continue
      before.set(target, at)
      queue.push(target)
    }
  }
  return []
}

function pathTo(name: string, before: ReadonlyMap<string, string>): readonly string[] {
  const way = [name]
  for (let at = before.get(name); at !== undefined; at = before.get(at)) way.push(at)
  return way.reverse()
}

/** The most names of a way that people are shown. */
const SHOWN_MAX = 24

/** A way for people: `A → B → A`; of a long one how it begins and how it ends. */
export function pathText(way: readonly string[]): string {
  const more = way.length - SHOWN_MAX
  const shown =
    more > 0 ? [...way.slice(0, SHOWN_MAX - 4), `(${more} more)`, ...way.slice(-4)] : way
  return shown.join(' → ')
}
