/** Lint: cycles that a run cannot leave, whichever tool has failed, and escapes that lead back into the loop they leave. */
import { actsBlindly, cycleText, error, isRun, isUsable, reachedFrom, reaching } from './flow.ts'
import { onEveryLoop } from './every-loop.ts'
import { type Remark, type Passable, type FlowEdge, type Flow, toolOf, warning } from './flow.ts'

export function cycleWithoutExit(flow: Flow): Remark[] {
  const ends = endsOf(flow)
  const alive = reaching(flow, ends, isUsable)
  const isOpen = ([first = '']: readonly string[]) => alive.has(first)
  const open = flow.cycles.filter(isOpen)
  const closed = flow.cycles.filter(cycle => !isOpen(cycle))
  const tools = [...new Set([...flow.working.values()].flatMap(node => toolOf(node) ?? []))]
  return [
    ...closed.map(cycle => noExit(flow, cycle)),
    ...tools.flatMap(tool => cyclesLostWithTool(flow, tool, { open, ends })),
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

type Cycles = Readonly<{ open: Flow['cycles']; ends: ReadonlySet<string> }>

/** The nodes that close an open cycle once every call of this tool fails permanently. */
function cyclesLostWithTool(flow: Flow, tool: string, { open, ends }: Cycles): Remark[] {
  const passable = withoutTool(flow, tool)
  const alive = reaching(flow, ends, passable)
  const held = new Map<string, readonly string[]>()
  for (const cycle of open) {
    const stuck = cycle.filter(name => !alive.has(name))
    for (const name of reachedFrom(flow, stuck, passable))
      if (toolOf(flow.working.get(name)) === tool && !held.has(name)) held.set(name, cycle)
  }
  const byPerson = canPersonEnd(flow, passable)
  return [...held].map(([name, cycle]) => {
    const why = hasEdgeForOutage(flow, name)
      ? `the edges of '${name}' for a failure lead back or nowhere`
      : `'${name}' has no edge for it`
    const rest = byPerson ? 'only a review by a person leads out' : 'escapes can only stop it'
    const message = `if tool '${tool}' fails permanently, the cycle ${cycleText(flow, cycle)} has no path to a final node: ${why}, and ${rest}; name an edge for \`error\` that leads out, or a target in escape.alternatives.${name}`
    return (byPerson ? warning : error)(flow.paths.get(name) ?? '', message)
  })
}

/** Whether a person, who can send the thread to any node, can lead it to an end. */
function canPersonEnd(flow: Flow, passable: Passable): boolean {
  const { review, finals, working } = flow
  return review && [...reaching(flow, finals, passable)].some(name => working.has(name))
}

/** The edges that may be taken while every call of this tool fails. */
function withoutTool(flow: Flow, tool: string): Passable {
  return edge => {
    if (!isUsable(edge)) return false
    if (toolOf(flow.working.get(edge.source)) !== tool) return true
    if (edge.outcome === 'alternative' || edge.outcome === 'explore') return true
    // A failure without an edge reaches the ladder as a failure, which ignores the edges `loop` and `stall`.
    return edge.kind !== 'outcome' && hasEdgeForOutage(flow, edge.source)
  }
}

/** The outcomes of a tool that is down. A breaker opens, and time runs out, only after one of these. */
const DOWN: readonly string[] = ['error', 'error.transient', 'error.persistent', 'error.unknown']

const hasEdgeForOutage = ({ from }: Flow, name: string): boolean =>
  from(name).some(({ outcome, kind }) => kind === 'failure' && DOWN.includes(outcome))

type Names = ReadonlySet<string>

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
  const alive = reaching(flow, flow.finals, isUsable)
  return flow.cycles.flatMap(names => {
    const members = new Set(names)
    const distance = exitDistances(flow, members, alive)
    const cycle: EscapedCycle = {
      text: cycleText(flow, names),
      members,
      distance,
      // A node may have an escape to each other node.
      onEveryLoop: memoized(member => onEveryLoop(member, runEdges(flow, members))),
      leadsBack: memoized(target => leadsBack(flow, target, members)),
    }
    return escapes
      .filter(({ source }) => members.has(source))
      .flatMap(edge => judgeEdge(edge, cycle))
  })
}

const runEdges = (flow: Flow, members: Names) => (name: string) =>
  flow.from(name).flatMap(edge => (isRun(edge) && members.has(edge.target) ? edge.target : []))

function memoized<T>(compute: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>()
  return name => {
    if (!known.has(name)) known.set(name, compute(name))
    return known.get(name) as T
  }
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
 * Whether every path to an end passes the cycle, and no node on the way decides again, as a node that plans would.
 * `dead-end` reports targets without a path to the cycle.
 */
function leadsBack(flow: Flow, target: string, members: Names): boolean {
  const past = [...reachedFrom(flow, [target], edge => isUsable(edge) && !members.has(edge.source))]
  const outside = past.filter(name => !members.has(name))
  return outside.length < past.length && outside.every(name => actsBlindly(flow, name))
}

/** Walks backwards from all exits at once. */
function exitDistances({ from, into }: Flow, members: Names, alive: Names) {
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
