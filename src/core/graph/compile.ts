/** Compiles a graph spec to a statechart in XState's notation. */
import { type MachineConfig, or, stateIn } from 'xstate'
import { defined } from '../watch/data/json.ts'
import type { Rung } from '../watch/policy/policy.ts'
import type { Channels, Writes } from './channels.ts'
import type { Departure } from './chart.ts'
import type { AnyNode, RegionsNode, WorkingNode } from './spec/node.ts'
import { areasOf, channelsWrittenBy, isFinal, isFindingEdge, isRegions } from './spec/spec.ts'
import { outcomeEdges, regionsOf, workingNodes, rethinkNodes } from './spec/spec.ts'
import type { Area, Spec } from './spec/spec.ts'

// biome-ignore lint/suspicious/noExplicitAny: the states and events of a machine made from data are not known at compile time.
export type Config = MachineConfig<any, any, any, any, any, any, any, any, any, any, any, any>
type StateConfig = NonNullable<Config['states']>[string]
type Choices = ReturnType<typeof workingNodes>

/** The graph itself is an area like any region, with two more ends. */
export function compile(spec: Spec, channels: Channels): Config {
  const [whole] = areasOf(spec)
  // The answer to a review of the whole graph may name a node inside a region.
  const { working, review, ...ends } = areaStates(spec, whole, workingNodes(spec))
  return {
    id: spec.id,
    context: ({ input }: { input: Writes | undefined }) => channels.initial(input),
    initial: 'working',
    states: { working, review, stopped: end('stopped'), cancelled: end('cancelled'), ...ends },
  }
}

/** The answer to a review may name a node of `choices`, or a final node of the area. */
function areaStates(spec: Spec, area: Area, choices: Choices) {
  const states = (isEnd: boolean): Readonly<Record<string, StateConfig>> =>
    Object.fromEntries(
      Object.entries(area.nodes)
        .filter(([, node]) => isFinal(node) === isEnd)
        .map(([name, node]) => [name, stateOf(spec, name, node)]),
    )
  const cancelled = area.region === '' ? { cancelled: '#cancelled' } : {}
  const working: StateConfig = {
    ...defined({ initial: area.start }),
    on: { escape: escapeEdges(spec, area), ...cancelled },
    states: states(false),
  }
  const ends = states(true)
  return { working, review: reviewOf(spec, area, choices, Object.keys(ends)), ...ends }
}

/** Inside a region, the edges around all regions end the whole graph. Only a person may choose one of the `ends`. */
function reviewOf(spec: Spec, area: Area, choices: Choices, ends: readonly string[]): StateConfig {
  const edge = (to: string) => ({ guard: { type: 'to', params: { to } }, target: `#${to}` })
  const chosen = choices.map(([name]) => edge(name))
  return {
    id: reviewId(area),
    entry: { type: 'interrupt', params: { node: 'review' } },
    on: {
      'human.approved': [...chosen, ...ends.map(edge)],
      'human.rejected': '#stopped',
      'human.expired': [...chosen, { target: '#stopped' }],
      // A person may choose the escape.
      escape: escapeEdges(spec, area).filter(({ guard }) => guard.params.rung !== 'review'),
      ...(area.region === '' ? { cancelled: '#cancelled' } : {}),
    },
  }
}

function stateOf(spec: Spec, name: string, node: AnyNode): StateConfig {
  if (isRegions(node)) return parallelOf(spec, name, node)
  if (isFinal(node)) return end(name)
  const edges = outcomeEdges(node).filter(([outcome]) => !isFindingEdge(outcome))
  return {
    id: name,
    tags: node.phase ? ['phase'] : [],
    entry: { type: node.use === 'human' ? 'interrupt' : 'invoke', params: { node: name } },
    on: Object.fromEntries(
      edges.map(([outcome, target]) => {
        const write = isWriting(outcome, node) ? { actions: { type: 'write' } } : {}
        const edge = { target: `#${target}`, reenter: true, ...write }
        return [outcome === 'error' ? 'error.*' : outcome, edge]
      }),
    ),
  }
}

