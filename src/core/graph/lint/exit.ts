/** Lint: cycles that a run cannot leave. Every cycle needs an exit, whichever tool has failed. */
import {
  cycleText,
  error,
  type Flow,
  isUsable,
  reachedFrom,
  reaching,
  type Remark,
  toolOf,
  warning,
} from './flow.ts'

type Passable = Parameters<typeof reaching>[2]

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
  return canPersonEnd(flow, isUsable)
    ? warning(path, `the cycle ${text} has no exit but a review by a person: ${remedy}`)
    : error(
        path,
        `the cycle ${text} has no path to a final node, and escapes can only stop it: ${remedy}`,
      )
}

interface Cycles {
  /** Cycles that have an exit. */
  readonly open: readonly (readonly string[])[]
  readonly ends: ReadonlySet<string>
}

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
  return (
    flow.review && [...reaching(flow, flow.finals, passable)].some(name => flow.working.has(name))
  )
}

/** The edges that may be taken while every call of this tool fails. */
function withoutTool(flow: Flow, tool: string): Passable {
  return edge => {
    if (!isUsable(edge)) return false
    if (toolOf(flow.working.get(edge.source)) !== tool || edge.outcome === 'alternative')
      return true
    // A failure without an edge reaches the ladder as a failure, which ignores the edges `loop` and `stall`.
    return edge.kind !== 'outcome' && hasEdgeForOutage(flow, edge.source)
  }
}

/** The outcomes of a tool that is down. A breaker opens, and time runs out, only after one of these. */
const DOWN: readonly string[] = ['error', 'error.transient', 'error.persistent', 'error.unknown']

function hasEdgeForOutage({ from }: Flow, name: string): boolean {
  return from(name).some(({ outcome, kind }) => kind === 'failure' && DOWN.includes(outcome))
}
