/**
 * `gate.*`: what passing the gate costs a call, from asking for a place to telling how it ended. `contended`: 64 calls at once
 * through one gate, all well. `contended.sqlite`: the same with the breakers in a SQLite file (`NORMAL`), which costs a read.
 * `failing.sqlite`: every call fails, and is counted in the file.
 */
import { join } from 'node:path'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import type { HealthSignal } from '../../src/core/watch/failure/breaker.ts'
import { createGate, type Gate } from '../../src/runtime/gate/gate.ts'
import { type Figure, figure } from './figure.ts'
import { inFolder, interleaved, timed } from './measure.ts'

const AT_ONCE = 64
const ROUNDS = 150
const TERMS = { at: 0, breaker: { threshold: 1_000_000, reset: 1 }, concurrency: AT_ONCE }

export async function gateContended(): Promise<readonly Figure[]> {
  return inFolder(async folder => {
    const store = sqliteStore({ file: join(folder, 'bench.db'), synchronous: 'NORMAL' })
    const inMemory = createGate()
    const inFile = createGate(store)
    const perCall = (gate: Gate, signal: HealthSignal) => async () =>
      ((await timed(() => crowd(gate, signal))) * 1_000) / (AT_ONCE * ROUNDS)
    const { memory, sqlite, failing } = await interleaved(
      {
        memory: perCall(inMemory, 'success'),
        sqlite: perCall(inFile, 'success'),
        failing: perCall(inFile, 'failure'),
      },
      { rounds: 7, warmUp: 2 },
    )
    await store.close()
    return [
      figure({ name: 'gate.contended', value: memory, unit: 'µs', atMost: 5 }),
      figure({ name: 'gate.contended.sqlite', value: sqlite, unit: 'µs', atMost: 25 }),
      figure({ name: 'gate.failing.sqlite', value: failing, unit: 'µs' }),
    ]
  })
}

async function crowd(gate: Gate, signal: HealthSignal): Promise<void> {
  for (let round = 0; round < ROUNDS; round++)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, nth) => call(gate, `r${signal}${nth % 4}`, signal)),
    )
}

async function call(gate: Gate, resource: string, signal: HealthSignal): Promise<void> {
  const entry = await gate.enter(resource, TERMS)
  if (entry.kind === 'refused') throw new Error(`refused: ${entry.why}`)
  await entry.report(signal, 0)
  entry.leave()
}
