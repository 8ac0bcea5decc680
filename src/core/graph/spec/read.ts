/** Reads a sound spec from any value, or lists its faults. `parseSpec` throws and `safeParseSpec` returns, as in zod. */
import { depthFault, placeBelow } from '../../watch/data/depth-fault.ts'
import { isMap } from '../../watch/data/json.ts'
import { faultLine, codedError, guardOf } from '../../watch/data/fault.ts'
import { z } from 'zod'
import { agentFaults, expandAgent } from './agent.ts'
import { cyclesIn, type Pair, roundTrip } from './cycle.ts'
import { patternsFault } from '../../watch/data/pattern-total.ts'
import { readBounded } from '../../watch/data/read-bounded.ts'
import { type Fault, faultsOf, SPEC, specMessageFor } from '../../watch/data/schema-faults.ts'
import { areaFaults, missingPartFaults, nameFaults, nestedRegions } from './name-faults.ts'
import { isFinal, isRegions, nodesOf, outcomeEdges, pathsOf, workingNodes } from './spec.ts'
import { type WithSubstitutes, type Spec, inlineGraphs, SPEC_VERSION, spec } from './spec.ts'
import { compileJsonSchema } from './json-schema.ts'
import { verifyFaults } from './verify-faults.ts'
import { namesIn, whenCompiler } from '../cel/when.ts'

/** A fault of a spec. `invalid-shape`: the value has another form; `unsound`: it has the form and contradicts itself. */
export type SpecIssue = Fault & { readonly code: 'invalid-shape' | 'unsound' }

/** The value is not a sound graph. `issues` lists every fault with its path. */
export class InvalidSpec extends codedError('InvalidSpec', 'invalid-spec') {
  readonly issues: readonly SpecIssue[]
  constructor(issues: readonly SpecIssue[]) {
    super(issues.map(faultLine).join('\n'))
    this.issues = issues
  }
}

/** Whether an error is an `InvalidSpec`. */
export const isInvalidSpec = guardOf(InvalidSpec)

/** The names a spec declares, where the compiler knows its value. */
export type SpecNames = Readonly<{ nodes: string; tools: string; models: string }>

/** A spec whose names the compiler knows: `bindGraph` accepts implementations for these names only. */
export type NamedSpec<Names extends SpecNames = SpecNames> = Spec & { readonly '~names'?: Names }

type KeysOf<V, K extends string> =
  V extends Readonly<Record<K, infer Of>> ? keyof Of & string : never

/** The names in a value of a known type; any names in another. */
type NamesIn<V> = unknown extends V
  ? SpecNames
  : { nodes: KeysOf<V, 'nodes'>; tools: KeysOf<V, 'tools'>; models: KeysOf<V, 'models'> }

/**
 * The spec in a value, with its defaults.
 * @throws InvalidSpec
 * @example const spec = parseSpec(YAML.parse(text))
 */
export function parseSpec<const V>(value: V): NamedSpec<NamesIn<V>> {
  const parsed = safeParseSpec(value)
  if (parsed.success) return parsed.data
  throw parsed.error
}

type Parsed<V> =
  | { readonly success: true; readonly data: NamedSpec<NamesIn<V>> }
  | { readonly success: false; readonly error: InvalidSpec }

/**
 * The spec in a value, or the error that `parseSpec` throws.
 * @example
 * const parsed = safeParseSpec(value)
 * if (!parsed.success) console.error(parsed.error.issues)
 */
export function safeParseSpec<const V>(value: V): Parsed<V> {
  const read = readSpec(value)
  if (read.spec) return { success: true, data: read.spec }
  const { faults, code } = read
  return { success: false, error: new InvalidSpec(faults.map(fault => ({ ...fault, code }))) }
}

type SpecRead =
  | { readonly spec: Spec; readonly faults?: undefined }
  | Readonly<{ spec?: undefined; faults: readonly Fault[]; code: SpecIssue['code'] }>

