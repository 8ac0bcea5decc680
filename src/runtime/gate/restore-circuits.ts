/** A process that takes a thread over begins with the breakers that the thread knows to be open. */
import type { Run } from '../../core/run.ts'
import { type Gate, resourceOf } from './gate.ts'

/** Gives a private gate the breakers it knows nothing of. A store keeps those of all others. */
export async function restoreCircuits(gate: Gate, graph: string, { circuits }: Run): Promise<void> {
  if (!gate.restore) return
  for (const [dependency, circuit] of Object.entries(circuits))
    await gate.restore(resourceOf(graph, dependency), { state: 'open', ...circuit })
}
