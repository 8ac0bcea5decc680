import { type AgentMachine, machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { partFaults } from '../../src/core/watch/part-faults.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import { type CustomParts, watchParts } from '../../src/core/watch/parts.ts'
import * as PARTS from './parts.ts'
import { MACHINES } from './machines.ts'
import type { Blocks } from './story.ts'

export interface StoryMachine {
  readonly machine: AgentMachine
  /** Absent for a statechart written by hand. */
  readonly spec?: Spec
}

/** The machine a story is about. @throws Error with every fault of its spec. */
export function machineOfStory({ graph, machine }: Blocks): StoryMachine {
  if (graph) {
    const nodes = Object.keys((graph.nodes ?? {}) as object)
    const read = readSpec({ escapement: 1, id: 'story', start: nodes[0], ...graph })
    if (read.faults)
      throw new Error(read.faults.map(({ path, message }) => `${path} ${message}`).join('\n'))
    const parts = watchParts(partsOf(read.spec))
    const machine = machineOfSpec(read.spec, undefined, parts)
    const faults = partFaults(machine.policy, parts)
    if (faults.length > 0)
      throw new Error(faults.map(({ path, message }) => `${path} ${message}`).join('\n'))
    return { machine, spec: read.spec }
  }
  const known = MACHINES[machine ?? '']
  if (!known)
    throw new Error(
      `a story needs a graph, or one of the machines ${Object.keys(MACHINES).join(', ')}`,
    )
  return { machine: known }
}

/** A story's parts are named as if they lay beside it, and come from parts.ts. */
function partsOf({ parts = {} }: Spec): CustomParts {
  const known: Readonly<Record<string, unknown>> = { ...PARTS }
  const from = (use: string) => known[use.split('#')[1] ?? '']
  return {
    detectors: (parts.detectors ?? []).map(from) as unknown as NonNullable<
      CustomParts['detectors']
    >,
    rungs: (parts.rungs ?? []).map(from) as unknown as NonNullable<CustomParts['rungs']>,
    ...(parts.classifier === undefined
      ? {}
      : {
          classifier: from(parts.classifier) as unknown as NonNullable<CustomParts['classifier']>,
        }),
  }
}
