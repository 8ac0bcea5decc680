/** A graph spec as lint walks it: every edge a run may take, and its cause. */
import type { Json } from '../../watch/data/json.ts'
import type { Policy } from '../../watch/policy/policy.ts'
import { cyclesIn, type Pair, pathText, roundTrip } from '../spec/cycle.ts'
import { type Walk, walkOf } from './walk.ts'
import { listNames } from '../../watch/data/schema-faults.ts'
import { REJECTED, type WorkingNode } from '../spec/node.ts'
import { areasOf, continuationsIn, isFinal, isFindingEdge, isRegions } from '../spec/spec.ts'
import { type Spec, ofKind, outcomeEdges, pathsOf, workingNodes, policyOf } from '../spec/spec.ts'

/** One thing a rule finds. */
export interface Remark {
  readonly severity: 'error' | 'warning'
  /** The place in the spec, as `nodes.B.on.done`. */
  readonly path: string
  readonly message: string
}

export function error(path: string, message: string): Remark {
  return { severity: 'error', path, message }
}

export function warning(path: string, message: string): Remark {
  return { severity: 'warning', path, message }
}

export interface FlowEdge {
  readonly source: string
  readonly target: string
  /** The outcome as it stands in `on`; `alternative` for `escape.alternatives`, `explore` for `escape.explore`. */
  readonly outcome: string
  /**
   * - `outcome`: the work succeeds; `failure`: it fails
   * - `escape`: the `alternative` rung of the ladder takes it
   * - `idle`: a run never takes it by itself (a cancellation, an outcome this node cannot have, a disabled rung)
   */
  readonly kind: 'outcome' | 'failure' | 'escape' | 'idle'
  readonly path: string
}

/** What lint knows of a graph besides its spec. */
export interface Known {
  /** The graphs of the spec that run it again. */
  readonly recursive?: ReadonlySet<string>
  /** The bound graph. */
  readonly code?: Code
}

export interface ToolCode {
  readonly checkResult?: unknown
  /** Checks and coerces arguments. What it throws for wrong ones has `faults`. */
  parse?(args: Json): unknown
  readonly effects?: 'read' | 'write'
  readonly idempotent?: boolean
}

/** The part of a bound graph that lint reads. */
export interface Code {
  readonly tools: Readonly<Record<string, ToolCode>>
  readonly graphs?: Readonly<Record<string, Code>>
}

export interface Flow extends Required<Known> {
  readonly spec: Spec
  readonly policy: Policy
  readonly paths: ReadonlyMap<string, string>
  readonly edges: readonly FlowEdge[]
  readonly from: (name: string) => readonly FlowEdge[]
  readonly into: (name: string) => readonly FlowEdge[]
  readonly walk: Walk<FlowEdge>
  readonly working: ReadonlyMap<string, WorkingNode>
  /** The nodes where the run ends. The end of a region continues where its set of regions does. */
  readonly finals: ReadonlySet<string>
  /** The cycles of outcomes and failures, which need no escape. */
  readonly cycles: readonly (readonly string[])[]
  readonly review: boolean
}

export type Passable = (edge: FlowEdge) => boolean

/** Every edge the run may take by itself. */
export const isUsable: Passable = ({ kind }) => kind !== 'idle'
/** Every edge the run takes without an escape. */
export const isRun: Passable = ({ kind }) => kind === 'outcome' || kind === 'failure'

export function flowOf(spec: Spec, { recursive = new Set(), code = { tools: {} } }: Known): Flow {
  const policy = policyOf(spec)
  const paths = pathsOf(spec)
  const working = new Map(workingNodes(spec))
  const edges = [
    ...[...working].flatMap(([name, node]) => {
      const kindOf = kindsOf(node, policy)
      return outcomeEdges(node).map(([outcome, target]): FlowEdge => {
        const path = `${paths.get(name)}.on.${outcome}`
        return { source: name, target, outcome, kind: kindOf(outcome), path }
      })
    }),
    ...regionEdges(spec, policy),
    ...alternativeEdges(spec, policy),
  ]
  const outwards = Map.groupBy(edges, ({ source }) => source)
  const inwards = Map.groupBy(edges, ({ target }) => target)
  return {
    spec,
    policy,
    recursive,
    code,
    paths,
    edges,
    from: name => outwards.get(name) ?? [],
    into: name => inwards.get(name) ?? [],
    walk: walkOf([...paths.keys()], edges),
    working,
    finals: new Set(Object.keys(spec.nodes).filter(name => isFinal(spec.nodes[name] as never))),
    cycles: cyclesOf({ paths, edges }, isRun),
    review: policy.escape.review !== undefined && isOn('review', policy),
  }
}

/** The cycles of passable edges. */
export const cyclesOf = ({ paths, edges }: Pick<Flow, 'paths' | 'edges'>, passable: Passable) =>
  cyclesIn([...paths.keys()], pairsOf(edges.filter(passable)))

const pairsOf = (edges: readonly FlowEdge[]): readonly Pair[] =>
  edges.map(({ source, target }) => [source, target] as const)

/** All nodes that these lead to, themselves included. */
export const reachedFrom = ({ walk }: Flow, sources: Iterable<string>, passable: Passable) =>
  walk.forwards(sources, passable)

