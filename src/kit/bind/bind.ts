/** Binds a spec to its implementations. */
import type { AnyStateMachine } from 'xstate'
import { type AgentMachine, machineOfSpec } from '../../core/graph/agent-machine.ts'
import { partFaults } from '../../core/graph/spec/part-faults.ts'
import { defined } from '../../core/watch/data/defined.ts'
import { type Fault, nameHint } from '../../core/graph/spec/fault.ts'
import type { NamedSpec, SpecNames } from '../../core/graph/spec/read.ts'
import type { ModelSpec } from '../../core/graph/spec/resource.ts'
import { nodesOf, pathsOf, workingNodes } from '../../core/graph/spec/nodes.ts'
import type { Spec } from '../../core/graph/spec/spec.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { type CustomParts, watchParts } from '../../core/watch/parts.ts'
import { canonical, hash } from '../../core/watch/data/signature.ts'
import type { Graph, Model } from '../../runtime/ports.ts'
import { nodeOf } from './bind-node.ts'
import { type CustomTool, toolOf, wrongSubstitutes } from './bind-tool.ts'
import type { Made } from './builtins.ts'
import type { CustomNode } from '../nodes/node.ts'
import { protectionOf } from '../protection.ts'
import { workspaceAt } from '../workspace.ts'

/** Values by these names and no others. */
type Named<N extends string, T> = [N] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [K in N]?: T }

/** The implementations of a spec, by the names in it. */
export interface Parts<Names extends SpecNames = SpecNames> {
  /** The folder that the built-in tools are confined to. Default: the current folder. */
  readonly workspace?: string
  /** Models by name. */
  readonly models?: Named<Names['models'], Model>
  /** Makes each model that `models` lacks. What it throws is a fault of the spec. */
  readonly model?: (name: string, spec: ModelSpec) => Model
  /** What `node(…)` returns, for each node with `use: code` or `use: ./file.ts#export`. */
  readonly nodes?: Named<Names['nodes'], CustomNode>
  /** What `tool(…)` returns, or a function that makes it from `with`. Replaces what `use` names. */
  readonly tools?: Named<Names['tools'], CustomTool>
  /** The graphs that nodes run, by their names in the spec. */
  readonly graphs?: Readonly<Record<string, Graph>>
  /** The hashes of the specs of all graphs that may be run, at any depth: another graph below makes another graph. */
  readonly below?: readonly string[]
  /** For `parts`. */
  readonly own?: CustomParts
  /** For `machine`. */
  readonly machine?: AnyStateMachine
}

/** A spec and its implementations do not fit together. `faults` lists everything that is missing or wrong. */
export class CannotBind extends Error {
  override readonly name = 'CannotBind'
  readonly code = 'cannot-bind'
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
    this.faults = faults
  }
}

/** Whether an error is a `CannotBind`. */
export function isCannotBind(error: unknown): error is CannotBind {
  return error instanceof CannotBind
}

/** A graph made of a spec. */
export interface SpecGraph<Input = unknown, Output = unknown> extends Graph<Input, Output> {
  /** Plain data: what lint checks, `draw` draws and a file can hold. */
  readonly spec: Spec
}

/**
 * Binds a spec that comes as data to its implementations.
 *
 * @throws CannotBind
 * @example
 * const graph = bindGraph(parseSpec(value), { tools: { stock }, models: { fast } })
 */
export function bindGraph<Names extends SpecNames>(
  spec: NamedSpec<Names>,
  parts: Parts<Names> = {},
): SpecGraph<Json, Json> {
  return bind(spec, parts as Parts)
}