/** The spec in a value, its defaults filled in, or its faults. Never throws for plain data. */
export function readSpec(value: unknown): SpecRead {
  const early = earlyFault(value)
  const wrong = early ? [early] : agentFaults(value)
  if (wrong.length > 0) return { faults: wrong, code: 'invalid-shape' }
  const parsed = spec.safeParse(expandAgent(value), { error: specMessageFor })
  if (!parsed.success) return { faults: faultsOf(parsed.error.issues), code: 'invalid-shape' }
  const faults = semanticFaults(parsed.data)
  return faults.length > 0 ? { faults, code: 'unsound' } : { spec: parsed.data }
}

const REQUIRED = 'escapement, id, start and nodes'

/** Faults with better messages than those of zod. */
function earlyFault(value: unknown): Fault | undefined {
  if (value === null || value === undefined)
    return { path: SPEC, message: `is empty; expected a graph with ${REQUIRED}` }
  if (typeof value !== 'object' || Array.isArray(value))
    return { path: SPEC, message: `expected a map with ${REQUIRED}` }
  const deep = depthFault(value) ?? childrenFault(value)
  if (deep) return deep
  const polluting = pollutingKey(value)
  if (polluting) return { path: polluting, message: 'is not allowed as a key' }
  const early = nestedRegions(value) ?? patternsFault(value)
  if (early) return early
  const { escapement: version } = value as { escapement?: unknown }
  if (typeof version !== 'number' || version <= SPEC_VERSION) return undefined
  const message = `is written for version ${version} of the notation; this build understands version ${SPEC_VERSION}: upgrade escapement`
  return { path: 'escapement', message }
}

/** The most graphs inside of one another. No run nests more (`limits.depth`), and each takes a part of the stack. */
const CHILDREN_MAX = 64

function childrenFault(value: object): Fault | undefined {
  const path = placeBelow(value, CHILDREN_MAX, outer => {
    const { graphs } = outer as { graphs?: unknown }
    return isMap(graphs) ? Object.entries(graphs).map(([name, of]) => [`.graphs.${name}`, of]) : []
  })
  const message = `is nested deeper than ${CHILDREN_MAX} graphs: keep these graphs in separate files`
  return path === undefined ? undefined : { path, message }
}

/** The path of a key that would change the prototype of an object. */
function pollutingKey(value: unknown, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const at = path ? `${path}.${key}` : key
    const found = key === '__proto__' ? at : pollutingKey(inner, at)
    if (found) return found
  }
  return undefined
}

/**
 * Reading, compiling and stepping cost O(nodes). Lint and the worst case are quadratic in the size of a cycle, because every
 * tool may fail and every lap may be the most expensive one.
 */
const NODES_MAX = 2_000

/** Regions of one node. Entering them takes the third power of their number. */
const REGIONS_MAX = 100

/** Tools or models. Chains of substitutes are followed by recursion. */
const RESOURCES_MAX = 2_000

function sizeFaults(of: Spec): Fault[] {
  const { size } = nodesOf(of)
  const parts = 'move parts of the graph into separate graphs'
  const nodes = `has ${size} nodes, those in regions included; expected at most ${NODES_MAX}: ${parts}`
  const sizes = [
    ['tools', Object.keys(of.tools).length] as const,
    ['models', Object.keys(of.models).length] as const,
  ]
  return [
    ...(size > NODES_MAX ? [{ path: 'nodes', message: nodes }] : []),
    ...Object.entries(of.nodes).flatMap(([name, node]) => {
      const count = 'regions' in node ? Object.keys(node.regions).length : 0
      const message = `has ${count} regions; expected at most ${REGIONS_MAX}: use a map, or child graphs`
      return count > REGIONS_MAX ? [{ path: `nodes.${name}.regions`, message }] : []
    }),
    ...sizes
      .filter(([, count]) => count > RESOURCES_MAX)
      .map(([path, count]) => ({
        path,
        message: `has ${count} ${path}; expected at most ${RESOURCES_MAX}`,
      })),
  ]
}

/** Faults beyond the shape, in nested graphs as well. */
function semanticFaults(of: Spec): Fault[] {
  const large = sizeFaults(of)
  if (large.length > 0) return large
  return [
    ...(of.machine === undefined ? edgeFaults(of) : machineFaults(of)),
    ...areaFaults(of),
    ...nameFaults(of),
    ...substituteFaults('tools', of.tools),
    ...substituteFaults('models', of.models),
    ...channelFaults(of),
    ...contractFaults(of),
    ...expressionFaults(of),
    ...verifyFaults(of),
    ...missingPartFaults(of),
    ...inlineGraphs(of).flatMap(([name, graph]) =>
      semanticFaults(graph).map(fault => ({ ...fault, path: `graphs.${name}.${fault.path}` })),
    ),
  ]
}

