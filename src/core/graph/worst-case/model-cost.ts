/** Calls of models: the most that one can cost, known only if the spec says how much a model takes, and how many can be out at once. */
import { roundMoney } from '../../watch/event/spent.ts'
import type { Policy } from '../../watch/policy/policy.ts'
import { isCustomUse } from '../spec/name.ts'
import type { WorkingNode } from '../spec/node.ts'
import { isRegions, regionsOf, workingNodes } from '../spec/nodes.ts'
import type { ModelSpec } from '../spec/resource.ts'
import { policyOf, smarterModel, type Spec, substitutesOf } from '../spec/spec.ts'
import { type Figure, formatAmount, formatCount, isUnknown, maxFigure, unknown } from './figure.ts'

/** A spec with the graphs inside it, by the names it has for them; `undefined` where one is not known. */
export interface Nested {
  readonly spec: Spec
  readonly inside: (name: string) => Nested | undefined
}

export const NO_MODEL: Figure = { most: 0, because: 'no model is called' }

export function runsGraphs({ graphs }: Spec, node: WorkingNode): boolean {
  return (
    node.use === 'graph' || node.use === 'map' || (isCustom(node) && Object.keys(graphs).length > 0)
  )
}

/** A node with code of the user: it may call every tool and model of the graph, and all at once. */
function isCustom({ use }: Pick<WorkingNode, 'use'>): boolean {
  return isCustomUse(use)
}

/** The models that may answer in a step of this node, substitutes included. */
function modelsOf(spec: Spec, node: WorkingNode): readonly string[] {
  if (isCustom(node)) return Object.keys(spec.models)
  if (node.use !== 'model') return []
  const { model } = node as { model: string }
  return [model, smarterModel(spec, model) ?? []]
    .flat()
    .flatMap(name => [name, ...substitutesOf(spec.models, name)])
}

function graphOf({ inside }: Nested, node: WorkingNode): Nested | undefined {
  return 'graph' in node ? inside(node.graph) : undefined
}

/** A graph and all graphs that run below it, each once. */
export function graphsFrom(nested: Nested): readonly Nested[] {
  const found = new Map([[nested.spec, nested]])
  // A map is walked in the order of insertion, what is added on the way included.
  for (const [spec, graph] of found)
    for (const [, node] of workingNodes(spec)) {
      const below = graphOf(graph, node)
      if (below && !found.has(below.spec)) found.set(below.spec, below)
    }
  return [...found.values()]
}

/** A node that runs a graph which the spec does not name. */
export function unknownGraph(graphs: readonly Nested[]): string | undefined {
  for (const graph of graphs)
    for (const [name, node] of workingNodes(graph.spec))
      if (runsGraphs(graph.spec, node) && !graphOf(graph, node)) return name
  return undefined
}

/** The most that one call of a model can cost, in these graphs. */
export function maxCallCost(graphs: readonly Nested[], unit: 'tokens' | 'usd'): Figure {
  const node = unknownGraph(graphs)
  if (node !== undefined) return unknown(`unknown graphs: the code of '${node}' runs them`)
  const costs = graphs.flatMap(({ spec }) =>
    [...new Set(workingNodes(spec).flatMap(([, node]) => modelsOf(spec, node)))].map(name =>
      costOf(name, spec.models[name] as ModelSpec, unit),
    ),
  )
  return maxFigure(costs, NO_MODEL)
}

function costOf(
  name: string,
  { context, maxTokens = context, price }: ModelSpec,
  unit: 'tokens' | 'usd',
): Figure {
  if (context === undefined || maxTokens === undefined)
    return unknown(`unknown context size: set models.${name}.context`)
  const size = formatAmount(context, 'tokens')
  if (unit === 'tokens')
    return { most: context, because: `at most ${size} tokens, models.${name}.context` }
  if (!price) return unknown(`unknown price: set models.${name}.price`)
  const input = Math.max(price.input, price.cached ?? 0)
  const written = price.output > input ? Math.min(maxTokens, context) : 0
  const most = roundMoney(((context - written) * input + written * price.output) / 1e6)
  return {
    most,
    because: `at most ${formatAmount(most, 'usd')} USD, ${size} tokens at the price of models.${name}`,
  }
}

/** A limit on what is known only afterwards refuses the next call: all calls that are out by then come on top. */
export function overshoot(nested: Nested, call: Figure): Figure {
  if (call.most === 0) return call
  const calls = maxConcurrentCalls(nested, Number.POSITIVE_INFINITY, new Map())
  return {
    most: isUnknown(call) ? call.most : calls * call.most,
    because: `${formatCount(calls, 'call')} more, known only afterwards: ${call.because}`,
  }
}

/** So many calls, each of the largest size. */
export function totalOf(calls: Figure, call: Figure): Figure {
  if (calls.most === 0 || call.most === 0) return NO_MODEL
  return {
    most: calls.most * call.most,
    because: `${formatCount(calls.most, 'call')} of a model, ${call.because}`,
  }
}

/** By spec, and how many graphs may still run one inside another below it. */
type Known = Map<Spec, Map<number, number>>

/** How many calls of models can be out at once. A graph that would stand too deep is not started. */
function maxConcurrentCalls(nested: Nested, above: number, known: Known): number {
  const { spec } = nested
  const policy = policyOf(spec)
  const depth = Math.min(policy.limits.depth, above)
  const before = known.get(spec)?.get(depth)
  if (before !== undefined) return before
  const each = workingNodes(spec).map(([, node]) =>
    runsGraphs(spec, node)
      ? callsBelow(graphOf(nested, node), node, { depth, known })
      : callsIn(spec, policy, node),
  )
  const calls = concurrentNodes(spec) * Math.max(0, ...each)
  known.set(spec, (known.get(spec) ?? new Map<number, number>()).set(depth, calls))
  return calls
}

function callsBelow(
  graph: Nested | undefined,
  node: WorkingNode,
  { depth, known }: { readonly depth: number; readonly known: Known },
): number {
  if (!graph || depth < 1) return 0
  const beside = node.use === 'map' ? (node as { concurrency: number }).concurrency : 1
  return beside * maxConcurrentCalls(graph, depth - 1, known)
}

function callsIn(spec: Spec, { limits }: Policy, node: WorkingNode): number {
  if (modelsOf(spec, node).length === 0) return 0
  return isCustom(node) ? limits.nodeCalls : 1
}

/** How many nodes that call models can work at the same time. */
function concurrentNodes(spec: Spec): number {
  const calling = new Set(
    workingNodes(spec).flatMap(([name, node]) =>
      modelsOf(spec, node).length > 0 || runsGraphs(spec, node) ? [name] : [],
    ),
  )
  if (spec.machine !== undefined) return calling.size
  const sets = Object.entries(spec.nodes).map(([name, node]) =>
    isRegions(node)
      ? regionsOf(name, node).filter(({ nodes }) => Object.keys(nodes).some(n => calling.has(n)))
          .length
      : 0,
  )
  return Math.max(calling.size > 0 ? 1 : 0, ...sets)
}
