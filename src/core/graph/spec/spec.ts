/** The schema of a graph as data: what most users write, diff, lint and draw. Its nodes with their places and edges. */
import { z } from 'zod'
import { mapFields } from '../../watch/data/json.ts'
import { METADATA } from '../../watch/policy/key.ts'
import { type Policy, completePolicy } from '../../watch/policy/policy.ts'
import { doc } from '../../watch/data/doc.ts'
import { module, name, nodeName } from './name.ts'
import { node, FINDING_EDGES } from './node.ts'
import type { AnyNode, FinalNode, RegionsNode, WorkingNode } from './node.ts'
import { policyShape, review } from './policy-schema.ts'
import { channel, customParts, model, notifier, tool } from './resource.ts'

/** The newest version of the notation this build understands. */
export const SPEC_VERSION = 1

const MISSING = `is missing; expected \`escapement: ${SPEC_VERSION}\` as the first line of a spec, the version of its notation`

const version = z.literal(SPEC_VERSION, {
  error: ({ input }) => (input === undefined ? MISSING : `expected the number ${SPEC_VERSION}`),
})

const graphFile = z.string().regex(/^\.\/.+\.(ya?ml|json)$/, 'expected ./file.yaml, or a graph')

const shape = z.strictObject({
  escapement: doc(version)`The version of the notation.`,
  id: doc(name)`The name of the graph: threads, breakers and scopes use it.`,
  description: doc(z.string().optional())`Its purpose, for people.`,
  start: doc(nodeName.optional())`The first node; required, except beside \`machine\`.`,
  machine: doc(module.optional())`A hand-written statechart that replaces start, edges and channels:
    the nodes only define the work.`,
  input: doc(z.array(name).default([]))`Channels, or keys of the context, that the input must
    give.`,
  channels: doc(z.record(name, channel).default({}))`The channels by name: the state of the graph.
    Only declared channels can be written.`,
  nodes: doc(z.record(nodeName, node))`The work, and the target of each outcome.`,
  tools: doc(z.record(name, tool).default({}))`The tools that nodes may call, by the names that
    models use.`,
  models: doc(z.record(name, model).default({}))`The models that nodes may call.`,
  parts: doc(customParts.optional())`Custom detectors and rungs, and a custom classifier.`,
  ...policyShape,
  notify: doc(z.array(notifier).max(16).optional())`How people learn of open questions.`,
  progress: doc(z.string().optional())`A number in CEL over the channels, or the keys of the
    context: a new maximum is progress.`,
  output: doc(z.array(name).optional())`The channels, or keys of the context, that form the result;
    default: all channels that do not append.`,
  accept: doc(z.array(z.string()).default([]))`Lint findings that are intended, as \`rule path\`.`,
})

/** A graph as data, all defaults filled in: the result of `loadSpec`, `readSpec` and `defineGraph`. */
export interface Spec extends z.infer<typeof shape> {
  readonly graphs: Readonly<Record<string, string | Spec>>
}

export const spec = doc(
  shape.extend({
    /** A getter, because a graph holds graphs. */
    get graphs(): z.ZodType<Spec['graphs']> {
      return doc(z.record(name, z.union([graphFile, spec])).default({}))`Graphs that \`use:
        graph\` and \`use: map\` run: a file beside this one, or the graph itself.`
    },
  }),
  'spec',
)`A graph of escapement`

/** A spec with \`extends: agent\`, as editors check it. `expandAgent` makes a graph of it. */
const agent = doc(
  shape.omit({ start: true, machine: true, nodes: true }).extend({
    models: doc(z.record(name, model))`The models that nodes may call.`,
    extends: doc(z.literal('agent'))`The nodes, edges and channels of a plan → act → observe → check
      agent. The other keys are those of a graph, except \`start\`, \`machine\` and \`nodes\`.`,
    instructions: doc(z.string().optional())`The system prompt.`,
    model: doc(name.optional())`The model that plans; default: the first of \`models\`.`,
    preamble: doc(z.union([z.string(), z.literal(false)]).optional())`Replaces the rules after the
      instructions; false drops them.`,
    history: doc(z.int().min(2).optional())`The most messages that the model receives, as
      \`history\` of a model node; default: 30.`,
    output: doc(z.record(z.string(), z.unknown()).optional())`The JSON Schema of a structured
      result; default: the text \`answer\`.`,
    review: doc(review.optional())`The same as \`escape.review\`: asks a person when the other
      ways out are spent.`,
  }),
  'agent',
)`An agent`

