/** Lint: ways out that lead back into the loop they were to lead out of. */
import type { Remark } from './finding.ts'
import {
  type Flow,
  type FlowEdge,
  actsBlindly,
  reachedFrom,
  reaching,
  isRun,
  isUsable,
  cycleText,
} from './flow.ts'

export function alternativeInLoop(flow: Flow): Remark[] {
  const escapes = flow.edges.filter(({ kind }) => kind === 'escape')
  const alive = reaching(flow, flow.finals, isUsable)
  return flow.cycles.flatMap(names => {
    const members = new Set(names)
    const cycle: Cycle = { names, members, distance: exitDistances(flow, members, alive) }
    return escapes
      .filter(({ source }) => members.has(source))
      .flatMap(edge => judgeEdge(flow, edge, cycle))
  })
}

interface Cycle {
  readonly names: readonly string[]
  readonly members: ReadonlySet<string>
  /** How many edges lead from a member out of the cycle, towards an end. */
  readonly distance: (member: string) => number
}

function judgeEdge(flow: Flow, edge: FlowEdge, cycle: Cycle): Remark[] {
  const { target, outcome, path } = edge
  const remark = (severity: Remark['severity'], why: string): Remark[] => [
    {
      rule: 'alternative-in-loop',
      severity,
      path,
      message: `${why}: name a node that leads out of ${cycleText(flow, cycle.names)}`,
    },
  ]
  if (!cycle.members.has(target))
    return leadsBack(flow, target, cycle)
      ? remark(
          'warning',
          `every way from '${target}' leads back into the cycle, and nothing on it decides anew`,
        )
      : []
  const always = isOnEveryLoop(flow, edge, cycle)
  // The ladder never goes to a state of the very loop it has found.
  if (always && outcome === 'loop')
    return remark(
      'error',
      `'${target}' lies on every loop through '${edge.source}', so this edge is never taken`,
    )
  if (cycle.distance(target) < cycle.distance(edge.source)) return []
  return always
    ? remark(
        'error',
        `'${target}' lies on every loop through '${edge.source}', and no nearer to a way out`,
      )
    : remark(
        'warning',
        `'${target}' belongs to a cycle around '${edge.source}', and is no nearer to a way out`,
      )
}

/**
 * Without the nodes of the cycle nothing leads from here to an end, and nobody on the way decides anew, as a node that
 * plans again would. Where nothing leads to the cycle either, `dead-end` tells of it.
 */
function leadsBack(flow: Flow, target: string, { members }: Cycle): boolean {
  const past = [...reachedFrom(flow, [target], edge => isUsable(edge) && !members.has(edge.source))]
  return (
    past.some(name => members.has(name)) &&
    past.every(name => members.has(name) || actsBlindly(flow, name))
  )
}

/** Past the target nothing leads from the source back to it. */
function isOnEveryLoop(flow: Flow, { source, target }: FlowEdge, { members }: Cycle): boolean {
  if (source === target) return true
  const past = reachedFrom(
    flow,
    [source],
    edge => isRun(edge) && members.has(edge.target) && edge.target !== target,
  )
  return !flow.into(source).some(edge => isRun(edge) && past.has(edge.source))
}

/** Walked backwards from all ways out at once. */
function exitDistances(
  { from, into }: Flow,
  members: ReadonlySet<string>,
  alive: ReadonlySet<string>,
): Cycle['distance'] {
  const leaving = [...members].filter(name =>
    from(name).some(edge => isRun(edge) && !members.has(edge.target) && alive.has(edge.target)),
  )
  const distances = new Map(leaving.map(name => [name, 1]))
  // A map is walked in the order of insertion, what is added on the way included: the nearest first.
  for (const [name, distance] of distances) {
    for (const edge of into(name))
      if (isRun(edge) && members.has(edge.source) && !distances.has(edge.source))
        distances.set(edge.source, distance + 1)
  }
  return name => distances.get(name) ?? Number.POSITIVE_INFINITY
}
