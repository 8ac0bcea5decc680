/** What is wrong where nodes stand side by side: a start that is an end, names that stand for two nodes, edges that leave their region. */
import { outcomeEdges } from './edges.ts'
import { type Fault, listNames } from './fault.ts'
import type { WorkingNode } from './node.ts'
import { type Area, areasOf, isRegions } from './region.ts'
import { isFinal, pathsOf, type Spec } from './spec.ts'

/** Of a value that has not been read yet: the notation has no regions inside regions, and that is better said than "is not known here". */
export function nestedRegions(value: object): Fault | undefined {
  for (const [name, node] of entriesOf(value, 'nodes')) {
    for (const [region, of] of entriesOf(node, 'regions')) {
      for (const [inner, found] of entriesOf(of, 'nodes')) {
        if (typeof found === 'object' && found !== null && 'regions' in found)
          return {
            path: `nodes.${name}.regions.${region}.nodes.${inner}.regions`,
            message:
              'regions inside a region are not understood; expected one set of regions after another',
          }
      }
    }
  }
  return undefined
}

function entriesOf(value: unknown, key: string): readonly (readonly [string, unknown])[] {
  const inner =
    typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)[key]
      : undefined
  return typeof inner === 'object' && inner !== null ? Object.entries(inner) : []
}

export function areaFaults(spec: Spec): Fault[] {
  const areas = areasOf(spec)
  const paths = pathsOf(spec)
  return [
    ...duplicateNames(areas),
    ...areas.flatMap(area => [
      ...startFaults(area),
      ...crossAreaEdges(paths, area),
      ...crossAreaAlternatives(spec, paths, area),
      ...setFaults(area),
    ]),
  ]
}

/** Where the start of an area stands. */
export function startPath({ path }: Pick<Area, 'path'>): string {
  return path.replace(/nodes$/, 'start')
}

function duplicateNames(areas: readonly Area[]): Fault[] {
  const first = new Map<string, string>()
  return areas.flatMap(({ path, nodes }) =>
    Object.keys(nodes).flatMap(name => {
      const before = first.get(name)
      first.set(name, before ?? `${path}.${name}`)
      return before === undefined
        ? []
        : [
            {
              path: `${path}.${name}`,
              message: `is the name of ${before}, too; expected a name of its own in the whole spec`,
            },
          ]
    }),
  )
}

function startFaults(area: Area): Fault[] {
  const { start = '', nodes } = area
  const first = Object.hasOwn(nodes, start) ? nodes[start] : undefined
  return first && isFinal(first)
    ? [{ path: startPath(area), message: `'${start}' is final; expected a node that works` }]
    : []
}

/** Where every node of the spec stands. */
type Paths = ReturnType<typeof pathsOf>

/** Where an edge, or the start of a region, leads out of its area. What leads nowhere is told of by whoever looks for names. */
function crossAreaEdges(paths: Paths, area: Area): Fault[] {
  const { path, start, nodes } = area
  const edges = Object.entries(nodes).flatMap(([name, node]) =>
    isFinal(node)
      ? []
      : outcomeEdges(node).map(([outcome, to]) => [`${path}.${name}.on.${outcome}`, to] as const),
  )
  return [...(start === undefined ? [] : [[startPath(area), start] as const]), ...edges].flatMap(
    ([at, to]) => crossAreaFault(paths, nodes, at, to),
  )
}

function crossAreaAlternatives(spec: Spec, paths: Paths, { nodes }: Area): Fault[] {
  return Object.entries(spec.escape.alternatives ?? {}).flatMap(([from, targets]) => {
    const node = Object.hasOwn(nodes, from) ? nodes[from] : undefined
    if (!node) return []
    const path = `escape.alternatives.${from}`
    if (isRegions(node))
      return [
        {
          path,
          message: `'${from}' is a set of regions, and each is led out by itself; expected a node that works`,
        },
      ]
    return targets.flatMap(to => crossAreaFault(paths, nodes, path, to))
  })
}

function crossAreaFault(paths: Paths, nodes: Area['nodes'], at: string, to: string): Fault[] {
  const known = paths.get(to)
  if (known === undefined || Object.hasOwn(nodes, to)) return []
  return [
    {
      path: at,
      message: `'${to}' stands in another place (${known}); expected one of: ${listNames(Object.keys(nodes))}`,
    },
  ]
}

function setFaults(area: Area): Fault[] {
  return Object.entries(area.nodes).flatMap(([name, node]) => {
    if (isFinal(node)) return []
    const path = `${area.path}.${name}`
    if (isRegions(node))
      return Object.keys(node.regions).length === 0
        ? [{ path: `${path}.regions`, message: 'is empty; expected at least one region' }]
        : []
    return area.region === '' ? [] : threadLevelFaults(area, path, node)
  })
}

/** What concerns the whole thread is said of all regions at once. */
function threadLevelFaults({ region }: Area, path: string, node: WorkingNode): Fault[] {
  const set = region.split('.')[0] ?? ''
  return outcomeEdges(node)
    .filter(([outcome]) => outcome === 'budget' || outcome === 'cancelled')
    .map(([outcome]) => ({
      path: `${path}.on.${outcome}`,
      message: `concerns the whole thread, and leaves all regions; expected at nodes.${set}.on.${outcome}`,
    }))
}
