/** An endpoint that answers with a page or with an empty stream: the agent ends with what the endpoint has sent, and at once if it is a page. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAI } from '@ai-sdk/openai'
import { afterEach, expect, test } from 'vitest'
import { createAgent } from '../../src/host/definition/create-agent.ts'
import type { ModelDefinition } from '../../src/host/definition/graph-definition.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'

const ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending.splice(0)) end()
})

/** An endpoint that answers each request with this body. */
async function endpoint(type: string, body: string) {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    request.resume()
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ending.push(() => server.close(() => {}))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { baseURL, requests: () => requests }
}

async function endOf(model: ModelDefinition, escape = {}) {
  const agent = createAgent({ id: 'desk', model, escape })
  const runtime = createRuntime({ store: memoryStore(), graphs: [agent] })
  const { outcome, because } = await (await runtime.start(agent, { goal: 'x' })).result()
  await runtime.close()
  return { outcome, because }
}

const MODELS: readonly (readonly [string, (baseURL: string) => ModelDefinition])[] = [
  ['a spec', baseURL => ({ id: 'm', baseURL })],
  ['the AI SDK', baseURL => createOpenAI({ apiKey: 'sk-test', baseURL }).chat('m')],
]

test.each(MODELS)('a login page ends the agent at once: %s', async (_, modelAt) => {
  const { baseURL, requests } = await endpoint('text/html', '<html>Log in here.</html>')
  const { outcome, because } = await endOf(modelAt(baseURL))
  expect([outcome, requests()]).toEqual(['stopped', 1])
  expect(because).toContain(`node 'plan' failed: the endpoint at ${baseURL}`)
  expect(because).toContain('answered with text/html; expected a stream of events')
  expect(because).not.toContain('ECONNRESET')
})

test.each(MODELS)('a stream without an answer is retried, and named: %s', async (_, modelAt) => {
  const { baseURL, requests } = await endpoint('text/event-stream', 'data: [DONE]\n\n')
  const { because } = await endOf(modelAt(baseURL), { wait: { most: 0 } })
  expect(because).toBe("node 'plan' failed: the stream ended without an answer")
  expect(requests()).toBeGreaterThan(1)
})
