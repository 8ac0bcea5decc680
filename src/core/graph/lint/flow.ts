/** A graph spec as lint walks it: every edge a run may take, and who takes it. */
import type { Policy } from '../../watch/policy/policy.ts'
import { cyclesIn, type Pair, pathText, roundTrip } from '../spec/cycle.ts'
import {
  areasOf,
  isFinal,
  isFindingEdge,
  isRegions,
  outcomeEdges,
  pathsOf,
  workingNodes,
} from '../spec/nodes.ts'
import { listNames } from '../spec/fault.ts'
import type { WorkingNode } from '../spec/node.ts'
import { policyOf, type Spec } from '../spec/spec.ts'

/**
 * - `outcome`: the work ends well; `failure`: it ends in a failure
 * - `escape`: the `alternative` rung of the ladder takes it
 * - `idle`: nothing the run does by itself takes it (a cancellation, an outcome this node cannot have, a rung that is off)
 */
export type FlowKind = 'outcome' | 'failure' | 'escape' | 'idle'

export interface FlowEdge {
  readonly source: string
  readonly target: string
  /** The outcome as it stands in `on`; `alternative` for `escape.alternatives`. */
  readonly outcome: string
  readonly kind: FlowKind
  readonly path: string
}

export interface Flow {
  readonly spec: Spec
  readonly policy: Policy
  /** Every node, by its name. */
  readonly names: readonly string[]
  readonly edges: readonly FlowEdge[]
  /** The edges out of a node, and those into it. */
  readonly from: (name: string) => readonly FlowEdge[]
  readonly into: (name: string) => readonly FlowEdge[]
  readonly working: ReadonlyMap<string, WorkingNode>
  /** Where the run ends. What ends a region leads on, to where its set of regions does. */
  readonly finals: ReadonlySet<string>
  /** Where a node stands in the spec, as `nodes.B`. */
  readonly placed: (name: string) => string
  /** What a run can go round without the escape mechanism: outcomes and failures alone. */
  readonly cycles: readonly (readonly string[])[]
  /** Somebody can be asked when nothing else leads on. */
  readonly review: boolean
}

export type Passable = (edge: FlowEdge) => boolean

/** Every edge the run itself may take. */
export const isUsable: Passable = ({ kind }) => kind !== 'idle'
/** Every edge the run takes without being let out. */
export const isRun: Passable = ({ kind }) => kind === 'outcome' || kind === 'failure'

export function flowOf(spec: Spec): Flow {
  const policy = policyOf(spec)
  const paths = pathsOf(spec)
  const names = [...paths.keys()]
  const working = new Map(workingNodes(spec))
  const placed = (name: string) => paths.get(name) ?? `nodes.${name}`
  const edges = [
    ...[...working].flatMap(([name, node]) => edgesOf(name, node, { policy, placed })),
    ...regionEdges(spec, policy),
    ...alternativesOf(policy),
  ]
  const outwards = Map.groupBy(edges, ({ source }) => source)
  const inwards = Map.groupBy(edges, ({ target }) => target)
  return {
    spec,
    policy,
    names,
    edges,
    from: name => outwards.get(name) ?? [],
    into: name => inwards.get(name) ?? [],
    working,
    finals: new Set(
      Object.entries(spec.nodes).flatMap(([name, node]) => (isFinal(node) ? [name] : [])),
    ),
    placed,
    cycles: cyclesIn(names, pairsOf(edges.filter(isRun))),
    review: policy.escape.review !== undefined && isOn('review', policy),
  }
}

export function pairsOf(edges: readonly FlowEdge[]): readonly Pair[] {
  return edges.map(({ source, target }) => [source, target] as const)
}

/** All nodes these lead to, themselves included. */
export function reachedFrom(
  { from }: Flow,
  sources: Iterable<string>,
  passable: Passable,
): ReadonlySet<string> {
  const reached = new Set(sources)
  // A set is walked in the order of insertion, what is added on the way included.
  for (const name of reached) {
    for (const edge of from(name)) if (passable(edge)) reached.add(edge.target)
  }
  return reached
}

/** All nodes that lead to one of these, themselves included. */
export function reaching(
  { into }: Flow,
  targets: Iterable<string>,
  passable: Passable,
): ReadonlySet<string> {
  const reached = new Set(targets)
  for (const name of reached) {
    for (const edge of into(name)) if (passable(edge)) reached.add(edge.source)
  }
  return reached
}

