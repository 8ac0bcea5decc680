/** A tool that polls the runtime without a pause does not keep timers and other threads from running. */
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { YIELD_EVERY } from '../../src/runtime/time/yield.ts'
import { newFolders } from '../durability/folders.ts'
import { here } from '../durability/process.ts'

const newFolder = newFolders()

const POLLED = [
  ...['summary', 'state', 'rows', 'checkpoints', 'graph', 'result', 'events', 'archive', 'cancel'],
  ...['unknown', 'threads', 'threadCounts', 'questions', 'answered', 'breakers', 'breakpoints'],
  ...['scopes', 'unreachable', 'start', 'actor', 'nextEvent', 'nextLine'],
  ...['unknownPath', 'unknownKey', 'foreignHost', 'health'],
]

/** The time in ms without a message after which the worker counts as frozen. */
const FROZEN = 15_000

/** Polls on another thread of the process: a poll that freezes it must not freeze the tests. */
async function poll(store: 'sqlite' | 'memory'): Promise<readonly unknown[]> {
  const file = join(newFolder(), 'threads.db')
  const worker = new Worker(here('../host/fixture/polling.ts'), { workerData: { store, file } })
  const found: unknown[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      let timer = setTimeout(resolve, FROZEN)
      worker.on('error', reject)
      worker.on('message', message => {
        clearTimeout(timer)
        if (message === 'over') return resolve()
        found.push(message)
        timer = setTimeout(resolve, FROZEN)
      })
    })
    return found
  } finally {
    await worker.terminate()
  }
}

describe('a tool that polls without a pause', () => {
  it.each(['sqlite', 'memory'] as const)(
    'ends at its timeout, and the thread beside it goes on (%s)',
    async store => {
      const expected = { because: 'TimeoutError', other: 'success' }
      expect(await poll(store)).toEqual(POLLED.map(polled => ({ polled, ...expected })))
    },
    60_000,
  )
})

it('waits for no turn of the event loop until it has repeated its calls', async () => {
  const runtime = createRuntime({ store: memoryStore(), graphs: [] })
  await nextTurn()
  let turns = 0
  void nextTurn().then(() => turns++)
  for (let calls = 0; calls < YIELD_EVERY; calls++) await runtime.threads()
  expect(turns).toBe(0)
  await runtime.threads()
  expect(turns).toBe(1)
})
