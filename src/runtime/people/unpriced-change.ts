/** Limits of money in a change of a policy whose graph cannot reach them, because none of its models has a price. */
import type { Fault } from '../../core/watch/data/fault.ts'
import { isMap, type Json } from '../../core/watch/data/json.ts'
import { moneyLimits } from '../../core/watch/policy/money-limits.ts'
import type { Graph } from '../ports.ts'

export function unpricedFaults({ models, graphs = {}, source }: Graph, change: Json): Fault[] {
  const all = Object.values(models)
  // A graph that runs as a node may have models with a price.
  const isCounted = all.length === 0 || all.some(({ price }) => price !== undefined)
  if (isCounted || Object.keys(graphs).length > 0) return []
  const accepted = isMap(source) && Array.isArray(source.accept) ? source.accept : []
  return moneyLimits(isMap(change) ? change.limits : undefined)
    .filter(path => !accepted.includes(`unused ${path}`))
    .map(path => ({ path, message: UNPRICED }))
}

const UNPRICED =
  'has no effect, because no model of the graph has a price: set `price: { input, output }` of its models, in US dollars per million tokens'
