/** Lint: paths to success around the nodes that verify the result. */
import { isFinal } from '../spec/spec.ts'
import { type Flow, type FlowEdge, isUsable, reachedFrom, type Remark, warning } from './flow.ts'

/** Where a graph verifies its result, every path to success must pass a verification. */
export function unverifiedSuccess(flow: Flow): Remark[] {
  const { spec, working, from } = flow
  const gates = [...working].flatMap(([name, { use }]) => (use === 'verify' ? [name] : []))
  if (gates.length === 0) return []
  const passes = ({ source, outcome }: FlowEdge) => outcome === 'done' && gates.includes(source)
  const isAround = (edge: FlowEdge) => isUsable(edge) && !passes(edge)
  const reached = reachedFrom(flow, [spec.start ?? []].flat(), isAround)
  const isSuccess = (name: string) => {
    const node = Object.hasOwn(spec.nodes, name) ? spec.nodes[name] : undefined
    return node !== undefined && isFinal(node) && node.final === 'success'
  }
  return [...reached].flatMap(from).flatMap(edge => {
    const { path, target } = edge
    if (!isAround(edge) || !isSuccess(target)) return []
    const message = `the run can end in '${target}' without passing ${listed(gates)}: lead this edge to a node before it, or to a failure`
    return [warning(path, message)]
  })
}

const listed = (names: readonly string[]): string => names.map(name => `'${name}'`).join(' or ')
