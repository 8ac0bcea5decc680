import { type AgentMachine, machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import { MACHINES } from './machines.ts'
import type { Blocks } from './story.ts'

export interface Law {
  readonly machine: AgentMachine
  /** Absent for a statechart written by hand. */
  readonly spec?: Spec
}

/** The machine a story is about. @throws Error with every fault of its spec. */
export function lawOfStory({ graph, machine }: Blocks): Law {
  if (graph) {
    const nodes = Object.keys((graph.nodes ?? {}) as object)
    const read = readSpec({ escapement: 1, id: 'story', start: nodes[0], ...graph })
    if (read.faults) throw new Error(read.faults.map(({ path, message }) => `${path} ${message}`).join('\n'))
    return { machine: machineOfSpec(read.spec), spec: read.spec }
  }
  const known = MACHINES[machine ?? '']
  if (!known) throw new Error(`a story needs a graph, or one of the machines ${Object.keys(MACHINES).join(', ')}`)
  return { machine: known }
}