/** All nodes that lead to one of these, themselves included. */
export const reaching = ({ walk }: Flow, targets: Iterable<string>, passable: Passable) =>
  walk.backwards(targets, passable)

/** The cycle for people: a shortest round trip, and its other members. */
export function cycleText({ from }: Flow, cycle: readonly string[]): string {
  const members = new Set(cycle)
  const inside = cycle.flatMap(from).filter(edge => isRun(edge) && members.has(edge.target))
  const round = roundTrip(cycle[0] ?? '', pairsOf(inside))
  const shown = new Set(round)
  const others = cycle.filter(name => !shown.has(name))
  return `${pathText(round)}${others.length > 0 ? ` (with ${listNames(others)})` : ''}`
}

/** The tool of a `tool` or `verify` node. Other nodes receive a failed call as a value, and continue. */
export const toolOf = (node: WorkingNode | undefined): string | undefined =>
  (ofKind(node, 'tool') ?? ofKind(node, 'verify'))?.tool

/** The longest time for an answer, in ms; `undefined`: unlimited. */
export const deadlineOf = (node: WorkingNode, { escape }: Policy): number | undefined =>
  ofKind(node, 'human')?.deadline ?? escape.review?.deadline

/** Edges into each region, and from its ends to the targets of the set, as if each region were the last to end. */
function regionEdges(spec: Spec, policy: Policy): FlowEdge[] {
  return areasOf(spec).flatMap(({ region, start, nodes }) => {
    const set = region.split('.')[0] ?? ''
    const around = spec.nodes[set]
    if (!around || !isRegions(around) || start === undefined) return []
    const { done, 'done.failed': failed = done, budget } = around.on
    const targets = { done, 'done.failed': failed, budget }
    const ends = { success: 'done', failure: 'done.failed' } as const
    const path = `nodes.${set}.regions`
    return [
      { source: set, target: start, outcome: 'done', kind: 'outcome' as const, path },
      ...Object.entries(nodes).flatMap(([source, node]) => {
        const outcome = isFinal(node) ? ends[node.final] : 'budget'
        const target = targets[outcome]
        const kind = isFinal(node) ? ('outcome' as const) : alternativeKind(policy)
        if (target === undefined) return []
        return { source, target, outcome, kind, path: `nodes.${set}.on.${outcome}` }
      }),
    ]
  })
}

function alternativeEdges(spec: Spec, policy: Policy): FlowEdge[] {
  const { alternatives, explore } = policy.escape
  const kind = alternativeKind(policy)
  const continuations = continuationsIn(spec)
  return [
    ...Object.entries(alternatives).flatMap(([source, targets]) =>
      targets.map((target, index) => {
        const path = `escape.alternatives.${source}[${index}]`
        return { source, target, outcome: 'alternative', kind, path }
      }),
    ),
    ...explore.flatMap((source, index) =>
      continuations(source).map(target => {
        return { source, target, outcome: 'explore', kind, path: `escape.explore[${index}]` }
      }),
    ),
  ]
}

const alternativeKind = (policy: Policy): FlowEdge['kind'] =>
  isOn('alternative', policy) ? 'escape' : 'idle'

function isOn(rung: 'alternative' | 'review', { escape }: Policy): boolean {
  const { perLoop, total } = escape.budget[rung]
  return escape.ladder.includes(rung) && perLoop > 0 && total > 0
}

/** The kinds of the edges of a node, by their outcomes. */
function kindsOf(node: WorkingNode, policy: Policy): (outcome: string) => FlowEdge['kind'] {
  const canEnd = endsOf(node, policy)
  return outcome => {
    if (isFindingEdge(outcome)) return alternativeKind(policy)
    if (!canEnd(outcome)) return 'idle'
    return /^(done|human\.)/.test(outcome) ? 'outcome' : 'failure'
  }
}

/** Whether the work of this node can have an outcome. */
function endsOf(node: WorkingNode, policy: Policy): (outcome: string) => boolean {
  const labels = labelsOf(node)
  return outcome => {
    if (outcome === 'cancelled') return false
    if (outcome === 'human.expired')
      return node.use === 'human' && deadlineOf(node, policy) !== undefined
    if (node.use === 'human' || outcome.startsWith('human.'))
      return node.use === 'human' && outcome.startsWith('human.')
    if (outcome.startsWith('done.')) return labels?.has(outcome.slice('done.'.length)) ?? true
    return outcome === 'done' || node.use !== 'pass'
  }
}

/** The labels of the outcomes of built-in nodes, beside those of `when`. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  pass: [],
  tool: [],
  graph: [],
  model: ['command', 'answer'],
  tools: ['completed'],
  map: ['partial'],
  verify: [REJECTED],
}

/** The labels that the outcome of a node can have, if it is built in. */
export function labelsOf({ use, when = {} }: WorkingNode): ReadonlySet<string> | undefined {
  const labels = Object.hasOwn(LABELS, use) ? LABELS[use] : undefined
  return labels && new Set([...labels, ...Object.keys(when)])
}

/** Whether a node works without a decision; a model, a person or custom code checks what has happened. */
export function actsBlindly({ working, finals }: Flow, name: string): boolean {
  const use = working.get(name)?.use
  // A set of regions, and the end of one, decide nothing; the end of the run leads nowhere.
  return use === undefined ? !finals.has(name) : use === 'pass' || use === 'tool' || use === 'tools'
}
