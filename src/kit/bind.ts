/** Puts a spec's machine and its workers together. */
import type { AnyStateMachine } from 'xstate'
import { type AgentMachine, machineOfSpec } from '../core/graph/agent-machine.ts'
import { defined } from '../core/graph/spec/defined.ts'
import { type Fault, listNames } from '../core/graph/spec/fault.ts'
import { partFaults } from '../core/graph/spec/custom-parts.ts'
import type { WorkingNode } from '../core/graph/spec/node.ts'
import type { ModelSpec, ToolSpec } from '../core/graph/spec/resource.ts'
import { nodesOf, offeredTools, pathsOf, type Spec, workingNodes } from '../core/graph/spec/spec.ts'
import type { Json } from '../core/watch/json.ts'
import { type CustomParts, watchParts } from '../core/watch/parts.ts'
import { canonical, hash } from '../core/watch/signature.ts'
import type { Graph, Model, Node, Tool } from '../runtime/ports.ts'
import { protectionOf } from './protection.ts'
import type { CustomNode } from './node.ts'
import { graphNode } from './nodes/graph.ts'
import { mapNode, type MapNodeOptions } from './nodes/map.ts'
import { modelNode } from './nodes/model.ts'
import { pass } from './nodes/pass.ts'
import { toolNode } from './nodes/tool.ts'
import { toolsNode } from './nodes/tools.ts'
import { COMPLETES, type Made, builtinTool } from './builtins.ts'
import { type Workspace, workspaceAt } from './workspace.ts'

/** A tool of one's own, or what makes it from its `with:` in the spec. */
export type CustomTool = Tool | ((settings: Json) => Tool)

export interface Parts {
  /** The folder that the workspace tools are confined to. */
  readonly workspace: string
  /** Makes a model; asked once for each that the spec names. What it throws is a fault of the spec. */
  readonly model: (name: string, spec: ModelSpec) => Model
  /** For nodes with `use: ./file.ts#export`, by the node's name. */
  readonly nodes?: Readonly<Record<string, CustomNode>>
  /** For tools with `use: ./file.ts#export`, by the tool's name. */
  readonly tools?: Readonly<Record<string, CustomTool>>
  /** The graphs that nodes run, by their names in the spec. */
  readonly graphs?: Readonly<Record<string, Graph>>
  /** The hashes of the specs of all graphs that may be run, at any depth: another graph below makes another graph. */
  readonly below?: readonly string[]
  /** For `parts`. */
  readonly own?: CustomParts
  /** For `machine: ./file.ts#export`. */
  readonly machine?: AnyStateMachine
}

/** The spec is sound in itself, but not with what is there to work for it. */
export class CannotBind extends Error {
  override readonly name = 'CannotBind'
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
    this.faults = faults
  }
}

export function isCannotBind(error: unknown): error is CannotBind {
  return error instanceof CannotBind
}

/** @throws CannotBind naming everything that is missing or does not fit. */
export function bindGraph(spec: Spec, parts: Parts): Graph {
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
  const workspace = workspaceAt(parts.workspace)
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
      (name, of) => ({ value: parts.model(name, of) }),
    ),
    nodes: made(
      name => paths.get(name) ?? name,
      working,
      (name, of) => nodeOf(spec, of, parts.nodes?.[name]),
    ),
    ...(parts.graphs ? { graphs: parts.graphs } : {}),
    ...versionsOf(parts.nodes ?? {}),
    source: spec as unknown as Json,
  }
  faults.push(
    ...unboundStates(graph.machine, spec),
    ...wrongSubstitutes(graph.tools),
    ...partFaults(graph.machine.policy, graph.machine.parts),
  )
  if (faults.length > 0) throw new CannotBind(faults)
  return graph
}

function versionsOf(nodes: Readonly<Record<string, CustomNode>>): Pick<Graph, 'versions'> {
  const declared = Object.entries(nodes).flatMap(([name, { version }]) =>
    version === undefined ? [] : [`${name}@${version}`],
  )
  return declared.length > 0 ? { versions: { nodes: declared.join(' ') } } : {}
}

function withToolsBelow(machine: AgentMachine, below: readonly string[] = []): AgentMachine {
  return below.length === 0
    ? machine
    : { ...machine, hash: hash(canonical([machine.hash, ...below])) }
}

/** States of a statechart written by hand whose work nobody was named for. */
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

/** Who stands in for a read must not write, and where a write was wanted a read is none. */
function wrongSubstitutes(tools: Graph['tools']): Fault[] {
  const does = { read: 'reads', write: 'writes' } as const
  return Object.entries(tools).flatMap(([name, { effects, substitutes = [] }]) =>
    substitutes.flatMap(other => {
      const its = tools[other]?.effects ?? effects
      return its === effects
        ? []
        : [
            {
              path: `tools.${name}.substitutes`,
              message: `'${other}' ${does[its]}, and '${name}' ${does[effects]}: expected a tool with the same effects`,
            },
          ]
    }),
  )
}