function bind(spec: Spec, parts: Parts): SpecGraph<Json, Json> {
  const faults: Fault[] = []
  const made = <S, T>(
    placed: (name: string) => string,
    specs: readonly (readonly [string, S])[],
    make: (name: string, of: S) => Made<T>,
  ): Record<string, T> =>
    Object.fromEntries(
      specs.flatMap(([name, of]) => {
        const { value, faults: own = [] } = collectFaults(() => make(name, of))
        faults.push(
          ...own.map(({ path, message }) => ({
            path: [placed(name), path].filter(Boolean).join('.'),
            message,
          })),
        )
        return value === undefined ? [] : [[name, value]]
      }),
    )
  const working = workingNodes(spec).filter(([, { use }]) => use !== 'human')
  const paths = pathsOf(spec)
  const workspace = workspaceAt(parts.workspace ?? '.')
  const graph = {
    machine: withToolsBelow(
      machineOfSpec(spec, parts.machine, watchParts(parts.own ?? {})),
      parts.below,
    ),
    tools: made(
      name => `tools.${name}`,
      Object.entries(spec.tools),
      (name, of) => toolOf({ name, spec: of, workspace, own: parts.tools?.[name] }),
    ),
    models: made(
      name => `models.${name}`,
      Object.entries(spec.models),
      (name, of) => modelOf(parts, name, of),
    ),
    nodes: made(
      name => paths.get(name) ?? name,
      working,
      (name, of) => nodeOf(spec, of, parts.nodes?.[name]),
    ),
    ...(parts.graphs ? { graphs: parts.graphs } : {}),
    ...versionsOf(parts.nodes ?? {}),
    source: spec as unknown as Json,
    spec,
  }
  faults.push(
    ...unknownNames(spec, parts),
    ...unboundStates(graph.machine, spec),
    ...wrongSubstitutes(graph.tools),
    ...partFaults(graph.machine.policy, graph.machine.parts),
  )
  if (faults.length > 0) throw new CannotBind(faults)
  return graph
}

function modelOf({ models = {}, model }: Parts, name: string, spec: ModelSpec): Made<Model> {
  const passed = models[name]
  // The model may be an object of a class: what the spec says is laid over it, its methods stay its own.
  const value = passed
    ? Object.assign(
        Object.create(passed) as Model,
        protectionOf(spec),
        defined({ price: spec.price }),
      )
    : model?.(name, spec)
  return value
    ? { value }
    : { faults: [{ path: '', message: 'has no implementation; pass it to bindGraph in models' }] }
}

/** Implementations under names that the spec lacks. */
function unknownNames(spec: Spec, parts: Parts): Fault[] {
  const known = {
    tools: Object.keys(spec.tools),
    models: Object.keys(spec.models),
    nodes: [...nodesOf(spec).keys()],
  }
  return (['tools', 'models', 'nodes'] as const).flatMap(kind =>
    Object.keys(parts[kind] ?? {})
      .filter(name => !known[kind].includes(name))
      .map(name => ({
        path: `${kind}.${name}`,
        message: `is not in the spec; ${nameHint(name, known[kind])}`,
      })),
  )
}

function versionsOf(
  nodes: Readonly<Record<string, CustomNode | undefined>>,
): Pick<Graph, 'versions'> {
  const declared = Object.entries(nodes).flatMap(([name, node]) =>
    node?.version === undefined ? [] : [`${name}@${node.version}`],
  )
  return declared.length > 0 ? { versions: { nodes: declared.join(' ') } } : {}
}

function withToolsBelow(machine: AgentMachine, below: readonly string[] = []): AgentMachine {
  return below.length === 0
    ? machine
    : { ...machine, hash: hash(canonical([machine.hash, ...below])) }
}

/** States of a statechart written by hand that invoke a node the spec lacks. */
function unboundStates({ chart }: AgentMachine, spec: Spec): Fault[] {
  const nodes = nodesOf(spec)
  const named = new Set(
    chart.states.flatMap(({ effects }) =>
      effects.flatMap(({ type, node }) => (type === 'invoke' ? [node] : [])),
    ),
  )
  return [...named]
    .filter(node => !nodes.has(node))
    .map(node => ({ path: `nodes.${node}`, message: 'is missing; the machine invokes it' }))
}

function collectFaults<T>(make: () => Made<T>): Made<T> {
  try {
    return make()
  } catch (error) {
    return { faults: [{ path: '', message: (error as Error).message }] }
  }
}
