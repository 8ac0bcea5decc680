/** Lint: the faults of a graph before it runs, above all whether every cycle can be left; and the rules for single nodes. */
import { inlineGraphs, areasOf, channelsWrittenBy, isFinal, isRegions } from '../spec/spec.ts'
import { type Area, type Spec, regionsOf, targetsOf } from '../spec/spec.ts'
import { alternativeInLoop, cycleWithoutExit } from './cycle.ts'
import { reviewWithoutNotifier, smarterIsTheSame } from './declared.ts'
import { wrongArguments } from './arguments.ts'
import { missingContract } from './contract.ts'
import { neverWritten, unused } from './declared.ts'
import { flowOf, warning, deadlineOf, error, isUsable, labelsOf, reachedFrom } from './flow.ts'
import type { Flow, FlowEdge, Known, Remark } from './flow.ts'
import { defined } from '../../watch/data/json.ts'
import { listNames } from '../../watch/data/schema-faults.ts'
import { irreversibleToolRetried } from './repeated-write.ts'
import type { WorkingNode } from '../spec/node.ts'
import { unverifiedSuccess } from './unverified.ts'

export function unreachable(flow: Flow): Remark[] {
  const { spec, working, review, paths } = flow
  const reached = reachedFrom(flow, [spec.start ?? []].flat(), () => true)
  // A person who answers a review may send the thread to any node that works.
  const byPerson = review ? reachedFrom(flow, working.keys(), () => true) : reached
  const remedy = 'name it as the target of an edge, or remove it'
  return [...paths]
    .filter(([name]) => !reached.has(name))
    .map(([name, path]) =>
      byPerson.has(name)
        ? warning(path, `only a person who answers a review reaches '${name}': ${remedy}`)
        : error(path, `'${name}' is not reachable from the start: ${remedy}`),
    )
}

/** `cycle-without-exit` covers nodes that lead on without reaching an end. */
export function deadEnd(flow: Flow): Remark[] {
  return [...flow.working]
    .filter(([name]) => !leadsOn(flow, name))
    .map(([name, node]) => error(`${flow.paths.get(name)}.on`, deadEndText(name, node)))
}

function leadsOn({ from }: Flow, name: string): boolean {
  const outcomes = from(name).flatMap(({ kind, outcome }) => (kind === 'outcome' ? outcome : []))
  return outcomes.some(outcome => outcome.startsWith('done') || outcome === 'human.approved')
}

function deadEndText(name: string, node: WorkingNode): string {
  const isHuman = node.use === 'human'
  const outcome = isHuman ? 'human.approved' : 'done'
  const why = isHuman && 'done' in targetsOf(node) ? ' (a human node never ends with `done`)' : ''
  return `'${name}' has no edge for success${why}: name an edge for \`${outcome}\`, or make the node \`final\``
}

/** Graphs that run themselves, directly or through others. */
export function unboundedRecursion(flow: Flow): Remark[] {
  const { spec, working, recursive, finals, paths } = flow
  const recursing = new Map<string, string>()
  for (const [name, node] of working)
    if ('graph' in node && recursive.has(node.graph)) recursing.set(name, node.graph)
  const [first] = recursing.keys()
  if (first === undefined) return []
  const unlimited = spec.limits.depth === undefined ? new Set(recursing.values()) : []
  // Nodes that a run reaches although nothing that runs this graph again succeeds.
  const passable = ({ source, kind }: FlowEdge) =>
    kind !== 'idle' && !(kind === 'outcome' && recursing.has(source))
  const reached = reachedFrom(flow, [spec.start ?? []].flat(), passable)
  const isForced = ![...finals].some(name => reached.has(name))
  const forced = `every path to a final node passes '${first}', which runs this graph again: name an edge for \`error\` or \`loop\` there, or a path around it`
  return [
    ...[...unlimited].map(graph => {
      const message = `'${graph}' runs this graph again without a limit on depth: set limits.depth`
      return error(`graphs.${graph}`, message)
    }),
    ...(isForced ? [error(paths.get(first) ?? '', forced)] : []),
  ]
}

export function humanWithoutDeadline({ working, policy, paths }: Flow): Remark[] {
  return [...working].flatMap(([name, node]) => {
    if (node.use !== 'human') return []
    const path = paths.get(name)
    if (deadlineOf(node, policy) === undefined) {
      const message = `the question of '${name}' can stay open forever: set its \`deadline\`, or escape.review.deadline of the graph`
      return [error(`${path}.deadline`, message)]
    }
    const message = `'${name}' has no edge for an expired question, which leaves it to the escape policy: name an edge for \`human.expired\``
    return 'human.expired' in targetsOf(node) ? [] : [warning(`${path}.on`, message)]
  })
}

export function whenWithoutEdge({ working, paths }: Flow): Remark[] {
  return [...working].flatMap(([name, node]) => {
    const path = paths.get(name) ?? ''
    return [...labelsWithoutEdge(name, node, path), ...edgesWithoutLabel(name, node, path)]
  })
}

function labelsWithoutEdge(name: string, node: WorkingNode, path: string): Remark[] {
  const targets = targetsOf(node)
  return Object.keys(node.when ?? {}).flatMap(label => {
    const at = `${path}.when.${label}`
    if (node.use === 'human') {
      const message = `the outcome of '${name}' is \`human.approved\` or similar, and takes no label: remove it`
      return [warning(at, message)]
    }
    const message = `the label '${label}' has no edge: name an edge for \`done.${label}\`, or for \`done\``
    return 'done' in targets || `done.${label}` in targets ? [] : [error(at, message)]
  })
}

