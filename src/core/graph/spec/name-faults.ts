/** Faults of names and areas: undeclared and duplicate names, a final start, edges that leave their region. */
import { unknownKey } from '../../watch/data/fault.ts'
import { DETECT_KEYS, unknownRungs } from '../../watch/part-faults.ts'
import { RUNGS } from '../../watch/policy/policy-keys.ts'
import type { Policy } from '../../watch/policy/policy.ts'
import { type Fault, listNames } from '../../watch/data/schema-faults.ts'
import type { WorkingNode } from './node.ts'
import { areasOf, channelsWrittenBy, isFinal, isRegions, outcomeEdges, pathsOf } from './spec.ts'
import { type Spec, type Area, workingNodes } from './spec.ts'

/** A name that the spec uses, and where. */
interface UsedName {
  readonly kind: 'node' | 'channel' | 'tool' | 'model' | 'graph'
  readonly name: string
  readonly path: string
}

/** The names that the spec uses and does not declare. */
export function nameFaults(of: Spec): Fault[] {
  const known = {
    node: new Set(pathsOf(of).keys()),
    channel: new Set(Object.keys(of.channels)),
    tool: new Set(Object.keys(of.tools)),
    model: new Set(Object.keys(of.models)),
    graph: new Set(Object.keys(of.graphs)),
  }
  const places = [namesInEdges, channelsOfGraph, namesInNodes, namesInResources, namesInPolicy]
  const used = places.flatMap(names => names(of))
  return unknownNames(used, known)
}

type KnownNames = Readonly<Partial<Record<UsedName['kind'], ReadonlySet<string>>>>

function unknownNames(used: readonly UsedName[], known: KnownNames): Fault[] {
  return used
    .filter(({ kind, name }) => !known[kind]?.has(name))
    .map(({ kind, name, path }) => unknownName(path, kind, name, [...(known[kind] ?? [])]))
}

/** The nodes and tools that a policy names and its graph does not have. */
export const policyNameFaults = (policy: Policy, known: KnownNames): Fault[] =>
  unknownNames(namesInPolicy({ ...policy, graphs: {} }), known)

/** Names of the same kind in one place. */
const named = (kind: UsedName['kind'], names: readonly string[], path: string): UsedName[] =>
  names.map(name => ({ kind, name, path }))

/** Names that are keys of a map. */
const keys = (kind: UsedName['kind'], map: object, path: string): UsedName[] =>
  Object.keys(map).map(name => ({ kind, name, path: `${path}.${name}` }))

function namesInEdges(of: Spec): UsedName[] {
  return areasOf(of).flatMap(({ path, start, nodes }) => [
    ...(start === undefined ? [] : named('node', [start], startPath(path))),
    ...Object.entries(nodes).flatMap(([name, node]) =>
      outcomeEdges(node).flatMap(([outcome, target]) =>
        named('node', [target], `${path}.${name}.on.${outcome}`),
      ),
    ),
  ])
}

/** The path of the start of an area, by the path of its nodes. */
export const startPath = (path: string): string => path.replace(/nodes$/, 'start')

/** The context of a hand-written statechart is not in the spec. */
function channelsOfGraph({ machine, input, output = [], detect }: Spec): UsedName[] {
  if (machine !== undefined) return []
  const ignored = (detect.ignore ?? []).map(path => path.replace(/^context\./, ''))
  return [
    ...named('channel', input, 'input'),
    ...named('channel', output, 'output'),
    ...named('channel', ignored, 'detect.ignore'),
  ]
}

/** The keys in which a kind of node names parts of the spec. */
const NODE_KEYS: Readonly<Record<string, Readonly<Record<string, UsedName['kind']>>>> = {
  tool: { tool: 'tool' },
  model: { model: 'model' },
  graph: { graph: 'graph' },
  map: { graph: 'graph', over: 'channel' },
  verify: { tool: 'tool', model: 'model' },
}

function namesInNodes(of: Spec): UsedName[] {
  const paths = pathsOf(of)
  return workingNodes(of).flatMap(([name, node]) => {
    const path = paths.get(name)
    const values = node as unknown as Readonly<Record<string, string>>
    const read = Array.isArray(node.in) ? node.in : Object.values(node.in ?? {})
    const written = Object.fromEntries(channelsWrittenBy(node.out).map(out => [out, out]))
    // The context of a hand-written statechart is not in the spec.
    const channels =
      of.machine === undefined
        ? [...named('channel', read, `${path}.in`), ...keys('channel', written, `${path}.out`)]
        : []
    return [
      ...channels,
      ...Object.entries(NODE_KEYS[node.use] ?? {}).flatMap(([key, kind]) =>
        named(kind, [values[key] ?? []].flat(), `${path}.${key}`),
      ),
      ...('tools' in node ? named('tool', node.tools ?? [], `${path}.tools`) : []),
    ]
  })
}

function namesInResources({ models, tools }: Spec): UsedName[] {
  return [
    ...Object.entries(models).flatMap(([name, { smarter, substitutes = [] }]) => [
      ...named('model', [smarter ?? []].flat(), `models.${name}.smarter`),
      ...named('model', substitutes, `models.${name}.substitutes`),
    ]),
    ...Object.entries(tools).flatMap(([name, { substitutes = [] }]) =>
      named('tool', substitutes, `tools.${name}.substitutes`),
    ),
  ]
}

type NamingPolicy = Pick<Spec, 'escape' | 'detect' | 'confirm' | 'graphs'>

function namesInPolicy({ escape, detect, confirm, graphs }: NamingPolicy): UsedName[] {
  const accepted = (escape.rollback?.accept ?? []).filter(name => !Object.hasOwn(graphs, name))
  return [
    ...named('tool', accepted, 'escape.rollback.accept'),
    ...Object.entries(escape.alternatives ?? {}).flatMap(([from, targets]) =>
      named('node', [from, ...targets], `escape.alternatives.${from}`),
    ),
    ...named('node', escape.explore ?? [], 'escape.explore'),
    ...keys('tool', detect.tools ?? {}, 'detect.tools'),
    ...keys('tool', confirm, 'confirm').filter(({ name }) => !name.includes('*')),
    ...keys('node', detect.nodes ?? {}, 'detect.nodes'),
  ]
}

/** Unknown names in a spec that names no module which could define them. */
export function missingPartFaults({ parts, detect, escape }: Spec): Fault[] {
  const detectors = Object.keys(detect)
    .filter(name => !DETECT_KEYS.includes(name))
    .map(name => ({ path: `detect.${name}`, message: unknownKey(name, DETECT_KEYS) }))
  return [
    ...(parts?.detectors?.length ? [] : detectors),
    ...(parts?.rungs?.length ? [] : unknownRungs(escape, RUNGS)),
  ]
}

function unknownName(path: string, kind: string, name: string, known: readonly string[]): Fault {
  const expected = listNames(known) || '(none is declared)'
  return { path, message: `unknown ${kind} '${name}'; expected one of: ${expected}` }
}

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
