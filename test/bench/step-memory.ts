/** `step.memory`: one step in memory, watchdog and gate on, beside the same graph in LangGraph without a checkpointer. */
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { type Figure, figure } from './figure.ts'
import { LANGGRAPH, peerRun } from './langgraph.ts'
import { LAP, type Length } from './lap.ts'
import { interleaved, timed } from './measure.ts'
import { ourRun } from './ours.ts'
import { warmedUp } from './warm-up.ts'

const LENGTH: Length = { laps: 500, messages: 'each lap' }

export async function stepMemory(): Promise<readonly Figure[]> {
  await warmedUp()
  const perStep = (ms: number) => (ms * 1_000) / (LENGTH.laps * LAP)
  const { ours, peer } = await interleaved(
    {
      ours: async () => perStep(await timed(() => ourRun(memoryStore(), LENGTH))),
      peer: async () => perStep(await timed(() => peerRun(LENGTH))),
    },
    { rounds: 11 },
  )
  return [
    figure({
      name: 'step.memory',
      value: ours,
      unit: 'µs',
      peer: { name: LANGGRAPH, value: peer },
      atMost: 60,
      timesBetter: 8,
    }),
  ]
}
