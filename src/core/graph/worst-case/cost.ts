/** What one step of a node can cost at most: calls, their attempts, and time. */
import { mustConfirm } from '../../watch/confirm.ts'
import { TOLERATED_MAX, GRACE, type Policy } from '../../watch/policy.ts'
import { defined } from '../spec/defined.ts'
import { CALLS_MAX, NODE_TIMEOUT, type WorkingNode } from '../spec/node.ts'
import type { Spent } from '../../watch/budget/spent.ts'
import type { ModelSpec, ToolSpec } from '../spec/resource.ts'
import { offeredTools, type Spec, smarterModel } from '../spec/spec.ts'
import { substitutesOf } from '../spec/substitute-order.ts'
import { formatCount, type Figure } from './figure.ts'

export interface Terms {
  readonly spec: Spec
  readonly policy: Policy
  /** What a graph that a node runs comes to; `undefined` where that is not known. */
  readonly inside: (node: WorkingNode) => Inside | undefined
}

/** What a graph inside another comes to, once. */
export interface Inside {
  readonly bound: Readonly<Record<keyof Spent, Figure>>
  /** Its dearest call of a model. */
  readonly call: Readonly<Record<'tokens' | 'usd', Figure>>
  /** The most calls of models that are out at once. */
  readonly atOnce: number
}

const NONE: Figure = { most: 0, because: '' }

/** The most attempts at calls of tools in one step. */
export function toolCallsOf(terms: Terms, node: WorkingNode): Figure {
  const { spec, policy } = terms
  if (runsGraphs(spec, node)) return spentBelow(terms, node, 'toolCalls')
  switch (node.use) {
    case 'tool':
      return attempts(terms, 'tool', (node as { tool: string }).tool)
    case 'tools':
      return times(
        CALLS_MAX,
        maxFigure([...offeredTools(spec)].map(name => attempts(terms, 'tool', name))),
      )
    case 'pass':
    case 'model':
    case 'human':
      return NONE
    default:
      return times(
        policy.limits.nodeCalls,
        maxFigure(Object.keys(spec.tools).map(name => attempts(terms, 'tool', name))),
      )
  }
}

/** What a graph that is run spends counts here, too. How often a map, or a node of one's own, runs one is not in the spec. */
function spentBelow({ inside }: Terms, node: WorkingNode, unit: keyof Spent): Figure {
  const { graph } = node as { graph?: string }
  const most = node.use === 'graph' ? inside(node)?.bound[unit].most : undefined
  if (most === undefined)
    return {
      most: Number.POSITIVE_INFINITY,
      because: `how often ${graph === undefined ? 'a graph' : `'${graph}'`} is run here is not in the spec`,
    }
  return { most, because: `all of '${graph}'` }
}

/** The steps that a node takes, those of a graph inside it included. */
export function stepsOf(terms: Terms, node: WorkingNode): Figure {
  if (!runsGraphs(terms.spec, node)) return { most: 1, because: '' }
  const { most, because } = spentBelow(terms, node, 'steps')
  return { most: most + 1, because }
}

export function runsGraphs({ graphs }: Spec, node: WorkingNode): boolean {
  return (
    node.use === 'graph' || node.use === 'map' || (isCustom(node) && Object.keys(graphs).length > 0)
  )
}

/** The same of models. */
export function modelCallsOf(terms: Terms, node: WorkingNode): Figure {
  const { spec, policy } = terms
  if (runsGraphs(spec, node)) return spentBelow(terms, node, 'modelCalls')
  if (node.use === 'model')
    return maxFigure(modelsOf(spec, node).map(name => attempts(terms, 'model', name)))
  return isCustom(node)
    ? times(
        policy.limits.nodeCalls,
        maxFigure(Object.keys(spec.models).map(name => attempts(terms, 'model', name))),
      )
    : NONE
}

/** A node of the user's own: it may call and ask whatever the graph has, and all at once. */
export function isCustom({ use }: Pick<WorkingNode, 'use'>): boolean {
  return use.startsWith('./')
}

/** The models that may answer in a step of this node, substitutes included. */
export function modelsOf(spec: Spec, node: WorkingNode): readonly string[] {
  if (isCustom(node)) return Object.keys(spec.models)
  if (node.use !== 'model') return []
  const { model } = node as { model: string }
  return [model, smarterModel(spec, model) ?? []]
    .flat()
    .flatMap(name => [name, ...substitutesOf(spec.models, name)])
}

/** The longest a step can take, in ms; waiting for people is no time of the thread. */
export function timeOf(terms: Terms, node: WorkingNode): Figure {
  if (node.use === 'pass' || node.use === 'human') return NONE
  if (runsGraphs(terms.spec, node)) return spentBelow(terms, node, 'duration')
  const time = Math.min(
    node.timeout ?? NODE_TIMEOUT,
    node.use === 'model' ? modelTime(terms, node) : Number.POSITIVE_INFINITY,
  )
  return { most: (time + GRACE) * (1 + questionsIn(terms, node)), because: '' }
}

