/** Binds a spec to its implementations, and a node to what its `use` performs. */
import { thrownText } from '../../core/watch/failure/thrown-text.ts'
import { codedError, guardOf, faultLine } from '../../core/watch/data/fault.ts'
import type { AnyStateMachine } from 'xstate'
import { type AgentMachine, machineOfSpec } from '../../core/graph/agent-machine.ts'
import { smarterIsTheSame } from '../../core/graph/lint/declared.ts'
import { partFaults } from '../../core/watch/part-faults.ts'
import { type Fault, nameHint } from '../../core/watch/data/schema-faults.ts'
import type { NamedSpec, SpecNames } from '../../core/graph/spec/read.ts'
import type { ModelSpec } from '../../core/graph/spec/resource.ts'
import type { Spec } from '../../core/graph/spec/spec.ts'
import { nodesOf, pathsOf, offeredTools, performedNodes } from '../../core/graph/spec/spec.ts'
import { type Json, canonical, hash } from '../../core/watch/data/json.ts'
import { type CustomParts, watchParts } from '../../core/watch/parts.ts'
import type { Graph, Model, Node } from '../../runtime/ports.ts'
import {
  type Bound,
  bindTool,
  faultAt,
  wrongSubstitutes,
  wrongTimes,
  COMPLETES,
} from './bind-tool.ts'
import { type CustomTool, withoutImplementation } from './bind-tool.ts'
import type { CustomNode } from '../nodes/node.ts'
import { redactEnvironment } from '../redact-environment.ts'
import { withSettings } from '../tool.ts'
import { workspaceAt } from '../workspace.ts'
import { REJECTED, type WorkingNode } from '../../core/graph/spec/node.ts'
import { graphNode, messageNode, pass, toolNode, toolsNode, modelNode } from '../nodes/built-in.ts'
import { mapNode } from '../nodes/map.ts'
import { verifyNode } from '../nodes/verify.ts'

/** Values by these names only. */
type Named<N extends string, T> = [N] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [K in N]?: T }

/** The implementations of a spec, by the names in it. */
export interface Parts<Names extends SpecNames = SpecNames> {
  /** The folder that the built-in tools are confined to. Default: the current folder. */
  readonly workspace?: string
  /** Models by name. */
  readonly models?: Named<Names['models'], Model>
  /** Creates each model that `models` lacks. An error it throws is a fault of the spec. */
  readonly model?: (name: string, spec: ModelSpec) => Model
  /** What `node(…)` returns, for each node with `use: code` or `use: ./file.ts#export`. */
  readonly nodes?: Named<Names['nodes'], CustomNode>
  /** What `tool(…)` returns, or a function that creates it from `with`. Replaces the tool that `use` names. */
  readonly tools?: Named<Names['tools'], CustomTool>
  /** The graphs that nodes run, by their names in the spec. */
  readonly graphs?: Readonly<Record<string, Graph>>
  /** The identities of all graphs that can be run, at any depth. They become part of the identity of the graph. */
  readonly below?: readonly string[]
  /** For `parts`. */
  readonly own?: CustomParts
  /** For `machine`. */
  readonly machine?: AnyStateMachine
}

/** A spec and its implementations do not fit together. `faults` lists everything that is missing or wrong. */
export class CannotBind extends codedError('CannotBind', 'cannot-bind') {
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super(faults.map(faultLine).join('\n'))
    this.faults = faults
  }
}

/** Whether an error is a `CannotBind`. */
export const isCannotBind = guardOf(CannotBind)

/** A graph created from a spec. */
export interface SpecGraph<Input = unknown, Output = unknown, Channels = unknown>
  extends Graph<Input, Output, Channels> {
  /** The spec as plain data. */
  readonly spec: Spec
}

/**
 * Binds a spec to its implementations.
 * @throws CannotBind
 * @example const graph = bindGraph(parseSpec(value), { tools: { stock }, models: { fast } })
 */
