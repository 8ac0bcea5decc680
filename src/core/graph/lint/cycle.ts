/** Lint: cycles that a run cannot leave, whichever tool has failed, and escapes that lead back into the loop they leave. */
import { actsBlindly, cycleText, error, isRun, isUsable, reachedFrom, reaching } from './flow.ts'
import { onEveryLoop } from './every-loop.ts'
import { memoized } from './memoized.ts'
import type { Reached } from './walk.ts'
import { type Remark, type Passable, type FlowEdge, type Flow, toolOf, warning } from './flow.ts'

type Names = ReadonlySet<string>

export function cycleWithoutExit(flow: Flow): Remark[] {
  const ends = endsOf(flow)
  const alive = reaching(flow, ends, isUsable)
  const isOpen = ([first = '']: readonly string[]) => alive.has(first)
  const open = flow.cycles.filter(isOpen)
  const closed = flow.cycles.filter(cycle => !isOpen(cycle))
  const tools = [...new Set([...flow.working.values()].flatMap(node => toolOf(node) ?? []))]
  const needs = neededTools(flow)
  const textOf = memoized((cycle: readonly string[]) => cycleText(flow, cycle))
  return [
    ...closed.map(cycle => noExit(flow, cycle)),
    ...tools.flatMap(tool => cyclesLostWithTool(flow, tool, { open, ends, needs, textOf })),
  ]
}

/** Finals, and nodes without edges: `dead-end` reports those, and their repair repairs every cycle that leads there. */
function endsOf({ finals, working, edges }: Flow): ReadonlySet<string> {
  const leading = new Set(edges.filter(isUsable).map(({ source }) => source))
  return new Set([...finals, ...[...working.keys()].filter(name => !leading.has(name))])
}

function noExit(flow: Flow, cycle: readonly string[]): Remark {
  const path = flow.paths.get(cycle[0] ?? '') ?? ''
  const text = cycleText(flow, cycle)
  const remedy =
    'name an edge out of it (an outcome, `error`, `loop` or `stall`), or a target in escape.alternatives'
  const forced = `the cycle ${text} has no path to a final node, and escapes can only stop it: ${remedy}`
  return canPersonEnd(flow, isUsable)
    ? warning(path, `the cycle ${text} has no exit but a review by a person: ${remedy}`)
    : error(path, forced)
}

interface Cycles {
  readonly open: Flow['cycles']
  readonly ends: Names
  readonly needs: Needs
  readonly textOf: (cycle: readonly string[]) => string
}

/** The nodes that close an open cycle once every call of this tool fails permanently. */
function cyclesLostWithTool(flow: Flow, tool: string, { open, ends, needs, textOf }: Cycles) {
  const passable: Passable = edge => isUsable(edge) && needs.get(edge) !== tool
  const alive = reaching(flow, ends, passable)
  const held = new Map<string, readonly string[]>()
  const passed = new Set<string>()
  for (const cycle of open) {
    // An earlier cycle that leads to a node also leads to all nodes after it.
    const stuck = cycle.filter(name => !alive.has(name) && !passed.has(name))
    if (stuck.length === 0) continue
    const isNew: Passable = edge => passable(edge) && !passed.has(edge.target)
    for (const name of reachedFrom(flow, stuck, isNew)) {
      passed.add(name)
      if (toolOf(flow.working.get(name)) === tool) held.set(name, cycle)
    }
  }
  if (held.size === 0) return []
  const byPerson = canPersonEnd(flow, passable)
  return [...held].map(([name, cycle]) => {
    const why = hasEdgeForOutage(flow, name)
      ? `the edges of '${name}' for a failure lead back or nowhere`
      : `'${name}' has no edge for it`
    const rest = byPerson ? 'only a review by a person leads out' : 'escapes can only stop it'
    const message = `if tool '${tool}' fails permanently, the cycle ${textOf(cycle)} has no path to a final node: ${why}, and ${rest}; name an edge for \`error\` that leads out, or a target in escape.alternatives.${name}`
    return (byPerson ? warning : error)(flow.paths.get(name) ?? '', message)
  })
}

/** Whether a person, who can send the thread to any node, can lead it to an end. */
function canPersonEnd(flow: Flow, passable: Passable): boolean {
  const { review, finals, working } = flow
  return review && [...reaching(flow, finals, passable)].some(name => working.has(name))
}

/** The tool that each edge needs: while every call of it fails, the edge cannot be taken. */
type Needs = ReadonlyMap<FlowEdge, string>

function neededTools(flow: Flow): Needs {
  const hasEdge = memoized((name: string) => hasEdgeForOutage(flow, name))
  const needed = flow.edges.flatMap(edge => {
    const tool = toolOf(flow.working.get(edge.source))
    const isEscape = edge.outcome === 'alternative' || edge.outcome === 'explore'
    if (tool === undefined || isEscape) return []
    // A failure without an edge reaches the ladder as a failure, which ignores the edges `loop` and `stall`.
    const isLeft = edge.kind !== 'outcome' && hasEdge(edge.source)
    return isLeft ? [] : [[edge, tool] as const]
  })
  return new Map(needed)
}

