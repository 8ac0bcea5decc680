/** Lint: questions nobody need ever answer, and labels that lead nowhere. */
import { targetsOf } from '../spec/nodes.ts'
import type { WorkingNode } from '../spec/node.ts'
import type { Remark } from './finding.ts'
import { deadlineOf, type Flow, isUnlabelled } from './flow.ts'

export function humanWithoutDeadline({ working, policy, placed }: Flow): Remark[] {
  return [...working].flatMap<Remark>(([name, node]) => {
    if (node.use !== 'human') return []
    if (deadlineOf(node, policy) === undefined) {
      const message = `the question of '${name}' may stay unanswered for ever: give it a \`deadline\`, or the graph an escape.review.deadline`
      return [
        {
          rule: 'human-without-deadline',
          severity: 'error',
          path: `${placed(name)}.deadline`,
          message,
        },
      ]
    }
    if ('human.expired' in targetsOf(node)) return []
    const message = `when nobody answers '${name}' in time, no edge takes it, and the escape policy decides: name one for \`human.expired\``
    return [
      { rule: 'human-without-deadline', severity: 'warning', path: `${placed(name)}.on`, message },
    ]
  })
}

export function whenWithoutEdge({ working, placed }: Flow): Remark[] {
  return [...working].flatMap(([name, node]) => [
    ...labelsWithoutEdge(name, node, placed(name)),
    ...edgesWithoutLabel(name, node, placed(name)),
  ])
}

function labelsWithoutEdge(name: string, node: WorkingNode, path: string): Remark[] {
  const labels = Object.keys(node.when ?? {})
  const remark = (label: string, severity: Remark['severity'], message: string): Remark => ({
    rule: 'when-without-edge',
    severity,
    path: `${path}.when.${label}`,
    message,
  })
  if (node.use === 'human')
    return labels.map(label =>
      remark(
        label,
        'warning',
        `an answer of '${name}' ends with \`human.approved\` or the like, and no label is asked for: take it out`,
      ),
    )
  if ('done' in targetsOf(node)) return []
  return labels
    .filter(label => !(`done.${label}` in targetsOf(node)))
    .map(label =>
      remark(
        label,
        'error',
        `no edge takes the label '${label}': name one for \`done.${label}\`, or for \`done\``,
      ),
    )
}

/** Only of nodes that name no label themselves. */
function edgesWithoutLabel(name: string, node: WorkingNode, path: string): Remark[] {
  if (!isUnlabelled(node)) return []
  return Object.keys(targetsOf(node))
    .filter(
      outcome =>
        outcome.startsWith('done.') &&
        !Object.hasOwn(node.when ?? {}, outcome.slice('done.'.length)),
    )
    .map(outcome => ({
      rule: 'when-without-edge',
      severity: 'warning',
      path: `${path}.on.${outcome}`,
      message: `nothing gives the work of '${name}' this label: name it under \`when\`, or take the edge out`,
    }))
}
