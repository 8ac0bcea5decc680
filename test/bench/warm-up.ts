/** Runs both libraries until V8 has optimized their code. That takes tens of thousands of steps, which the figures exclude. */
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { peerRun } from './langgraph.ts'
import { LAP, type Length } from './lap.ts'
import { ourRun } from './ours.ts'

const STEPS = 40_000
const ROUNDS = 20
const LENGTH: Length = { laps: STEPS / ROUNDS / LAP, messages: 'each lap' }

let warm: Promise<void> | undefined

/** Once for all groups. Ours and the peer go the same number of steps, by turns. */
export function warmedUp(): Promise<void> {
  warm ??= goRound()
  return warm
}

async function goRound(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await ourRun(memoryStore(), LENGTH)
    await peerRun(LENGTH)
  }
}