/** The outcomes of a tool that is down. A breaker opens, and time runs out, only after one of these. */
const DOWN: readonly string[] = ['error', 'error.transient', 'error.persistent', 'error.unknown']

const hasEdgeForOutage = ({ from }: Flow, name: string): boolean =>
  from(name).some(({ outcome, kind }) => kind === 'failure' && DOWN.includes(outcome))

interface EscapedCycle {
  readonly text: string
  readonly members: Names
  /** The number of edges from a member out of the cycle, towards an end. */
  readonly distance: (member: string) => number
  /** The members on every loop through a member. `undefined` if it is on no loop. */
  readonly onEveryLoop: (member: string) => Names | undefined
  /** Whether every path from a node to an end passes the cycle. */
  readonly leadsBack: (target: string) => boolean
}

export function alternativeInLoop(flow: Flow): Remark[] {
  // Of a node's own edges, the ladder leaves out those in the loop.
  const escapes = flow.edges.filter(edge => edge.kind === 'escape' && edge.outcome !== 'explore')
  const around: Around = {
    alive: reaching(flow, flow.finals, isUsable),
    deciding: [...flow.paths.keys()].filter(name => !actsBlindly(flow, name)),
  }
  const cycleOf = new Map(flow.cycles.flatMap(names => names.map(name => [name, names] as const)))
  const byCycle = Map.groupBy(escapes, ({ source }) => cycleOf.get(source))
  return flow.cycles.flatMap(names => {
    const leaving = byCycle.get(names) ?? []
    if (leaving.length === 0) return []
    const cycle = escapedCycle(flow, names, around)
    return leaving.flatMap(edge => judgeEdge(edge, cycle))
  })
}

interface Around {
  /** The nodes that lead to an end. */
  readonly alive: Reached
  /** The nodes that check what has happened. */
  readonly deciding: readonly string[]
}

function escapedCycle(flow: Flow, names: readonly string[], around: Around): EscapedCycle {
  const members = new Set(names)
  return {
    text: cycleText(flow, names),
    members,
    distance: exitDistances(flow, members, around.alive),
    onEveryLoop: everyLoopIn(flow, names),
    leadsBack: leadingBack(flow, members, around.deciding),
  }
}

/** The members of a cycle are numbered once: a node may have an escape to each other node. */
function everyLoopIn(flow: Flow, names: readonly string[]): EscapedCycle['onEveryLoop'] {
  const places = new Map(names.map((name, place) => [name, place]))
  const nextOf = (name: string) =>
    flow.from(name).flatMap(edge => (isRun(edge) ? (places.get(edge.target) ?? []) : []))
  const next = names.map(name => [...new Set(nextOf(name))])
  return memoized(member => {
    const every = onEveryLoop(places.get(member) ?? 0, next)
    return every && new Set([...every].map(place => names[place] ?? ''))
  })
}

function judgeEdge(edge: FlowEdge, cycle: EscapedCycle): Remark[] {
  const { source, target, outcome, path } = edge
  const text = (why: string) => `${why}: name a node that leads out of ${cycle.text}`
  if (!cycle.members.has(target)) {
    const why = `every path from '${target}' leads back into the cycle without a new decision`
    return cycle.leadsBack(target) ? [warning(path, text(why))] : []
  }
  const always = cycle.onEveryLoop(source)?.has(target) ?? true
  const onEvery = `'${target}' is on every loop through '${source}'`
  // The ladder never goes to a state of the loop it has found.
  if (always && outcome === 'loop')
    return [error(path, text(`${onEvery}, which means this edge is never taken`))]
  if (cycle.distance(target) < cycle.distance(source)) return []
  const around = `'${target}' is in a cycle around '${source}'`
  const why = text(`${always ? onEvery : around}, and no closer to an exit`)
  return [always ? error(path, why) : warning(path, why)]
}

/**
 * Whether every path from a node outside to an end passes the cycle, and no node on the way decides again, as a node that plans
 * would. `dead-end` reports targets without a path to the cycle.
 */
function leadingBack(flow: Flow, members: Names, deciding: readonly string[]) {
  const isOutside: Passable = edge => isUsable(edge) && !members.has(edge.source)
  const others = deciding.filter(name => !members.has(name))
  const leading = memoized((to: Iterable<string>) => reaching(flow, to, isOutside))
  return (target: string): boolean => leading(members).has(target) && !leading(others).has(target)
}

/** Walks backwards from all exits at once. */
function exitDistances({ from, into }: Flow, members: Names, alive: Reached) {
  const isExit = (name: string) => alive.has(name) && !members.has(name)
  const leaving = [...members].filter(name =>
    from(name).some(edge => isRun(edge) && isExit(edge.target)),
  )
  const distances = new Map(leaving.map(name => [name, 1]))
  // A map is iterated in insertion order, including names that are added meanwhile: the nearest first.
  for (const [name, distance] of distances)
    for (const edge of into(name))
      if (isRun(edge) && members.has(edge.source) && !distances.has(edge.source))
        distances.set(edge.source, distance + 1)
  return (name: string): number => distances.get(name) ?? Number.POSITIVE_INFINITY
}
