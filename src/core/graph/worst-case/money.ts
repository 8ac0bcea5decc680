/** What one call of a model can cost at most, in tokens and in money: known only if the spec says how much a model takes at once. */
import { roundMoney } from '../../watch/budget/spent.ts'
import type { ModelSpec } from '../spec/resource.ts'
import type { WorkingNode } from '../spec/node.ts'
import { workingNodes } from '../spec/spec.ts'
import { isCustom, modelsOf, runsGraphs, type Terms } from './cost.ts'
import { concurrentNodes } from './successors.ts'
import { formatAmount, formatCount, type Figure } from './figure.ts'

const NOTHING: Figure = { most: 0, because: 'no model is asked' }

/** The dearest call of the graph, and of those inside it. */
export function maxCallCost({ spec, inside }: Terms, unit: 'tokens' | 'usd'): Figure {
  const nodes = workingNodes(spec)
  const own = [...new Set(nodes.flatMap(([, node]) => modelsOf(spec, node)))].map(name =>
    costOf(name, spec.models[name] as ModelSpec, unit),
  )
  const others = nodes.flatMap(([name, node]) =>
    runsGraphs(spec, node)
      ? [
          inside(node)?.call[unit] ?? {
            most: Number.POSITIVE_INFINITY,
            because: `which graphs '${name}' runs is in its own code`,
          },
        ]
      : [],
  )
  return [...own, ...others].reduce(
    (most, figure) => (figure.most > most.most ? figure : most),
    NOTHING,
  )
}

/** How many calls of models can be out at once. */
export function maxConcurrentCalls({ spec, policy, inside }: Terms): number {
  const asking = (node: WorkingNode) => modelsOf(spec, node).length > 0 || runsGraphs(spec, node)
  const each = workingNodes(spec).map(([, node]) => {
    if (node.use === 'map')
      return (inside(node)?.atOnce ?? 0) * (node as { concurrency: number }).concurrency
    return runsGraphs(spec, node)
      ? (inside(node)?.atOnce ?? 0)
      : isCustom(node)
        ? policy.limits.nodeCalls
        : modelsOf(spec, node).length > 0
          ? 1
          : 0
  })
  return concurrentNodes(spec, asking) * Math.max(0, ...each)
}

function costOf(
  name: string,
  { context, maxTokens = context, price }: ModelSpec,
  unit: 'tokens' | 'usd',
): Figure {
  if (context === undefined || maxTokens === undefined)
    return {
      most: Number.POSITIVE_INFINITY,
      because: `how much one call of '${name}' takes nobody has said: set models.${name}.context`,
    }
  if (unit === 'tokens')
    return {
      most: context,
      because: `at most ${formatAmount(context)} tokens, models.${name}.context`,
    }
  if (!price)
    return {
      most: Number.POSITIVE_INFINITY,
      because: `what '${name}' costs nobody has said: set models.${name}.price`,
    }
  const input = Math.max(price.input, price.cached ?? 0)
  const written = price.output > input ? Math.min(maxTokens, context) : 0
  const most = roundMoney(((context - written) * input + written * price.output) / 1e6)
  return {
    most,
    because: `at most ${formatAmount(most, 'usd')} USD, ${formatAmount(context)} tokens at the price of models.${name}`,
  }
}

/** A limit on what is known only afterwards refuses the next call: all calls that are out by then come on top. */
export function overshoot(terms: Terms, call: Figure): Figure {
  if (call.most === 0 || call.most === Number.POSITIVE_INFINITY) return call
  const out = maxConcurrentCalls(terms)
  return {
    most: out * call.most,
    because: `${formatCount(out, 'call')} more, known only afterwards: ${call.because}`,
  }
}

/** So many calls, each as dear as any. */
export function totalOf(calls: Figure, call: Figure): Figure {
  if (calls.most === 0 || call.most === 0)
    return { most: 0, because: calls.most === 0 ? NOTHING.because : call.because }
  if (call.most === Number.POSITIVE_INFINITY) return call
  return {
    most: calls.most * call.most,
    because: `${formatCount(calls.most, 'call')} of a model, ${call.because}`,
  }
}