function edgesWithoutLabel(name: string, node: WorkingNode, path: string): Remark[] {
  const labels = labelsOf(node)
  if (labels === undefined) return []
  const named = listNames([...labels].map(label => `done.${label}`))
  const ends = labels.size > 0 ? `: it ends with ${named}` : ''
  const message = `'${name}' never ends with this label${ends}; name it under \`when\`, or correct the edge`
  const report = node.use === 'model' ? error : warning
  return Object.keys(targetsOf(node))
    .filter(outcome => outcome.startsWith('done.') && !labels.has(outcome.slice('done.'.length)))
    .map(outcome => report(`${path}.on.${outcome}`, message))
}

/** A set of regions is done when all have ended: a region without an end blocks it forever. */
export function endlessRegion(flow: Flow): Remark[] {
  return areasOf(flow.spec)
    .filter(({ region }) => region !== '')
    .filter(({ start = '', nodes }) => {
      const isInside = (name: string) => Object.hasOwn(nodes, name)
      const reached = reachedFrom(flow, [start], edge => isUsable(edge) && isInside(edge.target))
      return ![...reached].some(name => nodes[name] && isFinal(nodes[name]))
    })
    .map(({ region, path }) => {
      const message = `the region '${region}' has no path from its start to an end, which blocks its set of regions: lead it to a \`final\` node of the region`
      return error(path.replace(/\.nodes$/, ''), message)
    })
}

/** Of concurrent writes the last one stays, in an arbitrary order. */
export function sharedChannel({ spec }: Flow): Remark[] {
  return Object.entries(spec.nodes).flatMap(([name, node]) => {
    if (!isRegions(node)) return []
    const writers = new Map<string, string>()
    return regionsOf(name, node).flatMap(area =>
      [...lastChannelsOf(spec, area)].flatMap(([channel, path]) => {
        const other = writers.get(channel)
        writers.set(channel, other ?? path)
        const message = `${other} writes '${channel}' at the same time, and the last write wins: give each region a separate channel, or the channel another reducer`
        return other === undefined ? [] : [warning(path, message)]
      }),
    )
  })
}

/** The channels with the reducer `last` that a region writes, each with the first place. */
function lastChannelsOf({ channels }: Flow['spec'], { path, nodes }: Area) {
  const written = Object.entries(nodes).flatMap(([name, node]) =>
    isFinal(node) || isRegions(node)
      ? []
      : channelsWrittenBy(node.out).map(channel => [channel, `${path}.${name}.out`] as const),
  )
  return new Map(written.filter(([channel]) => channels[channel]?.reducer === 'last').reverse())
}

const RULES = {
  unreachable,
  'dead-end': deadEnd,
  'cycle-without-exit': cycleWithoutExit,
  'alternative-in-loop': alternativeInLoop,
  'human-without-deadline': humanWithoutDeadline,
  'irreversible-tool-on-retried-edge': irreversibleToolRetried,
  'when-without-edge': whenWithoutEdge,
  'endless-region': endlessRegion,
  'shared-channel': sharedChannel,
  'smarter-is-the-same': smarterIsTheSame,
  'unreachable-recipient': reviewWithoutNotifier,
  'never-written': neverWritten,
  'wrong-arguments': wrongArguments,
  unused,
  'unbounded-recursion': unboundedRecursion,
  'unverified-success': unverifiedSuccess,
  'no-output-contract': missingContract,
}

type Rule = keyof typeof RULES

/** The edges of a hand-written statechart are not in the spec: only names are checked. */
const MACHINE_RULES: readonly Rule[] = ['unused', 'unbounded-recursion']

export interface LintFinding extends Remark {
  readonly rule: Rule
  /** The spec lists it under `accept`: it stays visible and has no effect. */
  readonly accepted: boolean
}

/**
 * All findings for a sound spec; `readSpec` finds unknown names. Findings of severity `error` that are not `accepted` reject
 * the graph.
 * @example lint(spec).filter(({ severity, accepted }) => severity === 'error' && !accepted)
 */
export function lint(spec: Spec, known: Known = {}): LintFinding[] {
  const flow = flowOf(spec, known)
  const rules = spec.machine === undefined ? (Object.keys(RULES) as Rule[]) : MACHINE_RULES
  const found = [
    ...rules.flatMap(rule => RULES[rule](flow).map(remark => ({ rule, ...remark }))),
    ...inlineGraphs(spec).flatMap(([name, graph]) =>
      lint(graph, defined({ code: flow.code.graphs?.[name] }))
        .filter(({ accepted }) => !accepted)
        .map(finding => ({ ...finding, path: `graphs.${name}.${finding.path}` })),
    ),
  ]
  const accepted = new Set(spec.accept.map(entry => entry.trim()))
  const keys = new Set(found.map(keyOf))
  return [
    ...found.map(finding => ({ ...finding, accepted: accepted.has(keyOf(finding)) })),
    // An acceptance that outlives its finding would hide the next one at that place.
    ...spec.accept.flatMap((entry, index): LintFinding[] => {
      if (keys.has(entry.trim())) return []
      const remark = warning(`accept[${index}]`, `lint does not find '${entry}': remove it`)
      return [{ ...remark, rule: 'unused', accepted: false }]
    }),
  ]
}

/** The form of a finding in `accept`. */
const keyOf = ({ rule, path }: Pick<LintFinding, 'rule' | 'path'>): string => `${rule} ${path}`
