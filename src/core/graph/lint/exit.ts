/** Lint: cycles a run cannot leave. The heart of the matter: whatever goes round must be able to get out, whichever tool has failed. */
import type { Remark } from './finding.ts'
import {
  type Flow,
  type Passable,
  reachedFrom,
  reaching,
  isUsable,
  toolOf,
  cycleText,
} from './flow.ts'

const RULE = 'cycle-without-exit'

export function cycleWithoutExit(flow: Flow): Remark[] {
  const ends = endsOf(flow)
  const alive = reaching(flow, ends, isUsable)
  const closed = flow.cycles.filter(([first = '']) => !alive.has(first))
  const open = flow.cycles.filter(([first = '']) => alive.has(first))
  const tools = [...new Set([...flow.working.values()].flatMap(node => toolOf(node) ?? []))]
  return [
    ...closed.map(cycle => noExit(flow, cycle)),
    ...tools.flatMap(tool => cyclesLostWithTool(flow, tool, { open, ends })),
  ]
}

/** Finals, and nodes without any edge: `dead-end` has told of those, and mending them mends every cycle that leads there. */
function endsOf({ finals, working, edges }: Flow): ReadonlySet<string> {
  const leading = new Set(edges.filter(isUsable).map(({ source }) => source))
  return new Set([...finals, ...[...working.keys()].filter(name => !leading.has(name))])
}

function noExit(flow: Flow, cycle: readonly string[]): Remark {
  const person = aPersonCan(flow, isUsable)
  const way = cycleText(flow, cycle)
  return {
    rule: RULE,
    severity: person ? 'warning' : 'error',
    path: flow.placed(cycle[0] ?? ''),
    message: person
      ? `only a person, asked by escape.review, leads out of the cycle ${way}: ${MEND}`
      : `nothing leads from the cycle ${way} to a final node, so all the escape mechanism can do is stop it: ${MEND}`,
  }
}

const MEND =
  'name an edge out of it (an outcome, `error`, `loop` or `stall`), or a way in escape.alternatives'

interface Open {
  readonly open: readonly (readonly string[])[]
  readonly ends: ReadonlySet<string>
}

/** The nodes where a cycle that has a way out is held fast once every call of this tool fails for good. */
function cyclesLostWithTool(flow: Flow, tool: string, { open, ends }: Open): Remark[] {
  const passable = withoutTool(flow, tool)
  const alive = reaching(flow, ends, passable)
  const held = new Map<string, readonly string[]>()
  for (const cycle of open) {
    const stuck = cycle.filter(name => !alive.has(name))
    for (const name of reachedFrom(flow, stuck, passable))
      if (toolOf(flow.working.get(name)) === tool && !held.has(name)) held.set(name, cycle)
  }
  const person = aPersonCan(flow, passable)
  return [...held].map(([name, cycle]) => ({
    rule: RULE,
    severity: person ? 'warning' : 'error',
    path: flow.placed(name),
    message: loss(flow, { name, tool, cycle, person }),
  }))
}

interface Held {
  readonly name: string
  readonly tool: string
  readonly cycle: readonly string[]
  readonly person: boolean
}

function loss(flow: Flow, { name, tool, cycle, person }: Held): string {
  const why = worksWithoutTools(flow, name)
    ? `what '${name}' names for a failure leads back or nowhere`
    : `'${name}' names no edge for it`
  const rest = person
    ? 'only a person, asked by escape.review, leads on'
    : 'all the escape mechanism can do is stop'
  return `if tool '${tool}' fails for good, the cycle ${cycleText(flow, cycle)} has no way to a final node: ${why}, and ${rest}; name an edge for \`error\` that leads out, or a way in escape.alternatives.${name}`
}

/** A person can send the thread to any node; that helps if one of them still leads to an end. */
function aPersonCan(flow: Flow, passable: Passable): boolean {
  return (
    flow.review && [...reaching(flow, flow.finals, passable)].some(name => flow.working.has(name))
  )
}

/** What may be taken while every call of this tool fails. */
function withoutTool(flow: Flow, tool: string): Passable {
  const holding = new Set(
    [...flow.working]
      .filter(([name, node]) => toolOf(node) === tool && !worksWithoutTools(flow, name))
      .map(([name]) => name),
  )
  return edge => {
    if (!isUsable(edge)) return false
    if (toolOf(flow.working.get(edge.source)) !== tool) return true
    // A failure without an edge goes to the ladder as a failure, which asks escape.alternatives and no named `loop` or `stall`.
    return edge.outcome === 'alternative' || (edge.kind !== 'outcome' && !holding.has(edge.source))
  }
}

/** The outcomes a tool that is down ends with. A breaker opens, and time runs out, only where these have been met before. */
const DOWN: readonly string[] = ['error', 'error.transient', 'error.persistent', 'error.unknown']

function worksWithoutTools({ from }: Flow, name: string): boolean {
  return from(name).some(({ outcome, kind }) => kind === 'failure' && DOWN.includes(outcome))
}
