/** The worst case: the most that one round of a thread can spend, from its limits and the cost of its model calls. */
import { type Spent, roundMoney } from '../../watch/event/call-event.ts'
import { GRACE, type Policy } from '../../watch/policy/policy.ts'
import { isCustomUse } from '../spec/name.ts'
import type { WorkingNode } from '../spec/node.ts'
import { isRegions, ofKind, regionsOf, workingNodes, policyOf, smarterModel } from '../spec/spec.ts'
import { type Spec, substitutesOf } from '../spec/spec.ts'
import type { ModelSpec } from '../spec/resource.ts'
import { formatAmount, formatCount } from './amount.ts'
import { customRung, isUnknown, maxFigure, NOTHING } from './limit.ts'
import { type BoundTools, type Figure, rollbackTime, tightestLimit, unknown } from './limit.ts'

/** A figure for each unit; `duration` is in ms. */
export type WorstCase = Readonly<Record<keyof Spent, Figure>>

/** A figure for people: `2,000`, `1.5`, `10m`, `1,000 + calls`, `unknown`. */
export function figureText({ most, stopsAt }: Omit<Figure, 'because'>, unit: keyof Spent): string {
  if (stopsAt !== undefined) return `${formatAmount(stopsAt, unit)} + calls`
  return most === Number.POSITIVE_INFINITY ? 'unknown' : formatAmount(most, unit)
}

/**
 * Uses the limits, and their extensions by escapes. Detectors and breakers do not count: new answers pass every detector, and
 * another thread may close a shared breaker. Work that a crashed process repeats, and calls that a rollback undoes, are
 * excluded: limits hold all the same, and undoing is mandatory.
 * @example worstCaseOf(loaded).toolCalls // { most: 200, because: 'limits.toolCalls: 200 (default)' }
 */
export function worstCaseOf(nested: Nested): WorstCase {
  const { spec } = nested
  const policy = policyOf(spec)
  const graphs = graphsFrom(nested)
  const rung = customRung(policy)
  const limit = (unit: keyof Spent, overshoot = NOTHING) =>
    rung === undefined
      ? tightestLimit(spec, policy, unit, overshoot)
      : unknown(`the code of the rung '${rung}' decides how often it continues past a limit`)
  const callsModels = maxCallCost(graphs, 'tokens').most > 0
  const modelCalls = callsModels ? limit('modelCalls') : NO_MODEL
  const paid = (unit: 'tokens' | 'usd') => {
    if (!callsModels) return NO_MODEL
    const uncounted = unit === 'usd' ? modelWithoutPrice(graphs) : undefined
    // A limit does not end what it does not count.
    if (uncounted !== undefined) return unknown(`unknown price: set models.${uncounted}.price`)
    const call = maxCallCost(graphs, unit)
    const byLimit = limit(unit, overshootOf(nested, call))
    const byCalls = totalOf(modelCalls, call)
    return byCalls.most < byLimit.most ? byCalls : byLimit
  }
  const usd = paid('usd')
  return {
    steps: limit('steps'),
    toolCalls: callsTools(graphs) ? limit('toolCalls') : NO_TOOL,
    modelCalls,
    tokens: paid('tokens'),
    usd: { ...usd, most: roundMoney(usd.most) },
    duration:
      spec.machine === undefined ? limit('duration', lateEnd(nested, policy)) : HAND_WRITTEN,
  }
}

const NO_TOOL: Figure = { most: 0, because: 'no tool is called' }
const HAND_WRITTEN = unknown('how long a hand-written statechart waits is not in its spec')

function callsTools(graphs: readonly Nested[]): boolean {
  const isDeclared = graphs.some(({ spec }) => Object.keys(spec.tools).length > 0)
  return isDeclared || unknownGraph(graphs) !== undefined
}

/** The time that remaining work needs to end. Nested graphs end before the graphs around them. */
function lateEnd({ spec, code }: Nested, policy: Policy): Figure {
  const undoing = rollbackTime(spec, policy, code)
  if (isUnknown(undoing)) return undoing
  const isNesting = workingNodes(spec).some(([, node]) => runsGraphs(spec, node))
  const most = GRACE * (isNesting ? 1 + policy.limits.depth : 1) + undoing.most
  return { most, because: `${formatAmount(most, 'duration')} more for what is left to end` }
}

/** A spec with access to its nested graphs, by their names; `undefined` for an unknown graph. `code`: the bound graph, if it is known. */
export type Nested = Readonly<{
  spec: Spec
  inside: (name: string) => Nested | undefined
  code?: BoundTools
}>

export const NO_MODEL: Figure = { most: 0, because: 'no model is called' }

export const runsGraphs = ({ graphs }: Spec, { use }: WorkingNode): boolean =>
  use === 'graph' || use === 'map' || (isCustomUse(use) && Object.keys(graphs).length > 0)

