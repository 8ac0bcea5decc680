/** The proxies, over real HTTP: ChatOpenAI against a mock endpoint, and the MCP client against a sample server. */
import { request } from 'node:http'
import { LLMock } from '@copilotkit/aimock'
import type { AIMessageChunk } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Listening, listen } from '../../src/faces/http/listen.ts'
import { createProxy } from '../../src/faces/http/proxy/proxy.ts'
import type { TapeEntry } from '../../src/simulate/inject/call.ts'
import { faultsOfSeed } from '../../src/simulate/inject/decide.ts'
import { Injector } from '../../src/simulate/inject/injector.ts'
import { parseScenario, type ScenarioInput } from '../../src/simulate/scenario/scenario.ts'
import { stockServer } from '../adapters/fixture/mcp-server.ts'

const endpoint = new LLMock({ port: 0 })
const handler = createMcpHandler(stockServer)
let tools: Listening
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  await endpoint.start()
  tools = await listen(request => handler.fetch(request), { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await endpoint.stop()
  await tools.close()
})
beforeEach(() => {
  endpoint.reset()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A proxy with these faults, its tape, and its addresses. */
async function proxyWith(faults: ScenarioInput['faults'], seed = 1, model = `${endpoint.url}/v1`) {
  const scenario = parseScenario({ scenario: 1, name: 'proxied', faults })
  const tape: TapeEntry[] = []
  const clock = { now: () => Date.now() }
  const onInject = (entry: TapeEntry) => void tape.push(entry)
  const decide = faultsOfSeed(scenario, seed)
  const injector = new Injector({ decide, clock, seed, onInject })
  const mcp = `${tools.url}/mcp`
  const { url, close } = await listen(createProxy({ injector, model, mcp }), {
    host: '127.0.0.1',
    port: 0,
  })
  ends.push(close)
  return { url, tape: () => tape.map(({ target, index, fault }) => `${target}#${index} ${fault}`) }
}

const chatOf = (url: string) =>
  new ChatOpenAI({
    model: 'gpt-4o-mini',
    apiKey: 'sk-test',
    maxRetries: 0,
    configuration: { baseURL: `${url}/v1` },
  })

/** The answer of a model with tools, in one piece or joined from its stream. */
async function answerTo(url: string, text: string, streaming: boolean) {
  const model = chatOf(url).bindTools([WEATHER])
  if (!streaming) return (await model.invoke(text)) as AIMessageChunk
  let joined: AIMessageChunk | undefined
  for await (const chunk of await model.stream(text)) joined = joined?.concat(chunk) ?? chunk
  return joined as AIMessageChunk
}

const WEATHER = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
}

async function clientOf(url: string): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
  ends.push(() => client.close())
  return client
}

const textOf = ({ content }: { content?: unknown }) =>
  (content as { text: string }[]).map(({ text }) => text).join()

const stock = (client: Client, article = 'clock') =>
  client.callTool({ name: 'stock', arguments: { article } }, { timeout: 2_000 })

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    value => ({ value }),
    error => ({ status: error.status, code: error.code, message: String(error.message), error }),
  )

