import type { Fault } from '../../core/graph/spec/fault.ts'
import { changePolicy } from '../../core/graph/spec/policy-schema.ts'
import type { PolicyRead } from '../../core/watch/policy/policy-notation.ts'
import { partFaults } from '../../core/graph/spec/name-faults.ts'
import { RESERVED } from '../../core/graph/spec/name.ts'
import type { Policy } from '../../core/watch/policy/policy.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Graph } from '../ports.ts'

/** Applies a change to the policy of a thread. The names in it must exist in its graph. */
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
  const known = { tool: Object.keys(tools), node: nodes.map(({ id }) => id) }
  const missing = (kind: keyof typeof known, path: string, names: readonly string[]) =>
    names
      .filter(name => !known[kind].includes(name))
      .map(name => ({
        path,
        message: `unknown ${kind} '${name}'; expected one of: ${list(known[kind])}`,
      }))
  const list = (names: readonly string[]) => names.join(', ') || '(none)'
  const tuned = (kind: keyof typeof known, names: readonly string[]) =>
    names.flatMap(name => missing(kind, `detect.${kind}s.${name}`, [name]))
  return [
    ...partFaults(policy, machine.parts),
    ...tuned('tool', Object.keys(detect.tools)),
    ...Object.keys(confirm).flatMap(name =>
      name.includes('*') ? [] : missing('tool', `confirm.${name}`, [name]),
    ),
    ...missing('tool', 'escape.rollback.accept', escape.rollback.accept),
    ...tuned('node', Object.keys(detect.nodes)),
    ...Object.entries(escape.alternatives).flatMap(([from, targets]) =>
      missing('node', `escape.alternatives.${from}`, [from, ...targets]),
    ),
    ...missing('node', 'escape.explore', escape.explore),
  ]
}
