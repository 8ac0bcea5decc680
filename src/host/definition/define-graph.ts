/** Graphs in TypeScript: the spec and its implementations in one typed object. */
import { openaiModel } from '../../adapters/model/langchain/openai-model.ts'
import { depthFault } from '../../core/watch/data/depth-fault.ts'
import { kindOf } from '../../core/watch/data/fault.ts'
import { type Json, defined, isMap } from '../../core/watch/data/json.ts'
import type { Fault } from '../../core/watch/data/schema-faults.ts'
import { moneyLimits } from '../../core/watch/policy/money-limits.ts'
import { CODE } from '../../core/graph/spec/name.ts'
import { InvalidSpec, parseSpec } from '../../core/graph/spec/read.ts'
import type { ModelInput } from '../../core/graph/spec/resource.ts'
import { type Spec, SPEC_VERSION } from '../../core/graph/spec/spec.ts'
import { bindGraph, type SpecGraph } from '../../kit/bind/bind.ts'
import { isTool } from '../../kit/bind/bind-tool.ts'
import type { CustomNode } from '../../kit/nodes/node.ts'
import { isStandardSchema, jsonSchemaOf, parserOf } from '../../kit/schema.ts'
import type { JsonSchema, Schema } from '../../kit/schema.ts'
import type { Graph, Model } from '../../runtime/ports.ts'
import type { AnyDefinition, ChannelDefinition, ChannelsDefinition } from './graph-definition.ts'
import type { ChannelsIn, GraphDefinition, InputIn, ModelDefinition } from './graph-definition.ts'
import type { ModelWith, OutputIn, ToolDefinition } from './graph-definition.ts'
import { isAnyModel, modelFrom, UnknownModel } from './model-from.ts'

/**
 * Defines a graph with its implementations. A wrong name or input is a compile error.
 * @throws InvalidSpec, CannotBind
 * @example
 * const shop = defineGraph({
 *   id: 'shop',
 *   start: 'check',
 *   input: z.object({ article: z.string() }),
 *   output: z.object({ left: z.number() }),
 *   nodes: {
 *     check: { use: node({ tools: { stock } }, async ({ input, call }) => call.stock({ article: String(input.article) })), in: ['article'], out: ['left'], on: { done: 'end' } },
 *     end: { final: 'success' },
 *   },
 * })
 */
export function defineGraph<
  const U extends Record<string, unknown>,
  const T extends Readonly<Record<string, ToolDefinition>> = Readonly<Record<never, never>>,
  const M extends Readonly<Record<string, ModelDefinition>> = Readonly<Record<never, never>>,
  const G extends Readonly<Record<string, SpecGraph>> = Readonly<Record<never, never>>,
  const C extends Readonly<Record<string, ChannelDefinition>> = Readonly<Record<never, never>>,
  const I extends ChannelsDefinition = ChannelsDefinition,
  const O extends ChannelsDefinition = ChannelsDefinition,
>(definition: GraphDefinition<U, T, M, G, C, I, O>): GraphIn<C, I, O> {
  return graphOf(definition as unknown as AnyDefinition) as GraphIn<C, I, O>
}

type GraphIn<C, I, O> = SpecGraph<InputIn<I, C>, OutputIn<O, C>, ChannelsIn<C, I, O>>

/** `defineGraph` without the types. */
export function graphOf(definition: AnyDefinition): SpecGraph {
  if (!isMap(definition)) throw invalid('', NO_DEFINITION)
  checkMaps(definition)
  // Before the custom nodes are searched, also those in regions.
  const deep = depthFault({ nodes: definition.nodes })
  if (deep) throw invalid(deep.path, deep.message)
  const { models = {}, channels = {}, input, output, parts, machine, migrate, ...rest } = definition
  const nodes = customNodes(definition.nodes)
  const tools = withUsed(definition.tools, nodes, 'tools')
  const graphs = withUsed(definition.graphs, nodes, 'graphs')
  const spec = parseSpec({
    escapement: SPEC_VERSION,
    ...rest,
    nodes: nodeData(definition.nodes),
    tools: mapValues(tools, toolData),
    models: mapValues(models, modelData),
    graphs: mapValues(graphs, graphData),
    channels: {
      ...channelsOf(output, 'output'),
      ...channelsOf(input, 'input'),
      ...mapValues(channels, (channel, name) => channelData(channel, `channels.${name}`)),
    },
    ...defined({
      input: input && inputNames(input),
      output: output && outputNames(output),
      parts: parts && partsData(parts),
      machine: machine && CODE,
    }),
  } as unknown)
  checkPrices(spec)
  const bound = bindGraph(spec, {
    nodes,
    tools: defined(mapValues(tools, value => (isTool(value) ? value : undefined))),
    models: defined(mapValues(models, modelValue)),
    model: (_, of) => openaiModel(of, process.env),
    graphs,
    ...defined({ own: parts, machine }),
  })
  const graph = { ...bound, ...defined({ migrate }) }
  return input && isStandardSchema(input) ? withInputCheck(graph, input) : graph
}