/** The models that may answer in a step of this node, substitutes included. Custom code may call every model at once. */
function modelsOf(spec: Spec, node: WorkingNode): readonly string[] {
  if (isCustomUse(node.use)) return Object.keys(spec.models)
  const { model } = ofKind(node, 'model') ?? ofKind(node, 'verify') ?? {}
  if (model === undefined) return []
  const first = [model, smarterModel(spec, model) ?? []].flat()
  return first.flatMap(name => [name, ...substitutesOf(spec.models, name)])
}

const graphOf = ({ inside }: Nested, node: WorkingNode): Nested | undefined =>
  'graph' in node ? inside(node.graph) : undefined

/** A graph and all graphs that run below it, each once. */
export function graphsFrom(nested: Nested): readonly Nested[] {
  const found = new Map([[nested.spec, nested]])
  // A map is iterated in insertion order, including graphs that are added meanwhile.
  for (const [spec, graph] of found)
    for (const [, node] of workingNodes(spec)) {
      const below = graphOf(graph, node)
      if (below && !found.has(below.spec)) found.set(below.spec, below)
    }
  return [...found.values()]
}

/** A node that runs graphs which the spec does not name. */
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
  const costs = calledModels(graphs).map(([name, model]) => costOf(name, model, unit))
  return maxFigure(costs, NO_MODEL)
}

function calledModels(graphs: readonly Nested[]): readonly (readonly [string, ModelSpec])[] {
  return graphs.flatMap(({ spec }) => {
    const models = new Set(workingNodes(spec).flatMap(([, node]) => modelsOf(spec, node)))
    return [...models].map(name => [name, spec.models[name] as ModelSpec] as const)
  })
}

const modelWithoutPrice = (graphs: readonly Nested[]): string | undefined =>
  calledModels(graphs).find(([, { price }]) => price === undefined)?.[0]

function costOf(name: string, model: ModelSpec, unit: 'tokens' | 'usd'): Figure {
  const { context, maxTokens = context, price } = model
  if (context === undefined || maxTokens === undefined)
    return unknown(`unknown context size: set models.${name}.context`)
  const size = formatAmount(context, 'tokens')
  if (unit === 'tokens')
    return { most: context, because: `at most ${size} tokens, models.${name}.context` }
  if (!price) return unknown(`unknown price: set models.${name}.price`)
  const input = Math.max(price.input, price.cached ?? 0)
  const output = price.output > input ? Math.min(maxTokens, context) : 0
  const most = roundMoney(((context - output) * input + output * price.output) / 1e6)
  const because = `at most ${formatAmount(most, 'usd')} USD, ${size} tokens at the price of models.${name}`
  return { most, because }
}

/** The cost of all calls that run when the limit is reached, since the cost of a call is known only afterwards. */
export function overshootOf(nested: Nested, call: Figure): Figure {
  if (call.most === 0) return call
  const calls = maxConcurrentCalls(nested, Number.POSITIVE_INFINITY, new Map())
  const because = `${formatCount(calls, 'call')} more, known only afterwards: ${call.because}`
  return { most: isUnknown(call) ? call.most : calls * call.most, because }
}

/** The cost of this many calls of the largest size. */
export function totalOf(calls: Figure, call: Figure): Figure {
  if (calls.most === 0 || call.most === 0) return NO_MODEL
  const because = `${formatCount(calls.most, 'call')} of a model, ${call.because}`
  return { most: calls.most * call.most, because }
}

/** Calls by spec, and by the number of graphs that may still be nested below it. */
type Known = Map<Spec, Map<number, number>>

/** The most model calls at once. A graph beyond the nesting limit does not start. */
function maxConcurrentCalls(nested: Nested, above: number, known: Known): number {
  const { spec } = nested
  const { limits } = policyOf(spec)
  const depth = Math.min(limits.depth, above)
  const before = known.get(spec)?.get(depth)
  if (before !== undefined) return before
  const each = workingNodes(spec).map(([, node]) => {
    if (!runsGraphs(spec, node)) {
      if (modelsOf(spec, node).length === 0) return 0
      return isCustomUse(node.use) ? limits.nodeCalls : 1
    }
    const graph = graphOf(nested, node)
    if (!graph || depth < 1) return 0
    const { concurrency = 1 } = ofKind(node, 'map') ?? {}
    return concurrency * maxConcurrentCalls(graph, depth - 1, known)
  })
  const calls = concurrentNodes(spec) * Math.max(0, ...each)
  known.set(spec, (known.get(spec) ?? new Map<number, number>()).set(depth, calls))
  return calls
}

/** The most nodes that call models at the same time. */
function concurrentNodes(spec: Spec): number {
  const calling = new Map(
    workingNodes(spec).filter(
      ([, node]) => modelsOf(spec, node).length > 0 || runsGraphs(spec, node),
    ),
  )
  if (spec.machine !== undefined) return calling.size
  const callingRegions = Object.entries(spec.nodes).map(([name, node]) => {
    const regions = isRegions(node) ? regionsOf(name, node) : []
    return regions.filter(({ nodes }) => Object.keys(nodes).some(key => calling.has(key))).length
  })
  return Math.max(calling.size > 0 ? 1 : 0, ...callingRegions)
}