export function bindGraph<Names extends SpecNames>(
  spec: NamedSpec<Names>,
  implementations: Parts<Names> = {},
): SpecGraph<Json, Json, Readonly<Record<string, Json>>> {
  const parts = implementations as Parts
  const faults: Fault[] = []
  const bindAll = <S, T>(
    specs: readonly (readonly [string, S])[],
    kind: 'tools' | 'models' | 'nodes',
    bindOne: (name: string, of: S) => Bound<T>,
  ): Record<string, T> =>
    Object.fromEntries(
      specs.flatMap(([name, of]) => {
        const bound = collectFaults(() => bindOne(name, of))
        const place = (kind === 'nodes' && paths.get(name)) || `${kind}.${name}`
        for (const { path, message } of bound.faults ?? [])
          faults.push({ path: path === '' ? place : `${place}.${path}`, message })
        return bound.value === undefined ? [] : [[name, bound.value]]
      }),
    )
  const working = performedNodes(spec)
  const paths = pathsOf(spec)
  const workspace = workspaceAt(parts.workspace ?? '.')
  const machine = machineOfSpec(
    spec,
    parts.machine,
    watchParts(parts.own ?? {}, redactEnvironment()),
  )
  const graph = {
    machine: withGraphsBelow(machine, parts.below),
    tools: bindAll(Object.entries(spec.tools), 'tools', (name, of) =>
      bindTool(name, of, workspace, parts.tools?.[name]),
    ),
    models: bindAll(Object.entries(spec.models), 'models', (name, of) =>
      bindModel(parts, name, of),
    ),
    nodes: bindAll(working, 'nodes', (name, of) => bindNode(spec, of, parts.nodes?.[name])),
    ...(parts.graphs ? { graphs: parts.graphs } : {}),
    ...versionsOf(parts.nodes ?? {}),
    source: spec as unknown as Json,
    spec,
  }
  faults.push(
    ...smarterIsTheSame(graph).filter(
      ({ path }) => !spec.accept.includes(`smarter-is-the-same ${path}`),
    ),
    ...unknownNames(spec, parts),
    ...unboundStates(graph.machine, spec),
    ...unguardedStates(graph.machine, spec),
    ...wrongSubstitutes(graph.tools),
    ...wrongTimes('tools', graph.tools),
    ...wrongTimes('models', graph.models),
    ...partFaults(graph.machine.policy, graph.machine.parts),
  )
  if (faults.length > 0) throw new CannotBind(faults)
  return graph
}

function bindModel({ models = {}, model }: Parts, name: string, spec: ModelSpec): Bound<Model> {
  const { [name]: passed } = models
  const { price } = spec
  const value = passed ? withSettings<Model>(passed, spec, { price }) : model?.(name, spec)
  return value ? { value } : faultAt('', 'has no implementation; pass it to bindGraph in models')
}

/** Implementations under names that the spec lacks. */
function unknownNames(spec: Spec, parts: Parts): Fault[] {
  const { tools, models } = spec
  const nodes = [...nodesOf(spec).keys()]
  const known = { tools: Object.keys(tools), models: Object.keys(models), nodes }
  return (['tools', 'models', 'nodes'] as const).flatMap(kind =>
    Object.keys(parts[kind] ?? {})
      .filter(name => !known[kind].includes(name))
      .map(name => [name, `is not in the spec; ${nameHint(name, known[kind])}`] as const)
      .map(([name, message]) => ({ path: `${kind}.${name}`, message })),
  )
}

function versionsOf(nodes: NonNullable<Parts['nodes']>): Pick<Graph, 'versions'> {
  const declared = Object.entries(nodes).flatMap(([name, node]) =>
    node?.version === undefined ? [] : [`${name}@${node.version}`],
  )
  return declared.length > 0 ? { versions: { nodes: declared.join(' ') } } : {}
}

/** The machine of a graph that runs others: its hash covers theirs. */
export function withGraphsBelow(machine: AgentMachine, below: readonly string[] = []) {
  if (below.length === 0) return machine
  return { ...machine, hash: hash(canonical([machine.hash, ...below])) }
}

/** States of a handwritten statechart that invoke a node the spec lacks. */
function unboundStates({ chart }: AgentMachine, spec: Spec): Fault[] {
  const nodes = nodesOf(spec)
  const effects = chart.states.flatMap(state => state.effects)
  const invoked = new Set(effects.flatMap(({ type, node }) => (type === 'invoke' ? [node] : [])))
  return [...invoked]
    .filter(node => !nodes.has(node))
    .map(node => ({ path: `nodes.${node}`, message: 'is missing; the machine invokes it' }))
}

