/** The key of a model never reaches the journal, also if the endpoint returns it in an error. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadGraph } from '../../src/host/drive/load.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { newFolders } from '../durability/folders.ts'

const newFolder = newFolders()
/** Does not look like a key of any service. */
const secret = `my own ${randomBytes(12).toString('hex')}`
const headers: (string | undefined)[] = []
const server = createServer(({ headers: { authorization } }, response) => {
  headers.push(authorization)
  response.writeHead(401, { 'content-type': 'application/json' })
  const message = `Incorrect key ${secret} in ${authorization}; base64 ${Buffer.from(secret).toString('base64')}`
  response.end(JSON.stringify({ error: { message, code: 'invalid_api_key' } }))
})

beforeAll(async () => {
  process.env.LLM_AUTH_OF_TEST = secret
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => {
  delete process.env.LLM_AUTH_OF_TEST
  server.close()
})

test('a key that `keyFrom` names is redacted in the journal of a 401', async () => {
  const { port } = server.address() as AddressInfo
  const file = join(newFolder(), 'agent.yaml')
  writeFileSync(
    file,
    `escapement: 1
id: locked
start: ask
models: { m: { id: any, baseURL: 'http://127.0.0.1:${port}/v1', keyFrom: LLM_AUTH_OF_TEST } }
channels: { goal: {} }
input: [goal]
nodes:
  ask: { use: model, model: m, on: { done: end } }
  end: { final: success }
`,
  )
  const store = memoryStore()
  const graph = await loadGraph(file)
  const runtime = createRuntime({ store, graphs: [graph] })
  const thread = await runtime.start(graph, { goal: 'Hello.' }, { thread: 't' })
  const result = await thread.result()
  const written = JSON.stringify([await store.rows('t'), await store.threads(), result])
  expect(headers[0]).toBe(`Bearer ${secret}`)
  expect(written).toContain('401')
  expect(written).toContain('[redacted]')
  expect(written).not.toContain(secret)
  expect(written).not.toContain(Buffer.from(secret).toString('base64').slice(0, -4))
  await runtime.close()
})