/** A spec in a file gets a finding of `lint` instead, because a program that runs it may pass models with a price. */
function checkPrices({ limits, models, graphs, accept }: Spec): void {
  const all = Object.entries(models)
  const [first] = all.find(([, { price }]) => price === undefined) ?? []
  const isPriced = all.some(([, { price }]) => price !== undefined)
  // A graph that runs as a node may have models with a price.
  if (first === undefined || isPriced || Object.keys(graphs).length > 0) return
  const message = `has no effect, because the model '${first}' has no price: pass modelFrom(model, { price: { input, output } }), in US dollars per million tokens`
  const faults = moneyLimits(limits)
    .filter(path => !accept.includes(`unused ${path}`))
    .map(path => ({ path, message, code: 'unsound' as const }))
  if (faults.length > 0) throw new InvalidSpec(faults)
}

const NO_DEFINITION =
  'expected the definition of a graph, such as { id, start, nodes }; `loadGraph` reads the spec in a file'

/** `parseSpec` checks the rest. */
function checkMaps(definition: AnyDefinition): void {
  const { channels, tools, models, graphs } = definition
  const faults = Object.entries(defined({ channels, tools, models, graphs }))
    .filter(([, value]) => !isMap(value))
    .map(([path, value]) => {
      const message = `expected a map, received ${kindOf(value)}`
      return { path, message, code: 'invalid-shape' as const }
    })
  if (faults.length > 0) throw new InvalidSpec(faults)
}

/** The custom nodes by name, including those in regions. `parseSpec` reports what is not a map. */
function customNodes(nodes: unknown): Record<string, CustomNode> {
  const entries = mapsIn(nodes).flatMap(([name, { use, regions }]) =>
    typeof use === 'function'
      ? [[name, use as CustomNode] as const]
      : mapsIn(regions).flatMap(([, region]) => Object.entries(customNodes(region.nodes))),
  )
  return Object.fromEntries(entries)
}

const mapsIn = (value: unknown): (readonly [string, Readonly<Record<string, unknown>>])[] =>
  isMap(value)
    ? Object.entries(value).flatMap(([name, of]) => (isMap(of) ? [[name, of] as const] : []))
    : []

function nodeData(nodes: unknown): unknown {
  if (!isMap(nodes)) return nodes
  return mapValues(nodes, node => {
    if (!isMap(node)) return node
    const { use, regions } = node
    if (isMap(regions))
      return {
        ...node,
        regions: mapValues(regions, of => (isMap(of) ? { ...of, nodes: nodeData(of.nodes) } : of)),
      }
    if (typeof use !== 'function') return node
    const tools = Object.keys((use as CustomNode).uses?.tools ?? {})
    return { ...(tools.length > 0 && { tools }), ...node, use: CODE }
  })
}

/** The tools or graphs that the graph declares and its nodes use. Two values under one name are a fault. */
function withUsed<T>(
  own: Readonly<Record<string, T>> = {},
  nodes: Readonly<Record<string, CustomNode>>,
  kind: 'tools' | 'graphs',
): Record<string, T> {
  const all: Record<string, unknown> = { ...own }
  const faults = Object.entries(nodes).flatMap(([node, { uses }]) =>
    Object.entries(defined(uses?.[kind] ?? {})).flatMap(([name, value]) => {
      const known = all[name] ?? value
      all[name] = known
      const message = `brings another '${name}' than the graph has`
      return known === value ? [] : [{ path: `nodes.${node}`, message, code: 'unsound' as const }]
    }),
  )
  if (faults.length > 0) throw new InvalidSpec(faults)
  return all as Record<string, T>
}

