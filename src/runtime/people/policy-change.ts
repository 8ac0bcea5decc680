import type { Fault } from '../../core/graph/spec/fault.ts'
import { changePolicy } from '../../core/graph/spec/policy-schema.ts'
import type { PolicyRead } from '../../core/watch/policy/policy-notation.ts'
import { partFaults } from '../../core/graph/spec/part-faults.ts'
import { RESERVED } from '../../core/graph/spec/name.ts'
import type { Policy } from '../../core/watch/policy/policy.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Graph } from '../ports.ts'

/** A change of the policy of a thread of this graph: what it names must be there. */
export function applyPolicyChange(graph: Graph, policy: Policy, change: Json): PolicyRead {
  const changed = changePolicy(policy, change)
  const faults = changed.policy ? unknownNames(graph, changed.policy) : []
  return faults.length > 0 ? { faults } : changed
}

function unknownNames({ machine, tools }: Graph, policy: Policy): readonly Fault[] {
  const { detect, escape, confirm } = policy
  const nodes = machine.chart.states.filter(
    ({ kind, id }) =>
      (kind === 'atomic' || kind === 'final') &&
      !RESERVED.includes(id.slice(id.lastIndexOf('.') + 1)),
  )
  const known = { tool: new Set(Object.keys(tools)), node: new Set(nodes.map(({ id }) => id)) }
  const missing = (kind: keyof typeof known, path: string, name: string): readonly Fault[] =>
    known[kind].has(name)
      ? []
      : [
          {
            path,
            message: `unknown ${kind} '${name}'; expected one of: ${[...known[kind]].join(', ') || '(there is none)'}`,
          },
        ]
  return [
    ...partFaults(policy, machine.parts),
    ...Object.keys(detect.tools).flatMap(name => missing('tool', `detect.tools.${name}`, name)),
    ...Object.keys(confirm).flatMap(name =>
      name.includes('*') ? [] : missing('tool', `confirm.${name}`, name),
    ),
    ...escape.rollback.accept.flatMap(name => missing('tool', 'escape.rollback.accept', name)),
    ...Object.keys(detect.nodes).flatMap(name => missing('node', `detect.nodes.${name}`, name)),
    ...Object.entries(escape.alternatives).flatMap(([from, targets]) =>
      [from, ...targets].flatMap(name => missing('node', `escape.alternatives.${from}`, name)),
    ),
  ]
}