/** The cycle for people: a shortest way round, and what else belongs to it. */
export function cycleText({ from }: Flow, cycle: readonly string[]): string {
  const members = new Set(cycle)
  const inside = cycle.flatMap(name =>
    from(name).filter(edge => isRun(edge) && members.has(edge.target)),
  )
  const way = roundTrip(cycle[0] ?? '', pairsOf(inside))
  const round = new Set(way)
  const others = cycle.filter(name => !round.has(name))
  return `${pathText(way)}${others.length > 0 ? ` (with ${listNames(others)})` : ''}`
}

/** The tool a `use: tool` node calls. Other nodes get a failed call back as a value, and go on. */
export function toolOf(node: WorkingNode | undefined): string | undefined {
  return node?.use === 'tool' ? (node as { tool: string }).tool : undefined
}

/** The most a person may take, in ms; `undefined`: for ever. */
export function deadlineOf(node: WorkingNode, { escape }: Policy): number | undefined {
  return (node as { deadline?: number }).deadline ?? escape.review?.deadline
}

interface Of {
  readonly policy: Policy
  readonly placed: Flow['placed']
}

function edgesOf(name: string, node: WorkingNode, { policy, placed }: Of): FlowEdge[] {
  return outcomeEdges(node).map(([outcome, target]) => ({
    source: name,
    target,
    outcome,
    kind: kindOf(node, outcome, policy),
    path: `${placed(name)}.on.${outcome}`,
  }))
}

/** Into each region, and from what ends it to where the set of regions leads; as if each region were the last to end. */
function regionEdges(spec: Spec, policy: Policy): FlowEdge[] {
  return areasOf(spec).flatMap(({ region, start, nodes }) => {
    const set = region.split('.')[0] ?? ''
    const around = spec.nodes[set]
    if (!around || !isRegions(around) || start === undefined) return []
    const { done, 'done.failed': failed = done, budget } = around.on
    const path = `nodes.${set}.on`
    const ends = Object.entries(nodes).flatMap(([name, node]): FlowEdge[] => {
      if (!isFinal(node))
        return [
          {
            source: name,
            target: budget ?? '',
            outcome: 'budget',
            kind: isOn('alternative', policy) ? 'escape' : 'idle',
            path: `${path}.budget`,
          },
        ]
      const [outcome, target] = node.final === 'failure' ? ['done.failed', failed] : ['done', done]
      return [{ source: name, target, outcome, kind: 'outcome', path: `${path}.${outcome}` }]
    })
    const enters: FlowEdge = {
      source: set,
      target: start,
      outcome: 'done',
      kind: 'outcome',
      path: `nodes.${set}.regions`,
    }
    return [enters, ...ends.filter(({ target }) => target !== '')]
  })
}

function alternativesOf(policy: Policy): FlowEdge[] {
  const kind = isOn('alternative', policy) ? 'escape' : 'idle'
  return Object.entries(policy.escape.alternatives).flatMap(([source, targets]) =>
    targets.map(
      (target, index) =>
        ({
          source,
          target,
          outcome: 'alternative',
          kind,
          path: `escape.alternatives.${source}[${index}]`,
        }) as const,
    ),
  )
}

function isOn(rung: 'alternative' | 'review', { escape }: Policy): boolean {
  const { perLoop, total } = escape.budget[rung]
  return escape.ladder.includes(rung) && perLoop > 0 && total > 0
}

function kindOf(node: WorkingNode, outcome: string, policy: Policy): FlowKind {
  if (isFindingEdge(outcome)) return isOn('alternative', policy) ? 'escape' : 'idle'
  return canEnd(node, outcome, policy)
    ? outcome.startsWith('done') || outcome.startsWith('human.')
      ? 'outcome'
      : 'failure'
    : 'idle'
}

/** Whether the work of this node can end so. */
function canEnd(node: WorkingNode, outcome: string, policy: Policy): boolean {
  if (outcome === 'cancelled') return false
  if (node.use === 'human')
    return outcome === 'human.expired'
      ? deadlineOf(node, policy) !== undefined
      : outcome.startsWith('human.')
  if (outcome.startsWith('human.')) return false
  if (outcome.startsWith('done.'))
    return !isUnlabelled(node) || Object.hasOwn(node.when ?? {}, outcome.slice('done.'.length))
  return outcome === 'done' || node.use !== 'pass'
}

/** Nodes that name no label themselves: only `when` gives them one. */
export function isUnlabelled({ use }: WorkingNode): boolean {
  return use === 'pass' || use === 'tool' || use === 'graph'
}

/** Does what it is told, whatever has happened; a model, a person or your own code looks first. */
export function actsBlindly({ working, finals }: Flow, name: string): boolean {
  const use = working.get(name)?.use
  // A set of regions, and the end of one, decide nothing; the end of the run leads nowhere.
  return use === undefined ? !finals.has(name) : use === 'pass' || use === 'tool' || use === 'tools'
}