describe('the endpoint of a model', () => {
  const storm = { id: 'storm', on: 'model:*', how: { nth: [1] } }

  test('an answer without a fault passes unchanged, with its tokens as they arrive', async () => {
    endpoint.onMessage('hi', { content: 'Hello from the endpoint.' })
    const { url, tape } = await proxyWith([
      { ...storm, how: 'never', what: { error: 'transient' } },
    ])
    expect((await chatOf(url).invoke('hi')).content).toBe('Hello from the endpoint.')
    const tokens: string[] = []
    for await (const { content } of await chatOf(url).stream('hi')) tokens.push(String(content))
    expect(tokens.join('')).toBe('Hello from the endpoint.')
    expect(tape()).toEqual([])
  })

  test('a failure has the status of its class, and the next call succeeds', async () => {
    endpoint.onMessage('hi', { content: 'Hello.' })
    const what = { error: { class: 'transient', status: 429, retryAfter: '2s' } } as const
    const { url, tape } = await proxyWith([{ ...storm, what }])
    const failed = await failureOf(chatOf(url).invoke('hi'))
    expect(failed).toMatchObject({ status: 429, message: /does not answer/ })
    expect((await chatOf(url).invoke('hi')).content).toBe('Hello.')
    expect(tape()).toEqual(['model:gpt-4o-mini#1 storm'])
  })

  test.each([false, true])(
    'misbehavior reaches the client as the model would send it, streaming: %s',
    async streaming => {
      const call = { name: 'weather', arguments: '{"city":"Oslo"}' }
      endpoint.onMessage('weather?', { toolCalls: [call] })
      const { url, tape } = await proxyWith([
        { id: 'broken', on: 'model:*', how: { nth: [1] }, what: 'malformedCall' },
        { id: 'unknown', on: 'model:*', how: { nth: [2] }, what: 'unknownTool' },
        { id: 'early', on: 'model:*', how: { nth: [3] }, what: 'earlyStop' },
      ])
      const ask = (text: string) => answerTo(url, text, streaming)
      const broken = await ask('weather?')
      const args = broken.tool_call_chunks?.[0]?.args ?? broken.invalid_tool_calls?.[0]?.args
      expect(args).toBe('{"query": "')
      const unknown = await ask('weather?')
      expect(unknown.tool_calls).toMatchObject([{ name: 'weather_v2', args: { city: 'Oslo' } }])
      const early = await ask('weather?')
      expect([early.tool_calls, early.content]).toEqual([[], 'This is done.'])
      expect(await ask('weather?')).toMatchObject({ tool_calls: [{ name: 'weather' }] })
      expect(tape()).toHaveLength(3)
    },
  )

  test.each([false, true])(
    'a stubborn model repeats the answer that passed before, with a new id, streaming: %s',
    async streaming => {
      const toolCalls = [{ name: 'weather', arguments: '{"city":"Oslo"}' }]
      endpoint.onMessage('Oslo', { toolCalls })
      endpoint.onMessage('go on', { content: 'It is cold.' })
      const { url } = await proxyWith([{ ...storm, how: { nth: [2] }, what: { stubborn: 2 } }])
      const ask = (text: string) => answerTo(url, text, streaming)
      const ids = []
      for (const text of ['Oslo', 'go on', 'go on']) {
        const { tool_calls: calls } = await ask(text)
        expect(calls).toMatchObject([{ name: 'weather', args: { city: 'Oslo' } }])
        ids.push(calls?.[0]?.id)
      }
      expect(new Set(ids).size).toBe(3)
      expect((await ask('go on')).content).toBe('It is cold.')
    },
  )

  test('a lost connection and a hanging model are those of the network', async () => {
    endpoint.onMessage('hi', { content: 'Hello.' })
    const { url, tape } = await proxyWith([
      { id: 'lost', on: 'model:*', how: { nth: [1] }, what: { error: 'indeterminate' } },
      { id: 'hangs', on: 'model:*', how: { nth: [2] }, what: 'hang' },
    ])
    expect(await failureOf(chatOf(url).invoke('hi'))).toMatchObject({ message: /Connection/ })
    const hanging = chatOf(url).invoke('hi', { timeout: 200 })
    expect(await failureOf(hanging)).toMatchObject({ message: /abort|time/i })
    expect((await chatOf(url).invoke('hi')).content).toBe('Hello.')
    expect(tape()).toHaveLength(2)
  })

  test('the same seed fails the same calls', async () => {
    endpoint.onMessage('hi', { content: 'Hello.' })
    const runs = []
    for (const seed of [7, 7, 8]) {
      const { url, tape } = await proxyWith(
        [{ ...storm, how: { p: 0.5 }, what: { error: 'transient' } }],
        seed,
      )
      for (let call = 0; call < 12; call++) await failureOf(chatOf(url).invoke('hi'))
      runs.push(tape().join('\n'))
    }
    expect(runs[1]).toBe(runs[0])
    expect(runs[2]).not.toBe(runs[0])
  })

  test('refusals of the endpoint pass, and an absent one is named', async () => {
    const { url } = await proxyWith([{ ...storm, how: 'never', what: { error: 'transient' } }])
    expect(await failureOf(chatOf(url).invoke('no fixture'))).toMatchObject({ status: 404 })
    const absent = await proxyWith([], 1, 'http://127.0.0.1:9/v1')
    expect(await failureOf(chatOf(absent.url).invoke('hi'))).toMatchObject({
      status: 502,
      message: /127\.0\.0\.1:9 does not answer: ECONNREFUSED/,
    })
  })
})