function toolData(value: ToolDefinition): object {
  if (!isTool(value)) return value
  const { effects, idempotent, reversible, retry, breaker, concurrency, substitutes } = value
  const data = { effects, idempotent, reversible, retry, breaker, concurrency, substitutes }
  return { use: CODE, ...defined(data) }
}

function graphData(graph: Graph, name: string): Spec {
  if ('spec' in graph) return graph.spec as Spec
  const expected = 'expected what defineGraph, createAgent or bindGraph returns'
  throw invalid(`graphs.${name}`, `has no spec; ${expected}`)
}

function modelData(value: ModelDefinition): object {
  const settings = modelSettings(value)
  if (!('model' in settings)) return settings
  const { model, ...rest } = settings
  const { id, price } = modelFrom(model)
  return { id, ...defined({ price }), ...rest }
}

function modelValue(value: ModelDefinition): Model | undefined {
  const settings = modelSettings(value)
  return 'model' in settings ? modelFrom(settings.model, defined({ id: settings.id })) : undefined
}

/** A model with its settings, or an endpoint as data. @throws UnknownModel */
export function modelSettings(value: ModelDefinition): ModelWith | ModelInput {
  if (isAnyModel(value)) return { model: value }
  if (isMap(value) && ('model' in value || 'id' in value)) return value
  throw new UnknownModel(value)
}

function partsData({ detectors, rungs, classifier }: NonNullable<AnyDefinition['parts']>): object {
  return defined({
    detectors: detectors?.map(() => CODE),
    rungs: rungs?.map(() => CODE),
    classifier: classifier && CODE,
  })
}

function channelData(channel: ChannelDefinition, path: string): object {
  if (isStandardSchema(channel)) return jsonSchema(channel, path)
  if (!('schema' in channel)) return channel
  const { schema, ...rest } = channel
  return { ...jsonSchema(schema as Schema, path), ...rest }
}

/** A channel for each property of an object schema. */
function channelsOf(of: ChannelsDefinition | undefined, path: string): object {
  if (of === undefined || isNames(of)) return {}
  const { properties = {}, $defs } = objectSchema(of, path)
  return mapValues(properties as Record<string, object>, property => {
    return { ...property, ...defined({ $defs }) }
  })
}

const inputNames = (of: ChannelsDefinition): Json =>
  isNames(of) ? of : (objectSchema(of, 'input').required ?? [])

const outputNames = (of: ChannelsDefinition): Json =>
  isNames(of) ? of : Object.keys(objectSchema(of, 'output').properties as object)

const isNames = (of: ChannelsDefinition): of is readonly string[] => Array.isArray(of)

function objectSchema(of: Schema, path: string): JsonSchema {
  const json = jsonSchema(of, path)
  if (json.type === 'object' && json.properties) return json
  throw invalid(path, 'expected the schema of an object, whose properties become channels')
}

function jsonSchema(schema: Schema, path: string): JsonSchema {
  const json = jsonSchemaOf(schema, 'input', path)
  if (json) return json
  throw invalid(path, 'gives no JSON Schema; expected a schema of zod or arktype, or a JSON Schema')
}

const invalid = (path: string, message: string): InvalidSpec =>
  new InvalidSpec([{ path, message, code: 'invalid-shape' }])

/** Adds the checks that only the schema itself can make of an input. */
function withInputCheck(graph: SpecGraph, schema: Schema): SpecGraph {
  const parse = parserOf(schema, 'input')
  const { machine } = graph
  const checkInput = (value: Json): readonly Fault[] => {
    const faults = machine.checkInput(value)
    if (faults.length > 0) return faults
    return (parse(value).faults ?? []).map(({ path, message }) => {
      return { path: path === 'input' ? path : `input.${path}`, message }
    })
  }
  return { ...graph, machine: { ...machine, checkInput } }
}

const mapValues = <T, U>(of: Readonly<Record<string, T>>, change: (value: T, name: string) => U) =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value, name)]))
