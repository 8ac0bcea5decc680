/** Lint: escapes that lead back into the loop they leave. */
import {
  actsBlindly,
  cycleText,
  error,
  type Flow,
  isRun,
  isUsable,
  reachedFrom,
  reaching,
  type Remark,
  warning,
} from './flow.ts'

type Edge = Flow['edges'][number]

interface Cycle {
  readonly text: string
  readonly members: ReadonlySet<string>
  /** The number of edges from a member out of the cycle, towards an end. */
  readonly distance: (member: string) => number
}

export function alternativeInLoop(flow: Flow): Remark[] {
  const escapes = flow.edges.filter(({ kind }) => kind === 'escape')
  const alive = reaching(flow, flow.finals, isUsable)
  return flow.cycles.flatMap(names => {
    const members = new Set(names)
    const distance = exitDistances(flow, members, alive)
    const cycle = { text: cycleText(flow, names), members, distance }
    return escapes
      .filter(({ source }) => members.has(source))
      .flatMap(edge => judgeEdge(flow, edge, cycle))
  })
}

function judgeEdge(flow: Flow, edge: Edge, cycle: Cycle): Remark[] {
  const { source, target, outcome, path } = edge
  const text = (why: string) => `${why}: name a node that leads out of ${cycle.text}`
  if (!cycle.members.has(target)) {
    const why = `every path from '${target}' leads back into the cycle without a new decision`
    return leadsBack(flow, target, cycle) ? [warning(path, text(why))] : []
  }
  const always = isOnEveryLoop(flow, edge, cycle)
  const onEvery = `'${target}' is on every loop through '${source}'`
  // The ladder never goes to a state of the loop it has found.
  if (always && outcome === 'loop')
    return [error(path, text(`${onEvery}, which means this edge is never taken`))]
  if (cycle.distance(target) < cycle.distance(source)) return []
  return always
    ? [error(path, text(`${onEvery}, and no closer to an exit`))]
    : [
        warning(
          path,
          text(`'${target}' is in a cycle around '${source}', and no closer to an exit`),
        ),
      ]
}

/**
 * Whether every path to an end passes the cycle, and no node on the way decides again, as a node that plans would.
 * `dead-end` reports targets without a path to the cycle.
 */
function leadsBack(flow: Flow, target: string, { members }: Cycle): boolean {
  const past = [...reachedFrom(flow, [target], edge => isUsable(edge) && !members.has(edge.source))]
  return (
    past.some(name => members.has(name)) &&
    past.every(name => members.has(name) || actsBlindly(flow, name))
  )
}

/** Whether every path from the source back to itself passes the target. */
function isOnEveryLoop(flow: Flow, { source, target }: Edge, { members }: Cycle): boolean {
  if (source === target) return true
  const past = reachedFrom(
    flow,
    [source],
    edge => isRun(edge) && members.has(edge.target) && edge.target !== target,
  )
  return !flow.into(source).some(edge => isRun(edge) && past.has(edge.source))
}

/** Walks backwards from all exits at once. */
function exitDistances(
  { from, into }: Flow,
  members: ReadonlySet<string>,
  alive: ReadonlySet<string>,
): Cycle['distance'] {
  const leaving = [...members].filter(name =>
    from(name).some(edge => isRun(edge) && !members.has(edge.target) && alive.has(edge.target)),
  )
  const distances = new Map(leaving.map(name => [name, 1]))
  // A map is iterated in insertion order, including names that are added meanwhile: the nearest first.
  for (const [name, distance] of distances)
    for (const edge of into(name))
      if (isRun(edge) && members.has(edge.source) && !distances.has(edge.source))
        distances.set(edge.source, distance + 1)
  return name => distances.get(name) ?? Number.POSITIVE_INFINITY
}
