/** Compiles a graph spec to a statechart: what is written as data becomes XState's own notation, and nothing else. */
import type { Channels, Writes } from './channels.ts'

import {
  type Area,
  areasOf,
  channelsWrittenBy,
  isFinal,
  isFindingEdge,
  isRegions,
  outcomeEdges,
  regionsOf,
  workingNodes,
} from './spec/nodes.ts'
import type { RegionsNode, WorkingNode } from './spec/node.ts'
import { rethinkNodes, type Spec } from './spec/spec.ts'
import { type MachineConfig, or, stateIn } from 'xstate'
import type { Rung } from '../watch/policy/policy.ts'
import type { Departure } from './chart.ts'

/** The graph itself is an area like any region; beside its nodes lie the two ends that no spec need name. */
export function compile(spec: Spec, channels: Channels): Config {
  const [whole] = areasOf(spec)
  // Whoever answers a question about the whole may send it on to any node, into a region, too.
  const { working, review, ...ends } = areaConfig(spec, whole, workingNodes(spec)).states
  return {
    id: spec.id,
    context: ({ input }: { input: Writes | undefined }) =>
      channels.apply(channels.start, input ?? {}),
    initial: 'working',
    states: {
      working,
      review,
      stopped: { id: 'stopped', type: 'final' },
      cancelled: { id: 'cancelled', type: 'final' },
      ...ends,
    },
  }
}

// The config is plain data whose states and events are not known at compile time.
// biome-ignore lint/suspicious/noExplicitAny: XState's config type cannot be named for a machine made from data.
export type Config = MachineConfig<any, any, any, any, any, any, any, any, any, any, any, any>
export type StateConfig = NonNullable<Config['states']>[string]

const WRITE = { type: 'write' }

type Node = Area['nodes'][string]

interface AreaConfig {
  readonly initial: 'working'
  readonly states: { readonly working: StateConfig; readonly review: StateConfig } & Readonly<
    Record<string, StateConfig>
  >
}

/** `choices`: the nodes that whoever answers the review may go on with. */
export function areaConfig(
  spec: Spec,
  area: Area,
  choices: readonly (readonly [name: string, node: WorkingNode])[],
): AreaConfig {
  const nodes = Object.entries(area.nodes)
  const working = nodes.filter(([, node]) => !isFinal(node))
  const finals = nodes.filter(([, node]) => isFinal(node))
  const whole = area.region === ''
  return {
    initial: 'working',
    states: {
      working: {
        ...(area.start === undefined ? {} : { initial: area.start }),
        on: { escape: escapeEdges(spec, area), ...(whole ? { cancelled: '#cancelled' } : {}) },
        states: Object.fromEntries(
          working.map(([name, node]) => [name, stateOf(spec, name, node)]),
        ),
      },
      review: reviewOf(
        spec,
        area,
        choices.map(([name]) => name),
      ),
      ...Object.fromEntries(finals.map(([name]) => [name, { id: name, type: 'final' as const }])),
    },
  }
}

/** In a region, an end of the whole leads out by the arrows around all regions. */
function reviewOf(spec: Spec, area: Area, names: readonly string[]): StateConfig {
  const chosen = names.map(name => ({
    guard: { type: 'to', params: { to: name } },
    target: `#${name}`,
  }))
  return {
    id: reviewId(area),
    entry: { type: 'interrupt', params: { node: 'review' } },
    on: {
      'human.approved': chosen,
      'human.rejected': '#stopped',
      'human.expired': [...chosen, { target: '#stopped' }],
      // A person may choose the way out.
      escape: escapeEdges(spec, area).filter(({ guard }) => guard.params.rung !== 'review'),
      ...(area.region === '' ? { cancelled: '#cancelled' } : {}),
    },
  }
}

function stateOf(spec: Spec, name: string, node: Node): StateConfig {
  if (isRegions(node)) return parallelOf(spec, name, node)
  if (isFinal(node)) return { id: name, type: 'final' }
  const edges = outcomeEdges(node).filter(([outcome]) => !isFindingEdge(outcome))
  return {
    id: name,
    tags: node.phase ? ['phase'] : [],
    entry:
      node.use === 'human'
        ? { type: 'interrupt', params: { node: name } }
        : { type: 'invoke', params: { node: name } },
    on: Object.fromEntries(
      edges.map(([outcome, target]) => [
        outcome === 'error' ? 'error.*' : outcome,
        {
          target: `#${target}`,
          reenter: true,
          ...(writes(outcome, node) ? { actions: WRITE } : {}),
        },
      ]),
    ),
  }
}