function edgeFaults(of: Spec): Fault[] {
  const paths = pathsOf(of)
  const start = { path: 'start', message: 'is missing; expected the first node' }
  const message = 'is missing; expected the targets of its outcomes'
  return [
    ...(of.start === undefined ? [start] : []),
    ...workingNodes(of).flatMap(([name, node]) =>
      node.on === undefined ? [{ path: `${paths.get(name)}.on`, message }] : [],
    ),
  ]
}

/** A hand-written statechart defines its start, context, phases and edges itself. */
function machineFaults({ start, channels, nodes }: Spec): Fault[] {
  const beside = (path: string, isGiven: boolean, why: string): Fault[] =>
    isGiven ? [{ path, message: `is not allowed beside \`machine\`, ${why}` }] : []
  const context = 'whose actions keep the context'
  const edges = 'has edges, regions or is final; beside `machine`, the statechart defines all edges'
  return [
    ...beside('start', start !== undefined, 'which defines its initial state'),
    ...beside('channels', Object.keys(channels).length > 0, context),
    ...workingNodes({ nodes }).flatMap(([name, node]) => [
      ...beside(`nodes.${name}.in`, node.in !== undefined, context),
      ...beside(`nodes.${name}.out`, node.out !== undefined, context),
      ...beside(`nodes.${name}.phase`, node.phase !== undefined, 'which tags its phases itself'),
    ]),
    ...Object.entries(nodes)
      .filter(([, node]) => isFinal(node) || isRegions(node) || outcomeEdges(node).length > 0)
      .map(([name]) => ({ path: `nodes.${name}`, message: edges })),
  ]
}

/** Substitutes that form a cycle: a last one is required. */
function substituteFaults(kind: 'tools' | 'models', all: WithSubstitutes): Fault[] {
  const pairs = Object.entries(all).flatMap(([name, { substitutes = [] }]) =>
    substitutes.filter(other => Object.hasOwn(all, other)).map((other): Pair => [name, other]),
  )
  return cyclesIn(Object.keys(all), pairs).map(([first = '']) => ({
    path: `${kind}.${first}.substitutes`,
    message: `forms a cycle (${roundTrip(first, pairs).join(' → ')}); expected a last substitute`,
  }))
}

function channelFaults({ channels }: Spec): Fault[] {
  return Object.entries(channels).flatMap(([name, channel]) => {
    const { reducer, volatile: _, default: initial, ...schema } = channel
    try {
      const item = compileJsonSchema(schema)
      if (initial === undefined) return []
      const whole = reducer === 'append' ? z.array(item) : item
      return faultsOf(readBounded(whole, initial).issues ?? [], ['channels', name, 'default'])
    } catch (error) {
      const message = `is not a valid JSON Schema: ${(error as Error).message}`
      return [{ path: `channels.${name}`, message }]
    }
  })
}

/** Contracts of tools that are not a JSON Schema. */
function contractFaults({ tools }: Spec): Fault[] {
  return Object.entries(tools).flatMap(([name, { output }]) => {
    try {
      if (output) compileJsonSchema(output)
      return []
    } catch (error) {
      const message = `is not a valid JSON Schema: ${(error as Error).message}`
      return [{ path: `tools.${name}.output`, message }]
    }
  })
}

function expressionFaults(of: Spec): Fault[] {
  const paths = pathsOf(of)
  const compile = whenCompiler(namesIn(of))
  const conditions = workingNodes(of).flatMap(([name, { when = {} }]) =>
    Object.entries(when).map(([key, text]) => [`${paths.get(name)}.when.${key}`, text] as const),
  )
  const progress = of.progress === undefined ? [] : [['progress', of.progress] as const]
  return [...conditions, ...progress].flatMap(([path, text]) => {
    const { fault } = compile(text)
    return fault ? [{ path, message: fault }] : []
  })
}