function collectFaults<T>(make: () => Made<T>): Made<T> {
  try {
    return make()
  } catch (error) {
    return { faults: [{ path: '', message: (error as Error).message }] }
  }
}

interface ToolParts {
  readonly name: string
  readonly spec: ToolSpec
  readonly workspace: Workspace
  readonly own: CustomTool | undefined
}

function toolOf({ name, spec, workspace, own }: ToolParts): Made<Tool> {
  const settings = (spec.with ?? {}) as Json
  const made: Made<Tool> = !spec.use.startsWith('./')
    ? builtinTool(spec.use, { workspace, settings })
    : own
      ? { value: typeof own === 'function' ? own(settings) : own }
      : notLoaded(spec.use)
  if (!made.value) return made
  if (!isTool(made.value))
    return {
      faults: [
        {
          path: 'use',
          message: `'${spec.use}' is no tool; expected what tool({ … }) returns, or a function that returns it`,
        },
      ],
    }
  const { description, effects, idempotent, reversible } = spec
  const said = {
    description,
    effects,
    reversible,
    idempotent:
      idempotent ??
      (effects === undefined || effects === made.value.effects ? undefined : effects === 'read'),
  }
  // The tool may be an object of a class: what the spec says is laid over it, its methods stay its own.
  return {
    value: Object.assign(
      Object.create(made.value) as Tool,
      defined(said) as Partial<Tool>,
      protectionOf(spec),
      { name },
    ),
  }
}

function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null) return false
  const { execute: run, parse, parameters, effects } = value as Partial<Tool>
  return (
    typeof run === 'function' &&
    typeof parse === 'function' &&
    typeof parameters === 'object' &&
    (effects === 'read' || effects === 'write')
  )
}

function nodeOf(spec: Spec, node: WorkingNode, own: CustomNode | undefined): Made<Node> {
  // What a pass or a tool is given stands in the journal at every step: never the whole context because nobody said `in`.
  const nothing = node.in === undefined
  switch (node.use) {
    case 'pass':
      return { value: nothing ? async () => ({}) : pass }
    case 'tool': {
      const { tool, args = nothing ? {} : undefined } = node as Extract<
        WorkingNode,
        { use: 'tool' }
      >
      return { value: toolNode(tool, args as Json | undefined) }
    }
    case 'graph':
      // As for a tool: its input stands in two journals.
      return { value: graphNode((node as { graph: string }).graph, nothing) }
    case 'map':
      return { value: mapNode({ ...(node as Omit<MapNodeOptions, 'alone'>), alone: nothing }) }
    case 'tools':
      return {
        value: toolsNode({ allowed: offeredTools(spec), completing: completingTools(spec) }),
      }
    case 'model':
      return { value: modelNodeOf(spec, node as Extract<WorkingNode, { use: 'model' }>) }
    default: {
      const settings = ('with' in node ? node.with : null) as Json
      if (!own) return notLoaded(node.use)
      const faults = unknownUses(spec, own)
      return faults.length > 0 ? { faults } : { value: task => own(task, settings) }
    }
  }
}

/** What a node says it calls and the spec lacks. */
function unknownUses({ tools, models, graphs }: Spec, { uses }: CustomNode): Fault[] {
  if (!uses) return []
  const missing = (kind: string, names: readonly string[], known: object) =>
    names.flatMap(name =>
      Object.hasOwn(known, name)
        ? []
        : [
            {
              path: 'use',
              message: `calls the ${kind} '${name}', which the graph lacks; expected one of: ${listNames(Object.keys(known)) || '(none)'}`,
            },
          ],
    )
  return [
    ...missing('tool', Object.keys(uses.tools), tools),
    ...missing('model', uses.models, models),
    ...missing('graph', Object.keys(uses.graphs), graphs),
  ]
}

function modelNodeOf(
  spec: Spec,
  {
    model,
    prompt,
    tools = [],
    command,
    history,
    in: input = [],
  }: Extract<WorkingNode, { use: 'model' }>,
): Node {
  const completing = completingTools(spec)
  const names = Array.isArray(input) ? input : Object.keys(input)
  return modelNode({
    model,
    prompt,
    tools,
    completes: tools.find(name => completing.has(name)),
    command,
    history,
    others: names.filter(name => name !== 'goal' && name !== 'messages'),
  })
}

function completingTools(spec: Spec): ReadonlySet<string> {
  return new Set(
    Object.entries(spec.tools).flatMap(([name, { use }]) => (use === COMPLETES ? [name] : [])),
  )
}

function notLoaded(use: string): Made<never> {
  return { faults: [{ path: 'use', message: `'${use}' was not loaded` }] }
}
