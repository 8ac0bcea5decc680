/** Faults of areas: a final start, duplicate names, edges that leave their region. */
import { type Fault, listNames } from './fault.ts'
import { startPath } from './name-faults.ts'
import type { WorkingNode } from './node.ts'
import { type Area, areasOf, isFinal, isRegions, outcomeEdges, pathsOf } from './nodes.ts'
import type { Spec } from './spec.ts'

/** Regions inside a region, found in the raw value: the schema would report only an unknown key. */
export function nestedRegions(value: object): Fault | undefined {
  for (const [name, node] of entriesOf(value, 'nodes'))
    for (const [region, area] of entriesOf(node, 'regions'))
      for (const [inner, nested] of entriesOf(area, 'nodes'))
        if (typeof nested === 'object' && nested !== null && 'regions' in nested) {
          const path = `nodes.${name}.regions.${region}.nodes.${inner}.regions`
          const message = 'is nested inside a region; expected one set of regions after another'
          return { path, message }
        }
  return undefined
}

function entriesOf(value: unknown, key: string): readonly (readonly [string, unknown])[] {
  const inner = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key]
  return typeof inner === 'object' && inner !== null ? Object.entries(inner) : []
}

/** The path of every node. */
type Paths = ReturnType<typeof pathsOf>

export function areaFaults(spec: Spec): Fault[] {
  const areas = areasOf(spec)
  const paths = pathsOf(spec)
  return [
    ...duplicateNames(areas),
    ...areas.flatMap(area => [
      ...startFaults(area),
      ...crossAreaEdges(paths, area),
      ...crossAreaAlternatives(spec, paths, area),
      ...regionFaults(area),
    ]),
  ]
}

function duplicateNames(areas: readonly Area[]): Fault[] {
  const first = new Map<string, string>()
  return areas.flatMap(({ path: parent, nodes }) =>
    Object.keys(nodes).flatMap(name => {
      const path = `${parent}.${name}`
      const other = first.get(name)
      first.set(name, other ?? path)
      const message = `has the name of ${other}; expected a name that is unique in the whole spec`
      return other === undefined ? [] : [{ path, message }]
    }),
  )
}

function startFaults({ path, start = '', nodes }: Area): Fault[] {
  const first = Object.hasOwn(nodes, start) ? nodes[start] : undefined
  return first && isFinal(first)
    ? [{ path: startPath(path), message: `'${start}' is final; expected a node that works` }]
    : []
}

/** Edges, and the start of a region, that lead out of their area. `nameFaults` reports unknown names. */
function crossAreaEdges(paths: Paths, { path, start, nodes }: Area): Fault[] {
  const edges = Object.entries(nodes).flatMap(([name, node]) =>
    outcomeEdges(node).map(([outcome, to]) => [`${path}.${name}.on.${outcome}`, to] as const),
  )
  const entry = start === undefined ? [] : [[startPath(path), start] as const]
  return [...entry, ...edges].flatMap(([at, to]) => crossAreaFault(paths, nodes, at, to))
}

function crossAreaAlternatives(spec: Spec, paths: Paths, { nodes }: Area): Fault[] {
  return Object.entries(spec.escape.alternatives ?? {}).flatMap(([from, targets]) => {
    const node = Object.hasOwn(nodes, from) ? nodes[from] : undefined
    if (!node) return []
    const path = `escape.alternatives.${from}`
    const message = `'${from}' is a set of regions, which escape separately; expected a node that works`
    return isRegions(node)
      ? [{ path, message }]
      : targets.flatMap(to => crossAreaFault(paths, nodes, path, to))
  })
}

function crossAreaFault(paths: Paths, nodes: Area['nodes'], path: string, to: string): Fault[] {
  const place = paths.get(to)
  if (place === undefined || Object.hasOwn(nodes, to)) return []
  const expected = `expected one of: ${listNames(Object.keys(nodes))}`
  return [{ path, message: `'${to}' is in another region (${place}); ${expected}` }]
}

function regionFaults(area: Area): Fault[] {
  return Object.entries(area.nodes).flatMap(([name, node]) => {
    const path = `${area.path}.${name}`
    if (!isRegions(node))
      return isFinal(node) || area.region === '' ? [] : threadLevelFaults(area, path, node)
    return Object.keys(node.regions).length === 0
      ? [{ path: `${path}.regions`, message: 'is empty; expected at least one region' }]
      : []
  })
}

/** Outcomes that concern the whole thread belong to the set of regions. */
function threadLevelFaults({ region }: Area, path: string, node: WorkingNode): Fault[] {
  const set = region.split('.')[0] ?? ''
  return outcomeEdges(node)
    .filter(([outcome]) => outcome === 'budget' || outcome === 'cancelled')
    .map(([outcome]) => ({
      path: `${path}.on.${outcome}`,
      message: `concerns the whole thread, and leaves all regions; expected at nodes.${set}.on.${outcome}`,
    }))
}