/** The longest that nothing is heard of a call that undoes another: no node's deadline ends it. 0 where nothing can be undone. */
export function rollbackTime({ spec, policy: { mode, escape, retry } }: Terms): Figure {
  const { perLoop, total } = escape.budget.rollback
  if (mode !== 'act' || !escape.ladder.includes('rollback') || perLoop * total === 0) return NONE
  const undoable = Object.entries(spec.tools).filter(
    ([, { use, effects }]) => use.startsWith('./') && effects !== 'read',
  )
  return maxFigure(
    undoable.map(([name, { timeout, retry: own }]) =>
      timeout === undefined
        ? {
            most: Number.POSITIVE_INFINITY,
            because: `how long undoing '${name}' takes its own code may say: set tools.${name}.timeout`,
          }
        : { most: Math.max(timeout, { ...retry, ...defined(own ?? {}) }.cap), because: '' },
    ),
  )
}

/** All attempts of a model node, and the waits between them. */
function modelTime({ spec, policy }: Terms, node: WorkingNode): number {
  const chains = modelsOf(spec, node).map(name => {
    const { timeout, retry } = spec.models[name] as ModelSpec
    const { attempts, cap } = { ...policy.retry, ...defined(retry ?? {}) }
    return attempts * timeout + (attempts - 1) * cap
  })
  return chains.reduce((sum, time) => sum + time, 0)
}

/** How often the node may rest until a person has said something about one of its calls; each time its own time begins anew. */
function questionsIn(terms: Terms, node: WorkingNode): number {
  const { spec, policy } = terms
  const names =
    node.use === 'tool'
      ? [(node as { tool: string }).tool]
      : node.use === 'tools'
        ? [...offeredTools(spec)]
        : isCustom(node)
          ? Object.keys(spec.tools)
          : []
  const calls = node.use === 'tool' ? 1 : node.use === 'tools' ? CALLS_MAX : policy.limits.nodeCalls
  return Math.max(
    0,
    ...names.map(name => {
      const tool = spec.tools[name] as ToolSpec
      const asked = mustConfirm(policy.confirm, name, 'write') ? 1 : 0
      return calls * (asked + (mayLeaveDoubt(tool) ? attempts(terms, 'tool', name).most : 0))
    }),
  )
}

function attempts({ spec, policy }: Terms, kind: 'tool' | 'model', name: string): Figure {
  const all = kind === 'tool' ? spec.tools : spec.models
  const chain =
    policy.mode === 'act' && policy.escape.ladder.includes('substitute')
      ? [name, ...substitutesOf(all, name)]
      : [name]
  const each = chain.map(one => attemptsOf(policy, one, all[one] as ToolSpec | ModelSpec))
  return (
    each.find(({ most }) => most === Number.POSITIVE_INFINITY) ?? {
      most: each.reduce((sum, { most }) => sum + most, 0),
      because: each.map(({ because }) => because).join(' + '),
    }
  )
}

function attemptsOf({ retry, escape }: Policy, name: string, of: ToolSpec | ModelSpec): Figure {
  const tool = 'use' in of ? of : undefined
  const own = of.retry?.attempts
  if (!escape.ladder.includes('retry'))
    return attemptFigure(name, tool && mayLeaveDoubt(tool) ? TOLERATED_MAX : 1)
  if (own === undefined && tool?.use.startsWith('./'))
    return {
      most: Number.POSITIVE_INFINITY,
      because: `how often '${name}' is tried again its own code may say: set tools.${name}.retry`,
    }
  const most = own ?? retry.attempts
  return attemptFigure(name, tool && mayLeaveDoubt(tool) ? Math.max(most, TOLERATED_MAX) : most)
}

function attemptFigure(name: string, most: number): Figure {
  return { most, because: `${formatCount(most, 'attempt')} at ${name}` }
}

/** A write that must not be repeated: when it ends without an answer, somebody has to say whether it took effect. */
function mayLeaveDoubt({ use, effects, idempotent }: ToolSpec): boolean {
  const own = use.startsWith('./')
  return (effects === 'write' || (effects === undefined && own)) && idempotent !== true
}

function maxFigure(figures: readonly Figure[]): Figure {
  return figures.reduce((most, figure) => (figure.most > most.most ? figure : most), NONE)
}

function times(calls: number, { most, because }: Figure): Figure {
  if (most === 0 || most === Number.POSITIVE_INFINITY) return { most, because }
  return { most: calls * most, because: `${formatCount(calls, 'call')} of ${because}` }
}
