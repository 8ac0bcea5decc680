/** A model with a dead endpoint and its substitute, over real HTTP. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { openaiModel } from '../../src/adapters/model/langchain/openai-model.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { virtualClock } from '../../src/testing/clock.ts'

const alive = new LLMock({ port: 0 })
let knocks = 0
let dead: Server

beforeAll(async () => {
  await alive.start()
  alive.addFixture({ match: { predicate: () => true }, response: { content: 'Hello.' } })
  dead = createServer((_, response) => {
    knocks++
    response.writeHead(503).end()
  })
  await new Promise<void>(resolve => void dead.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await alive.stop()
  dead.close()
})

test('the dead endpoint receives only the retries, and the substitute answers at its own price', async () => {
  const say = (next: string) => ({ use: 'model', model: 'fast', on: { done: next } })
  const { spec, faults } = readSpec({
    escapement: 1,
    id: 'greeter',
    start: 'A',
    nodes: { A: say('B'), B: say('end'), end: { final: 'success' } },
    models: {
      fast: {
        id: 'small',
        baseURL: `http://127.0.0.1:${(dead.address() as AddressInfo).port}/v1`,
        substitutes: ['elsewhere'],
      },
      elsewhere: {
        id: 'small',
        baseURL: `${alive.url}/v1`,
        price: { input: 1_000_000, output: 0 },
      },
    },
    limits: { usd: 10_000 },
    retry: { attempts: 2 },
    breaker: { threshold: 2, reset: '1h' },
  })
  if (faults) throw new Error(JSON.stringify(faults))
  const graph = bindGraph(spec, {
    workspace: '.',
    model: (_, of) => openaiModel(of, { OPENAI_API_KEY: 'sk-test' }),
  })
  const store = memoryStore()
  const run = await drive(
    { ...nodePorts({ graph, store, gate: createGate() }), clock: virtualClock(0) },
    't',
    { start: { input: {}, seed: 1 } },
  )

  expect(run.ended).toMatchObject({ outcome: 'success' })
  expect(knocks).toBe(2)
  expect(alive.getRequests()).toHaveLength(2)
  const rows = await store.rows('t')
  expect(
    rows.flatMap(({ event }) =>
      event.type === 'call.substituted' ? [`${event.subject} → ${event.by}`] : [],
    ),
  ).toEqual(['fast → elsewhere', 'fast → elsewhere'])
  const answers = rows.flatMap(({ event }) => (event.type === 'model.done' ? [event] : []))
  expect(answers.map(({ subject, usage }) => [subject, usage.usd])).toEqual(
    answers.map(({ usage }) => ['elsewhere', usage.input]),
  )
  expect(answers[0]?.usage.input).toBeGreaterThan(0)
})
