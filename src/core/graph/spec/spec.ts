/** The schema of a graph as data: what most users write, diff, lint and draw. */
import { z } from 'zod'
import { channel } from './channel.ts'
import { name, nodeName, module } from './name.ts'
import { customNode, finalNode, type NodeSpec, type WorkingNode, workingNode } from './node.ts'
import { notifier } from './notify.ts'
import { kindsDefined, policyShape } from './policy-schema.ts'
import { areasOf, isRegions, type RegionsNode, regionsNode } from './region.ts'
import { customParts } from './custom-parts.ts'
import { model, tool } from './resource.ts'

/** The newest version of the notation this build understands. */
export const SPEC_VERSION = 1

const MISSING = `is missing; expected \`escapement: ${SPEC_VERSION}\` as the first line of a spec, the version of its notation`

const node = z
  .union([workingNode, customNode, finalNode, regionsNode])
  .meta({ id: 'node', description: 'A node: somebody who works, an end, or a set of regions.' })

const graphFile = z.string().regex(/^\.\/.+\.(ya?ml|json)$/, 'expected ./file.yaml, or a graph')

const ownShape = z.strictObject({
  escapement: z
    .literal(SPEC_VERSION, {
      error: ({ input }) => (input === undefined ? MISSING : `expected the number ${SPEC_VERSION}`),
    })
    .describe('The version of the notation.'),
  id: name.describe('The name of the graph: threads, breakers and scopes go by it.'),
  description: z.string().optional().describe('What it is for; read by people only.'),
  start: nodeName
    .optional()
    .describe('The node it begins with; required, except beside `machine`.'),
  machine: module
    .optional()
    .describe(
      'A statechart written by hand, in place of start, edges and channels: the nodes only say who works.',
    ),
  input: z
    .array(name)
    .default([])
    .describe('Channels, or keys of the context, that the input must give.'),
  channels: z
    .record(name, channel)
    .default({})
    .describe(
      'What the graph knows, by the names of the channels; only what is declared can be written.',
    ),
  nodes: z.record(nodeName, node).describe('Who works, and where each outcome leads.'),
  tools: z
    .record(name, tool)
    .default({})
    .describe('The tools that nodes may call, by the names models know them by.'),
  models: z.record(name, model).default({}).describe('The models that nodes may ask.'),
  parts: customParts.optional().describe('Detectors, rungs and a classifier of your own.'),
  ...policyShape,
  notify: z.array(notifier).max(16).optional().describe('How people are told of open questions.'),
  progress: z
    .string()
    .optional()
    .describe(
      'A number in CEL over the channels, or the keys of the context: a new maximum is progress.',
    ),
  output: z
    .array(name)
    .optional()
    .describe(
      'Channels that are the result, or keys of the context; if absent, all that do not append.',
    ),
  accept: z
    .array(z.string())
    .default([])
    .describe('Findings of lint that are meant so, as `rule path`.'),
})

/** A graph as data, all defaults filled in: what `loadSpec`, `readSpec` and `defineGraph` give. */
export interface Spec extends z.infer<typeof ownShape> {
  readonly graphs: Readonly<Record<string, string | Spec>>
}

export const spec = ownShape
  .extend({
    /** Read late: a graph holds graphs. */
    get graphs(): z.ZodType<Spec['graphs']> {
      return z
        .record(name, z.union([graphFile, spec]))
        .default({})
        .describe(
          'Graphs that `use: graph` and `use: map` run: a file beside this one, or the graph itself.',
        )
    },
  })
  .describe('A graph of escapement')

/** A spec as it is written. */
export type SpecInput = z.input<typeof spec>

export function isFinal(node: NodeSpec | RegionsNode): node is z.infer<typeof finalNode> {
  return 'final' in node
}

function isWorking(node: NodeSpec | RegionsNode): node is WorkingNode {
  return !isFinal(node) && !isRegions(node)
}

/** Every node of the spec, those in regions included, by its name: names are unique in the whole spec. */
export function nodesOf(
  spec: Pick<Spec, 'start' | 'nodes'>,
): ReadonlyMap<string, NodeSpec | RegionsNode> {
  return new Map(areasOf(spec).flatMap(({ nodes }) => Object.entries(nodes)))
}

/** Where every node stands in the spec, as `nodes.B` or `nodes.handle.regions.inform.nodes.B`. */
export function pathsOf(spec: Pick<Spec, 'start' | 'nodes'>): ReadonlyMap<string, string> {
  return new Map(
    areasOf(spec).flatMap(({ path, nodes }) =>
      Object.keys(nodes).map(name => [name, `${path}.${name}`] as const),
    ),
  )
}

/** The nodes that somebody works in, those in regions included, by their names. */
export function workingNodes(
  spec: Pick<Spec, 'start' | 'nodes'>,
): readonly (readonly [name: string, node: WorkingNode])[] {
  return [...nodesOf(spec)].filter((entry): entry is [string, WorkingNode] => isWorking(entry[1]))
}

/** The model that thinks again for `model`; `undefined` if there is none, or it is the same behind the same endpoint. */
export function smarterModel({ models }: Spec, model: string): string | undefined {
  const { smarter, id, baseURL } = models[model] ?? {}
  const other = smarter === undefined ? undefined : models[smarter]
  return other && (other.id !== id || other.baseURL !== baseURL) ? smarter : undefined
}

/** The nodes in which a smarter model can think again. */
export function rethinkNodes(of: Spec): readonly string[] {
  return workingNodes(of).flatMap(([name, node]) =>
    node.use === 'model' && smarterModel(of, (node as { model: string }).model) !== undefined
      ? [name]
      : [],
  )
}

/** The tools that any node may ask for by their names. */
export function offeredTools(of: Spec): ReadonlySet<string> {
  return new Set(
    workingNodes(of).flatMap(([, node]) => ('tools' in node ? (node.tools ?? []) : [])),
  )
}

/** The graphs that stand inside a spec, by their names. */
export function inlineGraphs({ graphs }: Spec): readonly (readonly [name: string, graph: Spec])[] {
  return Object.entries(graphs).filter(
    (entry): entry is [string, Spec] => typeof entry[1] !== 'string',
  )
}

/**
 * The JSON Schema of the notation, for editors.
 *
 * @example writeFileSync('graph.schema.json', JSON.stringify(specJsonSchema()))
 */
export function specJsonSchema(): Record<string, unknown> {
  return {
    $id: 'https://escapement.dev/schema/graph-1.json',
    ...kindsDefined(override =>
      z.toJSONSchema(spec, { io: 'input', unrepresentable: 'any', override }),
    ),
  }
}