/** A spec as it is written. */
export type SpecInput = z.input<typeof spec>

/** The policy of a spec. Settings of a node or a tool override `detect.nodes` and `confirm`. */
export function policyOf(spec: Spec): Policy {
  const { id, tools, limits, detect } = spec
  const nodes = workingNodes(spec).flatMap(([name, { detect }]) => (detect ? [[name, detect]] : []))
  // A scope without a key is shared by the threads of its graph.
  const scopes = mapFields(limits.scopes ?? {}, scope => ({ ...scope, key: scope.key ?? id }))
  return completePolicy({
    ...spec,
    confirm: { ...spec.confirm, ...mapFields(tools, ({ confirm }) => confirm) },
    limits: limits.scopes ? { ...limits, scopes } : limits,
    detect: { ...detect, nodes: { ...detect.nodes, ...Object.fromEntries(nodes) } },
  })
}

/** The `smarter` model of `model`, unless it is the same model behind the same endpoint. */
export function smarterModel({ models }: Spec, model: string): string | undefined {
  const { smarter, id, baseURL } = models[model] ?? {}
  const other = smarter === undefined ? undefined : models[smarter]
  return other && (other.id !== id || other.baseURL !== baseURL) ? smarter : undefined
}

/** The nodes where a smarter model can rethink. */
export function rethinkNodes(of: Spec): readonly string[] {
  return workingNodes(of).flatMap(([name, node]) => {
    const model = ofKind(node, 'model')?.model
    return model !== undefined && smarterModel(of, model) !== undefined ? [name] : []
  })
}

/** The model of a node and its substitutes; empty if the node is not a model node. */
export function modelsOf({ models }: Spec, node: WorkingNode | undefined): readonly string[] {
  const model = ofKind(node, 'model')?.model
  return model === undefined ? [] : [model, ...substitutesOf(models, model)]
}

/** The tools that models and custom nodes may call by their names. */
export function offeredTools(of: Spec): ReadonlySet<string> {
  const nodes = workingNodes(of).map(([, node]) => node)
  return new Set(nodes.flatMap(node => ('tools' in node ? (node.tools ?? []) : [])))
}

/** Tools or models. */
export type WithSubstitutes = Readonly<
  Record<string, { readonly substitutes?: readonly string[] | undefined }>
>

/** The substitutes of a tool or model, nearest first: its own in their order, then theirs. */
export function substitutesOf(all: WithSubstitutes, name: string): readonly string[] {
  const names = new Set([name])
  // A set is iterated in insertion order, including names that are added meanwhile.
  for (const one of names)
    for (const next of (Object.hasOwn(all, one) ? all[one]?.substitutes : undefined) ?? [])
      names.add(next)
  return [...names].slice(1)
}

/** The graphs that stand inside a spec, by their names. */
export function inlineGraphs({ graphs }: Spec): readonly (readonly [name: string, graph: Spec])[] {
  return Object.entries(graphs).filter(
    (entry): entry is [string, Spec] => typeof entry[1] !== 'string',
  )
}

/**
 * The JSON Schema of the notation, for editors.
 * @example writeFileSync('graph.schema.json', JSON.stringify(specJsonSchema()))
 */
export function specJsonSchema(): Record<string, unknown> {
  return {
    $id: 'https://escapement.dev/schema/graph-1.json',
    ...z.toJSONSchema(z.union([spec, agent]), {
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const { default: by } = METADATA.get(zodSchema) ?? {}
        if (by !== undefined) jsonSchema.default = by as typeof jsonSchema.default
      },
    }),
  }
}

/** Nodes that may lead to one another: those of the graph itself, or those of one region. */
export interface Area {
  /** The id of the region, `<node>.<region>`; `''` for the graph itself. */
  readonly region: string
  /** The place of its nodes in the spec: `nodes`, or `nodes.handle.regions.inform.nodes`. */
  readonly path: string
  readonly start?: string | undefined
  readonly nodes: Readonly<Record<string, AnyNode>>
}

type Nodes = Pick<Area, 'start' | 'nodes'>

export const isFinal = (node: AnyNode): node is FinalNode => 'final' in node
export const isRegions = (node: AnyNode): node is RegionsNode => 'regions' in node