/** States of a handwritten statechart where a rejected result would take the edge of a success. */
function unguardedStates({ chart }: AgentMachine, spec: Spec): Fault[] {
  const edge = `done.${REJECTED}`
  const isGuarded = (id: string) =>
    chart.edges.some(({ source, event }) => source === id && event === edge)
  const gates = new Map(performedNodes(spec).filter(([, { use }]) => use === 'verify'))
  return chart.states
    .filter(({ id, effects }) => effects.some(({ node }) => gates.has(node)) && !isGuarded(id))
    .map(({ id, effects: [effect] }) => ({
      path: `nodes.${effect?.node}`,
      message: `verifies in the state '${id}', which has no edge for \`${edge}\``,
    }))
}

function collectFaults<T>(bindOne: () => Bound<T>): Bound<T> {
  try {
    return bindOne()
  } catch (error) {
    return faultAt('', thrownText(error, redactEnvironment()))
  }
}

export function bindNode(spec: Spec, node: WorkingNode, custom?: CustomNode): Bound<Node> {
  const value = builtinNode(spec, node)
  if (value) return { value }
  if (!custom) return withoutImplementation(node.use)
  const settings = ('with' in node ? node.with : null) as Json
  const faults = unknownUses(spec, custom)
  return faults.length > 0 ? { faults } : { value: task => custom(task, settings) }
}

/** Without `in`, a pass, a tool or a graph receives nothing: its input is journaled at each step. */
function builtinNode(spec: Spec, node: WorkingNode): Node | undefined {
  const alone = node.in === undefined
  switch (node.use) {
    case 'pass':
      return alone ? async () => ({}) : pass
    case 'message':
      return messageNode
    case 'tool': {
      const { tool, args } = node as NodeOf<'tool'>
      return toolNode(tool, (args ?? (alone ? {} : undefined)) as Json | undefined)
    }
    case 'graph':
      return graphNode((node as { graph: string }).graph, alone)
    case 'map':
      return mapNode({ ...(node as NodeOf<'map'>), alone })
    case 'verify':
      return verifyNode(spec, node as NodeOf<'verify'>)
    case 'tools':
      return toolsNode({ allowed: offeredTools(spec), completing: completingTools(spec) })
    case 'model':
      return modelNodeOf(spec, node as NodeOf<'model'>)
    default:
      return undefined
  }
}

type NodeOf<U extends string> = Extract<WorkingNode, { use: U }>

/** What a node declares that it calls and the spec lacks. */
function unknownUses({ tools, models, graphs }: Spec, { uses }: CustomNode): Fault[] {
  if (!uses) return []
  const missing = (kind: string, names: readonly string[], known: object) =>
    names
      .filter(name => !Object.hasOwn(known, name))
      .map(name => `'${name}', which the graph lacks; ${nameHint(name, Object.keys(known))}`)
      .map(message => ({ path: 'use', message: `calls the ${kind} ${message}` }))
  return [
    ...missing('tool', Object.keys(uses.tools), tools),
    ...missing('model', uses.models, models),
    ...missing('graph', Object.keys(uses.graphs), graphs),
  ]
}

function modelNodeOf(spec: Spec, node: NodeOf<'model'>): Node {
  const { tools = [], in: input = [] } = node
  const completing = completingTools(spec)
  const names = Array.isArray(input) ? input : Object.keys(input)
  const completes = tools.find(name => completing.has(name))
  const others = names.filter(name => name !== 'goal' && name !== 'messages')
  // Channels that do not append hold one message, not a conversation.
  const conversation = Array.isArray(input) ? 'messages' : input.messages
  const appends = spec.channels[conversation ?? '']?.reducer === 'append'
  const written = typeof node.out === 'object' ? Object.entries(node.out) : undefined
  const stored = written?.filter(([, path]) => path === 'message')
  const storesMessages = appends && stored?.every(([to]) => to === conversation) === true
  return modelNode({ ...node, tools, completes, others, storesMessages })
}

function completingTools(spec: Spec): ReadonlySet<string> {
  const tools = Object.entries(spec.tools).filter(([, { use }]) => use === COMPLETES)
  return new Set(tools.map(([name]) => name))
}
