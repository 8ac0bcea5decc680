/** `step.memory`: one step in memory, watchdog and gate on, beside the same graph in LangGraph without a checkpointer. */
import { memoryStore } from '../../src/runtime/store.ts'
import { type Figure, figure } from './figure.ts'
import { LANGGRAPH, peerRun } from './langgraph.ts'
import { LAP } from './lap.ts'
import { interleaved, timed } from './measure.ts'
import { ourRun } from './ours.ts'

const LAPS = 500

export async function stepMemory(): Promise<readonly Figure[]> {
  const perStep = (ms: number) => (ms * 1_000) / (LAPS * LAP)
  const { ours, peer } = await interleaved(
    {
      ours: async () => perStep(await timed(() => ourRun(memoryStore(), LAPS))),
      peer: async () => perStep(await timed(() => peerRun(LAPS))),
    },
    { rounds: 7, warmUp: 3 },
  )
  return [figure({ name: 'step.memory', value: ours, unit: 'µs', peer: { name: LANGGRAPH, value: peer }, atMost: 60, timesBetter: 4 })]
}
