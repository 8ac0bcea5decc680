/** Compiles a graph spec to a statechart: what is written as data becomes XState's own notation, and nothing else. */
import type { MachineConfig } from 'xstate'
import { writtenBy } from './spec/read.ts'
import { isFinal, type Spec, workingNodes } from './spec/spec.ts'
import type { WorkingNode } from './spec/node.ts'
import type { Departure } from './chart.ts'
import { isFindingEdge, outcomeEdges } from './edges.ts'
import type { Channels, Writes } from './channels.ts'

// The config is plain data whose states and events are not known at compile time.
// biome-ignore lint/suspicious/noExplicitAny: XState's config type cannot be named for a machine made from data.
export type Config = MachineConfig<any, any, any, any, any, any, any, any, any, any, any, any>
type StateConfig = NonNullable<Config['states']>[string]

const WRITE = { type: 'write' }

/**
 * All nodes lie in the superstate `working`; the one arrow `escape` on it covers them. Beside it lie the review of
 * an escape, the ways to stop, and the spec's own final nodes.
 */
export function compile(spec: Spec, channels: Channels): Config {
  const working = workingNodes(spec)
  const finals = Object.entries(spec.nodes).filter(([, node]) => isFinal(node))
  const names = working.map(([name]) => name)
  return {
    id: spec.id,
    context: ({ input }: { input: Writes | undefined }) => channels.apply(channels.start, input ?? {}),
    initial: 'working',
    states: {
      working: {
        ...(spec.start === undefined ? {} : { initial: spec.start }),
        on: { escape: escapes(spec), cancelled: '#cancelled' },
        states: Object.fromEntries(working.map(([name, node]) => [name, stateOf(name, node)])),
      },
      review: {
        id: 'review',
        entry: { type: 'interrupt', params: { node: 'review' } },
        on: {
          'human.approved': names.map(name => ({ guard: { type: 'to', params: { to: name } }, target: `#${name}` })),
          'human.rejected': '#stopped',
          'human.expired': [...names.map(name => ({ guard: { type: 'to', params: { to: name } }, target: `#${name}` })), { target: '#stopped' }],
          escape: { guard: { type: 'route', params: { rung: 'stop' } }, target: '#stopped' },
          cancelled: '#cancelled',
        },
      },
      stopped: { id: 'stopped', type: 'final' },
      cancelled: { id: 'cancelled', type: 'final' },
      ...Object.fromEntries(finals.map(([name]) => [name, { id: name, type: 'final' as const }])),
    },
  }
}

function escapes(spec: Spec) {
  const { ladder, review } = spec.escape
  const takes = (rung: 'alternative' | 'review') => ladder?.includes(rung) ?? true
  // No guard asks for `from`: it is there for the chart. The law keeps the arrows the policy does not take now, because a thread's policy may change.
  return [
    ...[...waysOut(spec)].map(([to, from]) => ({ guard: { type: 'route', params: { rung: 'alternative', to, from: takes('alternative') ? from : [] } }, target: `#${to}` })),
    { guard: { type: 'route', params: { rung: 'review', ...(review && takes('review') ? {} : { from: [] }) } }, target: '#review' },
    { guard: { type: 'route', params: { rung: 'stop' } }, target: '#stopped' },
  ]
}

/** The targets of the `alternative` rung, each with the states it may be taken from: none, where only a change of policy could name it. */
function waysOut(spec: Spec): ReadonlyMap<string, readonly Departure[]> {
  const ways = new Map<string, readonly Departure[]>(Object.keys(spec.nodes).map(name => [name, []]))
  const add = (to: string, from: Departure) => ways.set(to, [...(ways.get(to) ?? []), from])
  for (const [state, targets] of Object.entries(spec.escape.alternatives ?? {})) for (const to of targets) add(to, { state })
  for (const [state, node] of Object.entries(spec.nodes)) {
    if (!isFinal(node)) for (const [outcome, to] of outcomeEdges(node)) if (isFindingEdge(outcome)) add(to, { state, on: outcome })
  }
  return ways
}

function stateOf(name: string, node: WorkingNode): StateConfig {
  const edges = outcomeEdges(node).filter(([outcome]) => !isFindingEdge(outcome))
  return {
    id: name,
    tags: node.phase ? ['phase'] : [],
    entry: node.use === 'human' ? { type: 'interrupt', params: { node: name } } : { type: 'invoke', params: { node: name } },
    on: Object.fromEntries(
      edges.map(([outcome, target]) => [outcome === 'error' ? 'error.*' : outcome, { target: `#${target}`, reenter: true, ...(writes(outcome, node) ? { actions: WRITE } : {}) }]),
    ),
  }
}

function writes(outcome: string, node: WorkingNode): boolean {
  return (outcome.startsWith('done') || outcome.startsWith('human.')) && writtenBy(node.out).length > 0
}
