/** Whether an export of a module is a graph. It may come from another copy of this package, so its shape decides. */
import { isMap } from '../../core/watch/data/json.ts'

export function isGraph(value: unknown): boolean {
  if (!isMap(value)) return false
  const { machine, spec, nodes, tools, models } = value
  const isBound = [nodes, tools, models].every(isMap) && isMap(spec) && isMap(spec.nodes)
  return isBound && isMap(machine) && isMachine(machine)
}

function isMachine({ id, hash, chart, policy, ...methods }: Readonly<Record<string, unknown>>) {
  return (
    typeof id === 'string' &&
    typeof hash === 'string' &&
    isMap(policy) &&
    isMap(chart) &&
    [chart.states, chart.edges].every(Array.isArray) &&
    METHODS.every(name => typeof methods[name] === 'function')
  )
}

/** Some that every command needs. */
const METHODS = ['step', 'checkInput', 'applyOutput', 'termsOf']