const end = (id: string): StateConfig => ({ id, type: 'final' })

const isWriting = (outcome: string, { out }: WorkingNode): boolean =>
  /^(done|human\.)/.test(outcome) && channelsWrittenBy(out).length > 0

/** Every region is an area; the last one to end shows whether one of them has failed. */
function parallelOf(spec: Spec, name: string, node: RegionsNode): StateConfig {
  const areas = regionsOf(name, node)
  const failures = areas.flatMap(({ nodes }) =>
    Object.entries(nodes).filter(([, inner]) => isFinal(inner) && inner.final === 'failure'),
  )
  const { done, 'done.failed': failed, cancelled } = node.on
  const onFailure = {
    guard: or(failures.map(([end]) => stateIn(`#${end}`))),
    target: `#${failed}`,
    meta: { outcome: 'done.failed' },
  }
  return {
    id: name,
    type: 'parallel',
    states: Object.fromEntries(
      areas.map(area => {
        const states = areaStates(spec, area, workingNodes(area))
        return [area.region.slice(name.length + 1), { id: area.region, initial: 'working', states }]
      }),
    ),
    onDone: [
      ...(failed === undefined || failures.length === 0 ? [] : [onFailure]),
      { target: `#${done}`, meta: { outcome: 'done' } },
    ],
    ...(cancelled === undefined ? {} : { on: { cancelled: `#${cancelled}` } }),
  }
}

interface Route {
  readonly rung: Rung
  readonly to?: string
  readonly region?: string
  /** For the chart only; guards ignore it. Edges that the policy disables stay, because the policy of a thread may change. */
  readonly from?: readonly Departure[]
}

/** Each edge names its region: an escape from one leaves the others where they are. */
function escapeEdges(spec: Spec, area: Area) {
  const { ladder, review } = spec.escape
  const { region } = area
  const isOn = (rung: Rung) => ladder?.includes(rung) ?? true
  const edge = (target: string, params: Route) => {
    return { guard: { type: 'route', params }, target: `#${target}` }
  }
  const unless = (isEnabled: unknown) => (isEnabled ? {} : { from: [] })
  return [
    ...alternativeTargets(spec, area).map(([to, from]) =>
      edge(to, { rung: 'alternative', to, region, from, ...unless(isOn('alternative')) }),
    ),
    ...rethinkNodes(spec)
      .filter(name => Object.hasOwn(area.nodes, name))
      .map(to => edge(to, { rung: 'rethink', to, region, ...unless(isOn('rethink')) })),
    edge(reviewId(area), { rung: 'review', region, ...unless(review && isOn('review')) }),
    ...(region === '' ? [edge('stopped', { rung: 'stop' })] : []),
  ]
}

/** The id of the review of an escape; every region has its own. */
const reviewId = ({ region }: Area): string => (region === '' ? 'review' : `${region}.review`)

/** Every node with the states whose `alternative` rung names it: none, where only a change of policy could name it. */
function alternativeTargets({ escape }: Spec, { nodes }: Area) {
  const departures = [
    ...Object.entries(escape.alternatives ?? {})
      .filter(([state]) => Object.hasOwn(nodes, state))
      .flatMap(([state, targets]) => targets.map((to): [string, Departure] => [to, { state }])),
    ...Object.entries(nodes).flatMap(([state, node]) =>
      outcomeEdges(node)
        .filter(([outcome]) => isFindingEdge(outcome))
        .map(([on, to]): [string, Departure] => [to, { state, on }]),
    ),
  ]
  const byTarget = Map.groupBy(departures, ([to]) => to)
  const from = (name: string) => (byTarget.get(name) ?? []).map(([, departure]) => departure)
  return Object.keys(nodes).map(name => [name, from(name)] as const)
}
