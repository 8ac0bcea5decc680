/** In mode `observe`, a thread runs as if no retry budget and no breaker refused its calls, whatever other threads of its store have met. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent, createRuntime, memoryStore, tool } from '../../src/index.ts'
import type { Model } from '../../src/index.ts'

const OUTAGE = 20

/** Asks for the same search until it succeeds. */
const stubborn: Model = {
  id: 'm',
  timeout: 1_000,
  async ask({ messages, tools }) {
    const last = messages.at(-1)
    const isFound = last?.role === 'tool' && last.ok
    if (isFound || !tools?.length) return { text: 'answer', calls: [] }
    const call = { id: `c${messages.length}`, tool: 'search', args: { query: 'q' } }
    return { text: '', calls: [call] }
  },
}

/** Runs three threads one after the other in one store. For each of them, the search fails `OUTAGE` times first. */
async function runThree() {
  let made = 0
  const search = tool({
    description: 'Searches.',
    inputSchema: z.object({ query: z.string() }),
    effects: 'read',
    retry: { attempts: 3, base: 10 },
    async execute() {
      made += 1
      if (made <= OUTAGE) throw Object.assign(new Error('down'), { status: 503 })
      return 'found'
    },
  })
  const agent = createAgent({ id: 'a', model: stubborn, tools: { search }, mode: 'observe' })
  const runtime = createRuntime({ store: memoryStore(), graphs: [agent] })
  const ends: { outcome: string; because: string; made: number }[] = []
  for (const thread of ['first', 'second', 'third']) {
    made = 0
    const handle = await runtime.start(agent, { goal: 'x' }, { thread })
    const { outcome, because } = await handle.result()
    ends.push({ outcome, because, made })
  }
  const breakers = await runtime.breakers()
  await runtime.close()
  return { ends, breakers }
}

test('an observing thread ends alike in a fresh store and beside a breaker that another one opened', async () => {
  const { ends, breakers } = await runThree()
  const end = { outcome: 'success', because: 'the goal is reached', made: OUTAGE + 1 }
  expect(ends).toEqual([end, end, end])
  // Its failures are real: they count for the breaker that acting threads obey.
  expect(breakers).toMatchObject([{ resource: 'a/tool:search', state: 'open' }])
})
