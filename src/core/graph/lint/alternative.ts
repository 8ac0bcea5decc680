/** Lint: ways out that lead back into the loop they were to lead out of. */
import { cyclesIn } from '../cycle.ts'
import type { Remark } from './finding.ts'
import { type Flow, type FlowEdge, isBlind, pairsOf, reachedFrom, reaching, run, taken, wayRound } from './flow.ts'

export function alternativeInLoop(flow: Flow): Remark[] {
  return flow.edges.filter(({ kind }) => kind === 'escape').flatMap(edge => flow.cycles.filter(cycle => cycle.includes(edge.source)).flatMap(cycle => judged(flow, edge, cycle)))
}

function judged(flow: Flow, edge: FlowEdge, cycle: readonly string[]): Remark[] {
  const { target, outcome, path } = edge
  const remark = (severity: Remark['severity'], why: string): Remark[] => [
    { rule: 'alternative-in-loop', severity, path, message: `${why}: name a node that leads out of ${wayRound(flow, cycle)}` },
  ]
  if (!cycle.includes(target))
    return leadsBack(flow, target, cycle) ? remark('warning', `every way from '${target}' leads back into the cycle, and nothing on it decides anew`) : []
  const always = isOnEveryLoop(flow, edge, cycle)
  // The ladder never goes to a state of the very loop it has found.
  if (always && outcome === 'loop') return remark('error', `'${target}' lies on every loop through '${edge.source}', so this edge is never taken`)
  if (exitDistance(flow, target, cycle) < exitDistance(flow, edge.source, cycle)) return []
  return always
    ? remark('error', `'${target}' lies on every loop through '${edge.source}', and no nearer to a way out`)
    : remark('warning', `'${target}' belongs to a cycle around '${edge.source}', and is no nearer to a way out`)
}

/**
 * Without the nodes of the cycle nothing leads from here to an end, and nobody on the way decides anew, as a node that
 * plans again would. Where nothing leads to the cycle either, `dead-end` tells of it.
 */
function leadsBack(flow: Flow, target: string, cycle: readonly string[]): boolean {
  const members = new Set(cycle)
  const past = [...reachedFrom(flow, [target], edge => taken(edge) && !members.has(edge.source))]
  return past.some(name => members.has(name)) && past.every(name => members.has(name) || isBlind(flow, name))
}

function isOnEveryLoop({ edges }: Flow, { source, target }: FlowEdge, cycle: readonly string[]): boolean {
  if (source === target) return true
  const others = cycle.filter(name => name !== target)
  const inside = edges.filter(edge => run(edge) && others.includes(edge.source) && others.includes(edge.target))
  return !cyclesIn(others, pairsOf(inside)).some(group => group.includes(source))
}

/** How many edges lead from here out of the cycle, towards an end. */
function exitDistance(flow: Flow, start: string, cycle: readonly string[]): number {
  const members = new Set(cycle)
  const alive = reaching(flow, flow.finals, taken)
  let front: ReadonlySet<string> = new Set([start])
  for (let distance = 1; distance <= cycle.length; distance += 1) {
    const next = new Set(flow.edges.filter(edge => run(edge) && front.has(edge.source)).map(({ target }) => target))
    if ([...next].some(name => !members.has(name) && alive.has(name))) return distance
    front = new Set([...front, ...[...next].filter(name => members.has(name))])
  }
  return Number.POSITIVE_INFINITY
}
