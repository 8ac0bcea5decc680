/** The policy that a spec asks for. */
import { completePolicy, type Policy } from '../../watch/policy/policy.ts'
import { type Spec, workingNodes } from './spec.ts'

/** What a node or a tool says of itself comes before what `detect.nodes` or `confirm` says of it. */
export function policyOf(spec: Spec): Policy {
  const nodes = workingNodes(spec).flatMap(([name, { detect }]) =>
    detect ? [[name, detect] as const] : [],
  )
  const confirm = Object.entries(spec.tools).flatMap(([name, { confirm }]) =>
    confirm ? [[name, confirm] as const] : [],
  )
  return completePolicy({
    ...spec,
    confirm: { ...spec.confirm, ...Object.fromEntries(confirm) },
    limits: withScopeKeys(spec),
    detect: { ...spec.detect, nodes: { ...spec.detect.nodes, ...Object.fromEntries(nodes) } },
  })
}

/** A scope without a key is shared by the threads of its graph. */
function withScopeKeys({ id, limits: { scopes, ...limits } }: Spec): Spec['limits'] {
  if (!scopes) return limits
  return {
    ...limits,
    scopes: Object.fromEntries(
      Object.entries(scopes).map(([name, scope]) => [name, { ...scope, key: scope.key ?? id }]),
    ),
  }
}
