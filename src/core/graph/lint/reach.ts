/** Lint: nodes nothing leads to, and nodes that lead nowhere. */
import { targetsOf } from '../spec/nodes.ts'
import type { WorkingNode } from '../spec/node.ts'
import type { Remark } from './finding.ts'
import { type Flow, reachedFrom } from './flow.ts'

export function unreachable(flow: Flow): Remark[] {
  const { spec, names, working, review, placed } = flow
  const reached = reachedFrom(flow, spec.start === undefined ? [] : [spec.start], () => true)
  // Whoever answers a review may send the thread to any node that works.
  const byPerson = review ? reachedFrom(flow, working.keys(), () => true) : reached
  return names
    .filter(name => !reached.has(name))
    .map(name => {
      const by = byPerson.has(name) ? 'only a person who answers a review' : 'no way from the start'
      return {
        rule: 'unreachable',
        severity: byPerson.has(name) ? 'warning' : 'error',
        path: placed(name),
        message: `${by} leads to '${name}': name it as the target of an edge, or take it out`,
      }
    })
}

/** What remains without an end, once every node leads on, is a cycle: those are found by `cycle-without-exit`. */
export function deadEnd(flow: Flow): Remark[] {
  return [...flow.working]
    .filter(([name]) => !leadsOn(flow, name))
    .map(([name, node]) => ({
      rule: 'dead-end',
      severity: 'error',
      path: `${flow.placed(name)}.on`,
      message: stuck(name, node),
    }))
}

function leadsOn({ from }: Flow, name: string): boolean {
  return from(name).some(
    ({ kind, outcome }) =>
      kind === 'outcome' && (outcome.startsWith('done') || outcome === 'human.approved'),
  )
}

function stuck(name: string, node: WorkingNode): string {
  const { use } = node
  const outcome = use === 'human' ? 'human.approved' : 'done'
  const meant =
    use === 'human' && 'done' in targetsOf(node) ? ' (a human node never ends with `done`)' : ''
  return `nothing leads on from '${name}' when its work has succeeded${meant}: name an edge for \`${outcome}\`, or make the node \`final\``
}