function writes(outcome: string, node: WorkingNode): boolean {
  return (
    (outcome.startsWith('done') || outcome.startsWith('human.')) &&
    channelsWrittenBy(node.out).length > 0
  )
}

/** Every region is an area of its own; when the last has ended, it shows whether one of them has failed. */
function parallelOf(spec: Spec, name: string, node: RegionsNode): StateConfig {
  const areas = regionsOf(name, node)
  const failures = areas.flatMap(({ nodes }) =>
    Object.entries(nodes).filter(([, inner]) => isFinal(inner) && inner.final === 'failure'),
  )
  const { done, 'done.failed': failed, cancelled } = node.on
  return {
    id: name,
    type: 'parallel',
    states: Object.fromEntries(
      areas.map(area => [
        area.region.slice(name.length + 1),
        { id: area.region, ...areaConfig(spec, area, workingIn(area)) },
      ]),
    ),
    onDone: [
      ...(failed === undefined || failures.length === 0
        ? []
        : [
            {
              guard: or(failures.map(([end]) => stateIn(`#${end}`))),
              target: `#${failed}`,
              meta: { outcome: 'done.failed' },
            },
          ]),
      { target: `#${done}`, meta: { outcome: 'done' } },
    ],
    ...(cancelled === undefined ? {} : { on: { cancelled: `#${cancelled}` } }),
  }
}

function workingIn({ nodes }: Area): readonly (readonly [string, WorkingNode])[] {
  return Object.entries(nodes).filter(
    (entry): entry is [string, WorkingNode] => !isFinal(entry[1]) && !isRegions(entry[1]),
  )
}

/** Each arrow asks for the region it belongs to: the way out of one leaves the others where they are. */
export function escapeEdges(spec: Spec, area: Area) {
  const { ladder, review } = spec.escape
  const { region } = area
  const takes = (rung: Rung) => ladder?.includes(rung) ?? true
  // No guard asks for `from`: it is there for the chart. The law keeps the arrows the policy does not take now, because a thread's policy may change.
  return [
    ...[...alternativeTargets(spec, area)].map(([to, from]) => ({
      guard: {
        type: 'route',
        params: { rung: 'alternative', to, region, from: takes('alternative') ? from : [] },
      },
      target: `#${to}`,
    })),
    ...rethinkNodes(spec)
      .filter(name => Object.hasOwn(area.nodes, name))
      .map(to => ({
        guard: {
          type: 'route',
          params: { rung: 'rethink', to, region, ...(takes('rethink') ? {} : { from: [] }) },
        },
        target: `#${to}`,
      })),
    {
      guard: {
        type: 'route',
        params: { rung: 'review', region, ...(review && takes('review') ? {} : { from: [] }) },
      },
      target: `#${reviewId(area)}`,
    },
    ...(region === ''
      ? [{ guard: { type: 'route', params: { rung: 'stop' } }, target: '#stopped' }]
      : []),
  ]
}

/** The id of the review of an escape: every region asks for itself. */
export function reviewId({ region }: Pick<Area, 'region'>): string {
  return region === '' ? 'review' : `${region}.review`
}

/** The targets of the `alternative` rung, each with the states it may be taken from: none, where only a change of policy could name it. */
function alternativeTargets(
  { escape }: Spec,
  { nodes }: Area,
): ReadonlyMap<string, readonly Departure[]> {
  const ways = new Map<string, readonly Departure[]>(Object.keys(nodes).map(name => [name, []]))
  const add = (to: string, from: Departure) => ways.set(to, [...(ways.get(to) ?? []), from])
  for (const [state, targets] of Object.entries(escape.alternatives ?? {}))
    if (Object.hasOwn(nodes, state)) for (const to of targets) add(to, { state })
  for (const [state, node] of Object.entries(nodes)) {
    if (!isFinal(node))
      for (const [outcome, to] of outcomeEdges(node))
        if (isFindingEdge(outcome)) add(to, { state, on: outcome })
  }
  return ways
}
