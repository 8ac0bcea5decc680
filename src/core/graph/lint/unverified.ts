/** Lint: paths to success around the nodes that verify the result. */
import { isFinal } from '../spec/spec.ts'
import { type Flow, type FlowEdge, isUsable, reachedFrom, type Remark, warning } from './flow.ts'

/** Where a graph verifies its result, every path to success must pass a verification. */
export function unverifiedSuccess(flow: Flow): Remark[] {
  const { spec, working, from } = flow
  const gates = new Set([...working].flatMap(([name, { use }]) => (use === 'verify' ? [name] : [])))
  if (gates.size === 0) return []
  const passes = ({ source, outcome }: FlowEdge) => outcome === 'done' && gates.has(source)
  const named = listed([...gates])
  const isAround = (edge: FlowEdge) => isUsable(edge) && !passes(edge)
  const reached = reachedFrom(flow, [spec.start ?? []].flat(), isAround)
  const isSuccess = (name: string) => {
    const node = Object.hasOwn(spec.nodes, name) ? spec.nodes[name] : undefined
    return node !== undefined && isFinal(node) && node.final === 'success'
  }
  return [...reached].flatMap(from).flatMap(edge => {
    const { path, target } = edge
    if (!isAround(edge) || !isSuccess(target)) return []
    const message = `the run can end in '${target}' without passing ${named}: lead this edge to a node before it, or to a failure`
    return [warning(path, message)]
  })
}

/** The most nodes that a message names. */
const LISTED_MAX = 24

function listed(names: readonly string[]): string {
  const more = names.length - LISTED_MAX
  const shown = names.slice(0, LISTED_MAX).map(name => `'${name}'`)
  return [...shown, ...(more > 0 ? [`one of ${more} more`] : [])].join(' or ')
}