export function regionsOf(name: string, { regions }: RegionsNode): readonly Area[] {
  return Object.entries(regions).map(([key, region]) => {
    return { region: `${name}.${key}`, path: `nodes.${name}.regions.${key}.nodes`, ...region }
  })
}

/** The graph itself, and every region in it. */
export function areasOf({ start, nodes }: Nodes): readonly [Area, ...Area[]] {
  const inner = ([name, node]: readonly [string, AnyNode]) =>
    isRegions(node) ? regionsOf(name, node) : []
  return [{ region: '', path: 'nodes', start, nodes }, ...Object.entries(nodes).flatMap(inner)]
}

/** Every node by its name: names are unique in the whole spec. */
export const nodesOf = (spec: Nodes): ReadonlyMap<string, AnyNode> =>
  new Map(areasOf(spec).flatMap(({ nodes }) => Object.entries(nodes)))

/** The path of every node, as `nodes.B` or `nodes.handle.regions.inform.nodes.B`. */
export function pathsOf(spec: Nodes): ReadonlyMap<string, string> {
  const pathsIn = ({ path, nodes }: Area) =>
    Object.keys(nodes).map(name => [name, `${path}.${name}`] as const)
  return new Map(areasOf(spec).flatMap(pathsIn))
}

/** The nodes that perform work, by their names. */
export function workingNodes(spec: Nodes): readonly (readonly [name: string, node: WorkingNode])[] {
  return [...nodesOf(spec)].filter(
    (entry): entry is [string, WorkingNode] => !isFinal(entry[1]) && !isRegions(entry[1]),
  )
}

/** The working nodes that the program performs. The others ask a person. */
export const performedNodes = (spec: Nodes): ReturnType<typeof workingNodes> =>
  workingNodes(spec).filter(([, { use }]) => use !== 'human')

/** The node, if it is of this built-in kind. The `use` of a custom node is any string, hence the cast. */
export const ofKind = <K extends string>(node: WorkingNode | undefined, use: K) =>
  node?.use === use ? (node as Extract<WorkingNode, { use: K }>) : undefined

/** The target of each outcome. A final node has none, and neither has a node beside a `machine`. */
export const targetsOf = (node: AnyNode): Readonly<Partial<Record<string, string>>> =>
  isFinal(node) ? {} : (node.on ?? {})

export function outcomeEdges(node: AnyNode): readonly (readonly [outcome: string, to: string])[] {
  return Object.entries(targetsOf(node)).filter(
    (edge): edge is [string, string] => edge[1] !== undefined,
  )
}

/** Whether no outcome of the work takes this edge, only the `alternative` rung. */
export const isFindingEdge = (outcome: string): boolean =>
  (FINDING_EDGES as readonly string[]).includes(outcome)

/** The target of the edge for a kind of finding, if the state names one. */
export function namedIn(spec: Nodes): (state: string, kind: string) => readonly string[] {
  const targets = new Map<string, ReturnType<typeof targetsOf>>(
    areasOf(spec).flatMap(({ region, nodes }) => {
      // A limit concerns the whole thread: inside a region the edge `budget` of the set applies.
      const set = spec.nodes[region.split('.')[0] ?? '']
      const around = set && { budget: targetsOf(set).budget }
      return Object.entries(nodes).flatMap(([name, node]) =>
        isRegions(node) ? [] : [[name, { ...targetsOf(node), ...around }] as const],
      )
    }),
  )
  return (state, kind) => {
    const target = isFindingEdge(kind) ? targets.get(state)?.[kind] : undefined
    return target === undefined ? [] : [target]
  }
}

/** The targets of the edges of a node that its own work can take, without final nodes. */
export function continuationsIn(spec: Nodes): (state: string) => readonly string[] {
  const going = new Map([...nodesOf(spec)].filter(([, node]) => !isFinal(node)))
  return state => {
    const node = going.get(state)
    const edges = node ? outcomeEdges(node) : []
    return edges.flatMap(([outcome, to]) => (!isFindingEdge(outcome) && going.has(to) ? to : []))
  }
}

export function channelsWrittenBy(out: WorkingNode['out']): readonly string[] {
  if (out === undefined) return []
  if (typeof out === 'string') return [out]
  return Array.isArray(out) ? out : Object.keys(out)
}
