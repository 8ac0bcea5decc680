/** Faults of names: every node, channel, tool, model and graph that a spec uses must be declared. */
import { outcomeEdges } from './edges.ts'
import { startPath } from './area-faults.ts'
import { type Fault, listNames } from './fault.ts'
import { areasOf } from './region.ts'
import { isFinal, nodesOf, pathsOf, type Spec, workingNodes } from './spec.ts'

/** A name that the spec uses: of what it must be, and where it stands. */
interface UsedName {
  readonly kind: 'node' | 'channel' | 'tool' | 'model' | 'graph'
  readonly name: string
  readonly path: string
}

/** The names that the spec uses and does not declare. */
export function nameFaults(of: Spec): Fault[] {
  const known: Readonly<Record<UsedName['kind'], ReadonlySet<string>>> = {
    node: new Set(nodesOf(of).keys()),
    channel: new Set(Object.keys(of.channels)),
    tool: new Set(Object.keys(of.tools)),
    model: new Set(Object.keys(of.models)),
    graph: new Set(Object.keys(of.graphs)),
  }
  const used = [
    ...namesInEdges(of),
    ...channelsOfGraph(of),
    ...channelsOfNodes(of),
    ...namesInNodes(of),
    ...namesInResources(of),
    ...namesInPolicy(of),
  ]
  return used
    .filter(({ kind, name }) => !known[kind].has(name))
    .map(({ kind, name, path }) => ({
      path,
      message: `there is no ${kind} named '${name}'; expected one of: ${listNames([...known[kind]]) || '(none is declared)'}`,
    }))
}

/** The same kind of name, several times in one place. */
function named(kind: UsedName['kind'], names: readonly string[], path: string): UsedName[] {
  return names.map(name => ({ kind, name, path }))
}

function namesInEdges(of: Spec): UsedName[] {
  return areasOf(of).flatMap(area => [
    ...(area.start === undefined ? [] : named('node', [area.start], startPath(area))),
    ...Object.entries(area.nodes).flatMap(([name, node]) =>
      isFinal(node)
        ? []
        : outcomeEdges(node).flatMap(([outcome, target]) =>
            named('node', [target], `${area.path}.${name}.on.${outcome}`),
          ),
    ),
  ])
}

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

/** The context of a hand-written statechart is not in the spec. */
function channelsOfNodes(of: Spec): UsedName[] {
  if (of.machine !== undefined) return []
  const paths = pathsOf(of)
  return workingNodes(of).flatMap(([name, node]) => {
    const at = paths.get(name)
    const read = Array.isArray(node.in) ? node.in : Object.values(node.in ?? {})
    return [
      ...named('channel', read, `${at}.in`),
      ...channelsWrittenBy(node.out).flatMap(out => named('channel', [out], `${at}.out.${out}`)),
    ]
  })
}

/** The keys in which a kind of node names parts of the spec. */
const NODE_KEYS: Readonly<Record<string, Readonly<Record<string, UsedName['kind']>>>> = {
  tool: { tool: 'tool' },
  model: { model: 'model' },
  graph: { graph: 'graph' },
  map: { graph: 'graph', over: 'channel' },
}

function namesInNodes(of: Spec): UsedName[] {
  const paths = pathsOf(of)
  return workingNodes(of).flatMap(([name, node]) => {
    const at = paths.get(name)
    const values = node as unknown as Readonly<Record<string, string>>
    return [
      ...Object.entries(NODE_KEYS[node.use] ?? {}).flatMap(([key, kind]) =>
        named(kind, [values[key] ?? ''], `${at}.${key}`),
      ),
      ...('tools' in node ? named('tool', node.tools ?? [], `${at}.tools`) : []),
    ]
  })
}

function namesInResources({ models, tools }: Spec): UsedName[] {
  const smarter = Object.entries(models).flatMap(([name, model]) =>
    model.smarter === undefined ? [] : named('model', [model.smarter], `models.${name}.smarter`),
  )
  const substitutes = (['tool', 'model'] as const).flatMap(kind =>
    Object.entries(kind === 'tool' ? tools : models).flatMap(([name, { substitutes = [] }]) =>
      named(kind, substitutes, `${kind}s.${name}.substitutes`),
    ),
  )
  return [...smarter, ...substitutes]
}

function namesInPolicy({ escape, detect, confirm, graphs }: Spec): UsedName[] {
  const accepted = (escape.rollback?.accept ?? []).filter(name => !Object.hasOwn(graphs, name))
  const alternatives = Object.entries(escape.alternatives ?? {}).flatMap(([from, targets]) =>
    named('node', [from, ...targets], `escape.alternatives.${from}`),
  )
  const keys = (kind: UsedName['kind'], map: object, path: string) =>
    Object.keys(map).flatMap(name => named(kind, [name], `${path}.${name}`))
  return [
    ...named('tool', accepted, 'escape.rollback.accept'),
    ...alternatives,
    ...keys('tool', detect.tools ?? {}, 'detect.tools'),
    ...keys('tool', confirm, 'confirm').filter(({ name }) => !name.includes('*')),
    ...keys('node', detect.nodes ?? {}, 'detect.nodes'),
  ]
}

export function channelsWrittenBy(
  out: undefined | string | readonly string[] | Readonly<Record<string, string>>,
): readonly string[] {
  if (out === undefined) return []
  if (typeof out === 'string') return [out]
  return Array.isArray(out) ? out : Object.keys(out)
}
