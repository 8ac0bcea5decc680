/** The graphs that a program gives its runtime: their check, and the binding of those that are specs. */
import type { Spec } from '../../core/graph/spec/spec.ts'
import { kindOf } from '../../core/watch/data/fault.ts'
import { isMap } from '../../core/watch/data/json.ts'
import { bindGraph } from '../../kit/bind/bind.ts'
import type { CustomTool } from '../../kit/bind/bind-tool.ts'
import type { Graph } from '../../runtime/ports.ts'
import { type AnyModel, modelFrom } from './model-from.ts'

/** The options of `createRuntime` about its graphs. */
export interface GivenGraphs<Held extends Graph | Spec = Graph | Spec> {
  /** The graphs of its threads. Can contain two versions of one graph. A spec is bound to `models` and `tools`. */
  readonly graphs: readonly Held[]
  /** Models by the names that the specs among `graphs` use. */
  readonly models?: Readonly<Record<string, AnyModel>>
  /** Tools by the names that the specs among `graphs` use. */
  readonly tools?: Readonly<Record<string, CustomTool>>
  /** The folder that confines the workspace tools of specs. Default: the current folder. */
  readonly workspace?: string
}

/** @throws TypeError with the place of what is not a graph */
export function boundGraphs(options: GivenGraphs): Graph[] {
  const { graphs } = options
  if (!Array.isArray(graphs))
    throw new TypeError(`graphs: expected a list of graphs, received ${nameOf(graphs)}`)
  return graphs.map((graph: Graph | Spec, index) => {
    if (!isGraph(graph) && !isSpec(graph)) throw new TypeError(`graphs.${index}: ${noGraph(graph)}`)
    return bindSpec(graph, options)
  })
}

export const isGraph = (value: unknown): value is Graph => isMap(value) && isMap(value.machine)

/** The maps that a spec has once it is read. A file that is only parsed may leave most of them out. */
const MAPS = ['nodes', 'channels', 'tools', 'models', 'graphs'] as const satisfies (keyof Spec)[]

const isSpec = (value: unknown): value is Spec =>
  isMap(value) && MAPS.every(key => isMap(value[key]))

/** What to say of a value that is not a graph. */
export function noGraph(value: unknown): string {
  if (value instanceof Promise)
    return 'is a promise; await the graph, as in `await loadGraph(file)`'
  return `expected a graph, such as what defineGraph or loadGraph returns; received ${nameOf(value)}`
}

const nameOf = (value: unknown): string =>
  typeof value === 'string' ? `the text '${value.slice(0, 40)}'` : kindOf(value)

function bindSpec(graph: Graph | Spec, options: GivenGraphs): Graph {
  if (isGraph(graph)) return graph
  const { models = {}, tools = {}, workspace = '.' } = options
  const spec = graph as Spec
  const inSpec = Object.entries(tools).filter(([name]) => Object.hasOwn(spec.tools, name))
  return bindGraph(spec, {
    workspace,
    tools: Object.fromEntries(inSpec),
    model: name => {
      if (!Object.hasOwn(models, name)) throw new Error('is missing; pass it in `models`')
      return modelFrom(models[name] as AnyModel)
    },
  })
}