describe('tools of an MCP server', () => {
  test('calls pass, and failures are errors of the protocol', async () => {
    const { url, tape } = await proxyWith([
      { id: 'down', on: 'tool:stock', how: { nth: [2] }, what: { error: 'transient' } },
      { id: 'declines', on: 'tool:stock', how: { nth: [3] }, what: { error: 'business' } },
    ])
    const client = await clientOf(url)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('stock')
    expect(textOf(await stock(client))).toBe('3 of clock')
    expect(await failureOf(stock(client))).toMatchObject({
      code: -32_603,
      message: /does not answer/,
    })
    expect(await stock(client)).toMatchObject({ isError: true })
    expect(textOf(await stock(client))).toBe('3 of clock')
    expect(tape()).toEqual(['tool:stock#2 down', 'tool:stock#3 declines'])
  })

  test('values change, and a client that knows the output contract notices a broken one', async () => {
    const { url } = await proxyWith([
      { id: 'cut', on: 'tool:stock', how: { nth: [1] }, what: { truncate: 1 } },
      { id: 'lies', on: 'tool:order', how: { nth: [1] }, what: { wrong: 'plausible' } },
      { id: 'empty', on: 'tool:order', how: { nth: [2] }, what: 'empty' },
    ])
    const client = await clientOf(url)
    await client.listTools()
    expect(textOf(await stock(client))).toBe('3')
    const order = () => client.callTool({ name: 'order', arguments: { article: 'a', count: 5 } })
    const lie = await order()
    expect(lie.structuredContent).not.toEqual({ ordered: 5 })
    expect(lie.structuredContent).toMatchObject({ ordered: expect.any(Number) })
    expect(await failureOf(order())).toMatchObject({ message: /structured content/ })
    expect((await order()).structuredContent).toEqual({ ordered: 5 })
  })

  test('a target by effects matches the tools that their server does not call reads', async () => {
    const { url, tape } = await proxyWith([
      { id: 'writes', on: { tool: '*', effects: 'write' }, what: { error: 'persistent' } },
    ])
    const client = await clientOf(url)
    await client.listTools()
    await stock(client)
    await failureOf(client.callTool({ name: 'order', arguments: { article: 'a', count: 1 } }))
    expect(tape()).toEqual(['tool:order#1 writes'])
  })

  test('a lost acknowledgement loses the connection after the call took effect', async () => {
    const { url, tape } = await proxyWith([
      { id: 'lost', on: 'tool:stock', how: { nth: [1] }, what: 'lostAck' },
    ])
    const client = await clientOf(url)
    expect(await failureOf(stock(client))).toMatchObject({ error: expect.any(Error) })
    expect(textOf(await stock(client))).toBe('3 of clock')
    expect(tape()).toEqual(['tool:stock#1 lost'])
  })
})

describe('requests that the proxy refuses', () => {
  const post = async (url: string, body: string, headers: Record<string, string> = {}) => {
    const { promise, resolve } = Promise.withResolvers<{ status: number; text: string }>()
    const { hostname, port, pathname } = new URL(url)
    request({ hostname, port, path: pathname, method: 'POST', headers }, async response => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, text })
    })
      // A large body is still being sent when the answer arrives.
      .on('error', () => {})
      .end(body)
    return promise
  }

  test.each([
    [
      'a page of another site',
      '/v1/chat/completions',
      '{}',
      403,
      'foreign-origin',
      { origin: 'https://evil.example' },
    ],
    [
      'another host name',
      '/v1/chat/completions',
      '{}',
      403,
      'wrong-host',
      { host: 'evil.example' },
    ],
    ['a body that is not JSON', '/v1/chat/completions', '{', 400, 'not JSON', {}],
    [
      'a request without a model',
      '/v1/chat/completions',
      '{}',
      422,
      'expected the name of a model',
      {},
    ],
    ['several answers', '/v1/chat/completions', '{"model":"m","n":2}', 422, 'n: expected 1', {}],
    ['the Responses API', '/v1/responses', '{}', 501, '/v1/chat/completions only', {}],
    ['an unknown path', '/v2', '{}', 404, 'expected /v1/chat/completions or /mcp', {}],
    ['a batch', '/mcp', '[]', 422, 'batches are not supported', {}],
    ['a large body', '/mcp', ' '.repeat(16_777_217), 413, 'bytes', {}],
  ] as const)('%s', async (_, path, body, status, text, headers) => {
    const { url } = await proxyWith([])
    const answer = await post(`${url}${path}`, body, headers)
    expect(answer).toMatchObject({ status, text: expect.stringContaining(text) })
    expect(answer.text).not.toMatch(/\n\s+at |node:internal/)
  })
})
