/** While the model is away, the threads of several processes wait for the one probe, however long the model may take to answer. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { createAgent } from '../../src/host/definition/create-agent.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import type { Model } from '../../src/runtime/ports.ts'

const folder = mkdtempSync(join(tmpdir(), 'probe-'))
const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close()
  rmSync(folder, { recursive: true, force: true })
})

const AWAY = 300
const RESET = 400

/** Two threads, in a process with its own connection to the store. */
function endsOfProcess(index: number, model: Model) {
  const store = sqliteStore(join(folder, 'threads.db'))
  const agent = createAgent({
    ...{ id: 'a', model, escape: { wait: { most: 60_000 } } },
    ...{ breaker: { threshold: 1, reset: RESET }, retry: { attempts: 1 } },
  })
  const runtime = createRuntime({ store, graphs: [agent] })
  closing.push(store, runtime)
  return ['one', 'two'].map(async name => {
    const thread = await runtime.start(agent, { goal: 'g' }, { thread: `${name}-${index}` })
    const { outcome, because } = await thread.result()
    return `${outcome}: ${because}`
  })
}

test('all threads of two processes outlast an outage whose end one probe finds', async () => {
  const began = performance.now()
  const model: Model = {
    id: 'm',
    timeout: 120_000,
    async ask(_, { sleep }) {
      if (performance.now() - began < AWAY)
        throw Object.assign(new Error('slow down'), { status: 429 })
      await sleep(RESET)
      return { text: 'hi', calls: [] }
    },
  }
  const ends = await Promise.all([1, 2].flatMap(index => endsOfProcess(index, model)))
  expect(ends).toEqual(Array.from({ length: 4 }, () => 'success: the goal is reached'))
})
