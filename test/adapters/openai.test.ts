/** The adapter for OpenAI-compatible endpoints, over real HTTP against a mock server. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpointOf, openaiModel } from '../../src/adapters/model/langchain/openai-model.ts'
import { withChunk } from '../../src/adapters/model/langchain/chat-model.ts'
import { EMPTY_REPLY, replyOf } from '../../src/kit/model.ts'
import { model as modelSpec } from '../../src/core/graph/spec/resource.ts'
import { FAILURE_RULES } from '../../src/core/watch/failure/failure-rules.ts'
import { classify, factsOf } from '../../src/core/watch/failure/failure.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Message } from '../../src/runtime/model-message.ts'
import type { Model, ModelRequest } from '../../src/runtime/ports.ts'

const server = new LLMock({ port: 0 })
beforeAll(() => server.start())
afterAll(() => server.stop())
beforeEach(() => {
  server.reset()
})

const weather = tool({
  name: 'weather',
  description: 'The weather in a city.',
  inputSchema: z.strictObject({ city: z.string() }),
  effects: 'read',
  execute: async () => 'cold',
})

function model(over: Record<string, unknown> = {}) {
  return openaiModel(modelSpec.parse({ id: 'gpt-4o-mini', baseURL: `${server.url}/v1`, ...over }), {
    OPENAI_API_KEY: 'sk-test',
  })
}

function request(...messages: readonly (string | Message)[]): ModelRequest {
  return {
    system: 'Be brief.',
    messages: messages.map(message =>
      typeof message === 'string' ? { role: 'user', content: message } : message,
    ),
    tools: [],
  }
}

function calling(signal = new AbortController().signal) {
  const deltas: string[] = []
  return {
    idempotencyKey: 'thread/plan#1/1',
    fencingToken: 1,
    redact: <T>(value: T) => value,
    attempt: 1,
    signal,
    sleep: async () => {},
    draw: () => 0,
    tried: () => {},
    onDelta: (text: string) => void (text && deltas.push(text)),
    deltas,
  }
}

async function failure(asking: Promise<unknown>) {
  const error = await asking.then(
    () => undefined,
    thrown => thrown,
  )
  const facts = factsOf(error)
  return {
    error,
    facts,
    class: classify(facts, FAILURE_RULES).class,
    rule: classify(facts, FAILURE_RULES).rule,
  }
}

/** The body of the latest request, as the server read it. */
function sent() {
  return server.getRequests().at(-1)?.body as unknown as {
    messages: { role: string; content: unknown }[]
    tools?: unknown[]
    stream?: boolean
    stream_options?: unknown
  }
}

describe('a text answer', () => {
  test('streams its text in chunks and returns the whole with its cost', async () => {
    server.addFixture({
      match: { userMessage: 'hello' },
      response: {
        content: 'Hi there, this is a streamed reply.',
        usage: { prompt_tokens: 100, completion_tokens: 9 },
      },
      chunkSize: 8,
    })
    const call = calling()
    const reply = await model().ask(request('hello'), call)
    expect(reply).toEqual({
      text: 'Hi there, this is a streamed reply.',
      calls: [],
      usage: { input: 100, output: 9, cached: 0 },
    })
    expect(call.deltas.length).toBeGreaterThan(2)
    expect(call.deltas.join('')).toBe(reply.text)
    expect(sent()).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
    })
  })

  test('includes the reasoning if the endpoint sends it', async () => {
    server.addFixture({
      match: { userMessage: 'why' },
      response: { content: 'Because.', reasoning: 'Let me think.' },
    })
    expect(await model().ask(request('why'), calling())).toMatchObject({
      text: 'Because.',
      reasoning: 'Let me think.',
    })
  })

  test('sends the temperature and the token limit', async () => {
    server.onMessage('hello', { content: 'Hi.' })
    await model({ temperature: 0.2, maxTokens: 77 }).ask(request('hello'), calling())
    expect(sent()).toMatchObject({ temperature: 0.2, max_tokens: 77 })
  })
})

describe('an answer with tool calls', () => {
  const asking = { ...request('weather please'), tools: [weather] }

  test('returns every call with its id and arguments from streamed chunks', async () => {
    const toolCalls = [
      {
        id: 'call_a',
        name: 'weather',
        arguments: '{"city":"Oslo, in the far north of a long country"}',
      },
      { id: 'call_b', name: 'weather', arguments: '{"city":"Rome"}' },
    ]
    server.addFixture({
      match: { userMessage: 'weather' },
      response: { content: 'I look.', toolCalls },
      chunkSize: 6,
    })
    const reply = await model().ask(asking, calling())
    expect(reply.text).toBe('I look.')
    expect(reply.calls).toEqual([
      { id: 'call_a', tool: 'weather', args: { city: 'Oslo, in the far north of a long country' } },
      { id: 'call_b', tool: 'weather', args: { city: 'Rome' } },
    ])
    expect(sent().tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'weather',
          description: 'The weather in a city.',
          parameters: {
            type: 'object',
            properties: { city: { type: 'string' } },
            required: ['city'],
            additionalProperties: false,
          },
        },
      },
    ])
  })

  test('passes arguments that are not JSON as text, and the tool reports the fault', async () => {
    server.addFixture({
      match: { userMessage: 'weather' },
      response: { toolCalls: [{ id: 'call_a', name: 'weather', arguments: '{"city": "Os' }] },
    })
    const { calls } = await model().ask(asking, calling())
    expect(calls[0]?.args).toBe('{"city": "Os')
    expect(() => weather.parse(calls[0]?.args ?? null)).toThrow(
      'weather: arguments: expected a JSON object, received text that is not JSON: {"city": "Os',
    )
  })

  test('sends earlier calls and results in the format of the endpoint, with invalid arguments wrapped', async () => {
    server.addFixture({ match: { toolCallId: 'call_a' }, response: { content: 'It is cold.' } })
    const reply = await model().ask(
      request(
        'weather please',
        {
          role: 'assistant',
          content: '',
          calls: [{ id: 'call_a', tool: 'weather', args: '{"city": "Os' }],
        },
        { role: 'tool', call: 'call_a', tool: 'weather', content: '{"error":{}}', ok: false },
      ),
      calling(),
    )
    expect(reply.text).toBe('It is cold.')
    const [, , assistant, result] = sent().messages as {
      tool_calls?: { function: { arguments: string } }[]
      tool_call_id?: string
    }[]
    expect(JSON.parse(assistant?.tool_calls?.[0]?.function.arguments ?? '')).toEqual({
      arguments: '{"city": "Os',
    })
    expect(result).toMatchObject({ role: 'tool', tool_call_id: 'call_a', content: '{"error":{}}' })
  })
})

/** Endpoints differ in what they stream; this one streams these very chunks. */
describe('an endpoint with a dialect', () => {
  async function streamed(chunks: readonly unknown[]) {
    const endpoint = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        [
          ...chunks.map(chunk =>
            JSON.stringify({
              id: 'x',
              object: 'chat.completion.chunk',
              choices: [],
              ...(chunk as object),
            }),
          ),
          '[DONE]',
        ]
          .map(data => `data: ${data}\n\n`)
          .join(''),
      )
    })
    await new Promise<void>(resolve => endpoint.listen(0, '127.0.0.1', resolve))
    try {
      return await model({
        baseURL: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`,
      }).ask({ ...request('hello'), tools: [weather] }, calling())
    } finally {
      endpoint.close()
    }
  }
  const piece = (delta: object, finish: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason: finish }],
  })

  test('reports how many prompt tokens came from the cache', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 9,
      total_tokens: 109,
      prompt_tokens_details: { cached_tokens: 64 },
    }
    expect(
      await streamed([piece({ role: 'assistant', content: 'Hi.' }, 'stop'), { usage }]),
    ).toMatchObject({ usage: { input: 100, output: 9, cached: 64 } })
  })

  test('may omit the role without losing its calls', async () => {
    const call = {
      index: 0,
      id: 'call_a',
      type: 'function',
      function: { name: 'weather', arguments: '{"city":"Oslo"}' },
    }
    expect(await streamed([piece({ tool_calls: [call] }), piece({}, 'tool_calls')])).toMatchObject({
      calls: [{ id: 'call_a', tool: 'weather', args: { city: 'Oslo' } }],
    })
  })

  test('may send the arguments of a call as JSON', async () => {
    const of = { name: 'weather', arguments: { city: 'Oslo' } }
    const call = { index: 0, id: 'call_a', type: 'function', function: of }
    const pieces = [piece({ role: 'assistant' }), piece({ tool_calls: [call] }, 'tool_calls')]
    expect(await streamed(pieces)).toMatchObject({
      calls: [{ id: 'call_a', tool: 'weather', args: { city: 'Oslo' } }],
    })
  })

  test('may use the key `reasoning` for its reasoning', async () => {
    expect(
      await streamed([
        piece({ role: 'assistant', reasoning: 'Let me ' }),
        piece({ reasoning: 'think.' }),
        piece({ content: 'Yes.' }, 'stop'),
      ]),
    ).toMatchObject({
      text: 'Yes.',
      reasoning: 'Let me think.',
    })
  })

  test.each<[string, readonly object[], object]>([
    [
      'thoughts in a list of parts',
      [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Let me ' }] }] }],
      { reasoning: 'Let me ', text: 'Yes.' },
    ],
    [
      'parts with a text',
      [{ content: [{ type: 'text', text: 'Well. ' }] }],
      { text: 'Well. Yes.' },
    ],
    ['`reasoning_text`', [{ reasoning_text: 'Let me ' }], { reasoning: 'Let me ' }],
    [
      '`reasoning` beside an empty `reasoning_content`',
      [{ content: null, reasoning: 'Let me ', reasoning_content: '' }],
      { reasoning: 'Let me ' },
    ],
    [
      'only the details of its reasoning',
      [
        { content: '', reasoning_details: [{ type: 'reasoning.text', text: 'Let me ' }] },
        { content: '', reasoning_details: [{ type: 'reasoning.summary', summary: 'think.' }] },
      ],
      { reasoning: 'Let me think.' },
    ],
    ['a field that no list names', [{ thinking: 'Let me ' }], { reasoning: 'Let me ' }],
    [
      'the blocks of its thoughts, with a signature',
      [{ thinking_blocks: [{ type: 'thinking', thinking: 'Let me ', signature: 'c2ln' }] }],
      { reasoning: 'Let me ' },
    ],
    ['a refusal', [{ refusal: 'I cannot ' }, { refusal: 'say. ' }], { text: 'I cannot say. Yes.' }],
  ])('may send %s', async (_, deltas, expected) => {
    const pieces = deltas.map(delta => piece(delta))
    expect(await streamed([...pieces, piece({ content: 'Yes.' }, 'stop')])).toMatchObject(expected)
  })

  test('may repeat its text in another field', async () => {
    const reply = await streamed([piece({ content: 'Well.', text: 'Well.' }), piece({}, 'stop')])
    expect(reply).toMatchObject({ text: 'Well.' })
    expect(reply).not.toHaveProperty('reasoning')
  })

  test('without usage leaves the usage to be estimated', async () => {
    expect(
      await streamed([piece({ role: 'assistant', content: 'Hi.' }, 'stop')]),
    ).not.toHaveProperty('usage')
  })

  test('that withholds its answer fails with a persistent error', async () => {
    expect(
      await failure(streamed([piece({ role: 'assistant', content: '' }, 'content_filter')])),
    ).toMatchObject({ class: 'persistent', facts: { code: 'content_filter' } })
  })
})

/** Endpoints that answer with status 200 but with an invalid body. */
describe('an invalid endpoint', () => {
  async function answered(
    type: string,
    answer: (write: (text: string) => boolean) => void | Promise<void>,
    { status = 200, ...more }: { status?: number } & Partial<Parameters<Model['ask']>[1]> = {},
  ) {
    const endpoint = createServer(async (request, response) => {
      response.writeHead(status, { 'content-type': type })
      await answer(text => request.socket.destroyed || response.write(text))
      response.end()
    })
    await new Promise<void>(resolve => endpoint.listen(0, '127.0.0.1', resolve))
    try {
      return await failure(
        model({ baseURL: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1` }).ask(
          request('hello'),
          { ...calling(), ...more },
        ),
      )
    } finally {
      endpoint.closeAllConnections()
      endpoint.close()
    }
  }

  const sends = (text: string) => (write: (text: string) => boolean) => void write(text)
  const where = String.raw`the endpoint at http://127\.0\.0\.1:\d+/v1/chat/completions answered with`

  test.each(['text/html; charset=utf-8', 'text/plain'])(
    'fails for good with a page of HTML, and names the address and its beginning: %s',
    async type => {
      const page = `<!DOCTYPE html>\n<title>Log in</title>\n<p>sk-test-${'x'.repeat(40)}</p>${'.'.repeat(5_000)}`
      const { class: failureClass, rule, facts } = await answered(type, sends(page))
      expect([failureClass, rule]).toEqual(['persistent', 'page'])
      expect(facts.message).toMatch(new RegExp(`^${where} ${type}; expected a stream of events`))
      const [, begins = ''] = facts.message.split('It begins: ')
      expect(begins).toMatch(/^<!DOCTYPE html> <title>Log in<\/title> <p>.*…$/)
      expect(begins).not.toContain('xxxx')
      expect(begins.length).toBeLessThanOrEqual(200)
    },
  )

  test('reports JSON that is not an answer', async () => {
    expect(
      (await answered('application/json', sends('{"detail": "log in"}'))).facts.message,
    ).toMatch(
      new RegExp(
        `^${where} application/json; expected a stream of events. It begins: {"detail": "log in"}$`,
      ),
    )
  })

  test.each([
    ['text/event-stream', ''],
    ['text/event-stream', ': processing\n\n'],
    ['text/event-stream', 'data: [DONE]\n\n'],
    ['text/html', 'data: [DONE]\n\n'],
  ])('fails for a moment if a stream of %s has no event (%j)', async (type, text) => {
    const { class: failureClass, facts } = await answered(type, write => void write(text))
    expect([failureClass, facts.message, facts.code]).toEqual([
      ...['transient', 'the stream ended without an answer', undefined],
    ])
  })

  test('fails for a moment if the answer is the text of a proxy', async () => {
    const { class: failureClass, facts } = await answered(
      'text/plain',
      sends('upstream connect error'),
    )
    expect([failureClass, facts.code]).toEqual(['transient', undefined])
    expect(facts.message).toMatch(
      new RegExp(
        `^${where} text/plain; expected a stream of events. It begins: upstream connect error$`,
      ),
    )
  })

  test('throws an event that is not JSON, also after [DONE]', async () => {
    for (const end of ['', 'data: [DONE]\n\n']) {
      const text = `data: {"choices":[{"delta":{"content":"Yes."}}]}\n\ndata: overloaded\n\n${end}`
      expect(await answered('text/event-stream', write => void write(text))).toMatchObject({
        facts: { message: expect.stringContaining('malformed') },
      })
    }
  })

  test('stops reading the endless body of a failed answer', async () => {
    let sent = 0
    const endless = async (write: (text: string) => boolean) => {
      for (; sent < 200; sent++)
        if (!write('x'.repeat(100_000))) await new Promise(resolve => setImmediate(resolve))
    }
    expect(await answered('text/plain', endless, { status: 400 })).toMatchObject({
      facts: { status: 400 },
    })
    expect(sent).toBeLessThan(200)
  })

  test.each([
    ['an event without an end', 'text/event-stream', 'data: {"choices":[{"delta":{"content":"', 60],
    ['an event that no library reads', 'text/event-stream', 'data: ', 60],
    ['a comment without an end', 'text/event-stream', ': ', 0],
    ['a text', 'text/event-stream', '', 0],
  ])('stops reading an endless answer, and counts what came: %s', async (_, type, first, least) => {
    let received = 0
    const onDelta = (text: string, hidden = 0) => {
      received += text.length + hidden
    }
    const endless = async (write: (text: string) => boolean) => {
      write(first)
      for (let sent = 0; sent < 200; sent++)
        if (!write('x'.repeat(1_000_000))) await new Promise(resolve => setImmediate(resolve))
    }
    expect(await answered(type, endless, { onDelta })).toMatchObject({
      class: 'persistent',
      facts: {
        name: 'TooLarge',
        message: expect.stringMatching(/^the answer has more than \d+ bytes/),
      },
    })
    expect(Math.floor(received / 1_000_000)).toBeGreaterThanOrEqual(least)
    expect(received > 0).toBe(least > 0)
  })

  const COUNTED = { prompt_tokens: 1_000, completion_tokens: 8_000, total_tokens: 9_000 }
  const COUNTS = { input_tokens: 1_000, output_tokens: 8_000, total_tokens: 9_000 }

  test.each([
    ['the Responses API', { object: 'response', output: [], usage: COUNTS }],
    ['Anthropic', { type: 'message', content: [], usage: COUNTS }],
    ['Cloudflare', { success: true, result: { response: 'Yes.', usage: COUNTED } }],
    [
      'Gemini',
      {
        candidates: [],
        usageMetadata: {
          ...{ promptTokenCount: 1_000, candidatesTokenCount: 1, thoughtsTokenCount: 7_999 },
          totalTokenCount: 9_000,
        },
      },
    ],
  ])('costs the usage of an answer in the form of %s', async (_, answer) => {
    const reported: unknown[] = []
    const onDelta = (_text: string, _hidden = 0, usage?: unknown) => {
      if (usage) reported.push(usage)
    }
    const write = (send: (text: string) => boolean) => void send(JSON.stringify(answer))
    expect((await answered('application/json', write, { onDelta })).facts.message).toContain(
      'answered with application/json; expected a stream of events',
    )
    expect(reported.at(-1)).toMatchObject({ input: 1_000, total: 9_000 })
  })
})

test.each([
  'application/json',
  'text/plain; charset=utf-8',
  'text/html',
  'application/octet-stream',
])('an answer in one piece has its text, its calls and its cost, as %s', async type => {
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }
  const message = { role: 'assistant', content: 'Looking.', tool_calls: [call] }
  const answer = {
    ...{ id: 'a', object: 'chat.completion', model: 'm' },
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 7_000, completion_tokens: 20, total_tokens: 7_020 },
  }
  const endpoint = createServer((_, response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(JSON.stringify(answer, null, 2))
  })
  await new Promise<void>(resolve => endpoint.listen(0, '127.0.0.1', resolve))
  const baseURL = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`
  try {
    expect(await model({ baseURL }).ask(request('hello'), calling())).toEqual({
      text: 'Looking.',
      calls: [{ id: 'c1', tool: 'weather', args: {} }],
      usage: { input: 7_000, output: 20, cached: 0 },
    })
  } finally {
    endpoint.closeAllConnections()
    endpoint.close()
  }
})

test.each(['breaks off', 'is abandoned'])(
  'an answer in one piece that %s costs what has arrived',
  async end => {
    const endpoint = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(`{"choices":[{"message":{"role":"assistant","content":"${'x'.repeat(20_000)}`)
      if (end === 'breaks off') setTimeout(() => response.destroy(), 50)
    })
    await new Promise<void>(resolve => endpoint.listen(0, '127.0.0.1', resolve))
    const baseURL = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`
    try {
      let output = 0
      const onDelta = (_: string, __?: number, usage?: { output?: number }) => {
        output = usage?.output ?? output
      }
      const call = { ...calling(AbortSignal.timeout(500)), onDelta }
      await expect(model({ baseURL }).ask(request('hello'), call)).rejects.toThrow()
      expect(output).toBeGreaterThan(5_000)
    } finally {
      endpoint.closeAllConnections()
      endpoint.close()
    }
  },
)

describe('a failure', () => {
  test('a message that is too long for the model is a persistent error', async () => {
    server.onMessage('hello', {
      error: {
        message: "This model's maximum context length is 100 tokens.",
        code: 'context_length_exceeded',
      },
      status: 400,
    })
    expect(await failure(model().ask(request('hello'), calling()))).toMatchObject({
      class: 'persistent',
    })
  })
})

describe('configuration', () => {
  test('an endpoint comes from the spec or the environment; a key alone means OpenAI', () => {
    expect(endpointOf({ keyFrom: 'OPENAI_API_KEY' }, {})).toBeUndefined()
    expect(
      endpointOf({ keyFrom: 'OPENAI_API_KEY' }, { OPENAI_API_KEY: 'sk', OPENAI_BASE_URL: '' }),
    ).toEqual({ apiKey: 'sk' })
    expect(
      endpointOf(
        { keyFrom: 'MY_KEY' },
        { OPENAI_API_KEY: 'sk', OPENAI_BASE_URL: 'http://here/v1' },
      ),
    ).toEqual({ baseURL: 'http://here/v1', apiKey: 'none' })
    expect(
      endpointOf(
        { keyFrom: 'MY_KEY', baseURL: 'http://there/v1' },
        { MY_KEY: 'k', OPENAI_BASE_URL: 'http://here/v1' },
      ),
    ).toEqual({ baseURL: 'http://there/v1', apiKey: 'k' })
  })

  test('without an endpoint, the error names the variables to set and is never retried', async () => {
    const lonely = openaiModel(modelSpec.parse({ id: 'gpt-4o-mini', keyFrom: 'MY_KEY' }), {})
    const { error, class: kind } = await failure(lonely.ask(request('hello'), calling()))
    expect((error as Error).message).toContain('set MY_KEY, or OPENAI_BASE_URL')
    expect(kind).toBe('persistent')
  })

  test.each([
    [{}, { OPENAI_BASE_URL: 'sk-notaurl' }, 'OPENAI_BASE_URL is not an address'],
    [{ baseURL: 'ftp://host/v1' }, { OPENAI_API_KEY: 'sk' }, 'its baseURL is not an address'],
  ])(
    'an address that no endpoint can have is refused by its check: %j',
    async (of, env, message) => {
      const wrong = openaiModel(modelSpec.parse({ id: 'gpt-4o-mini', ...of }), env)
      const found = { name: 'NoEndpoint', message: expect.stringContaining(message) }
      await expect(wrong.check?.()).rejects.toMatchObject(found)
      expect((await failure(wrong.ask(request('hello'), calling()))).error).toMatchObject(found)
      await expect(wrong.check?.()).rejects.not.toThrow('notaurl')
    },
  )

  test('names a missing package with the command that installs it', async () => {
    const bare = openaiModel(modelSpec.parse({ id: 'x', baseURL: 'http://here/v1' }), {}, () =>
      Promise.reject(new Error("Cannot find package '@langchain/openai'")),
    )
    await expect(bare.ask(request('hello'), calling())).rejects.toThrow(
      'npm install @langchain/openai @langchain/core',
    )
  })

  test('price, timeout, retry and breaker of the spec apply to the model', () => {
    const made = model({
      price: { input: 0.15, output: 0.6 },
      timeout: '20s',
      retry: { attempts: 2 },
      breaker: { threshold: 5 },
      concurrency: 4,
    })
    expect(made).toMatchObject({
      id: 'gpt-4o-mini',
      price: { input: 0.15 },
      timeout: 20_000,
      retry: { attempts: 2 },
      breaker: { threshold: 5 },
      concurrency: 4,
    })
  })
})

describe('assembling streamed calls', () => {
  const pieces = (...chunks: { index?: number; id?: string; name?: string; args?: string }[]) =>
    replyOf(
      chunks.reduce(
        (partial, piece) => withChunk(partial, { content: '', tool_call_chunks: [piece] }),
        EMPTY_REPLY,
      ),
      false,
      'plan-1-1',
    ).calls

  test('keeps a call of a whole message whose arguments are not JSON, as text', () => {
    const whole = {
      content: '',
      tool_calls: [{ id: 'a', name: 'f', args: { x: 1 } }],
      invalid_tool_calls: [{ id: 'b', name: 'g', args: '{"x": ' }],
    }
    expect(replyOf(withChunk(EMPTY_REPLY, whole), false, 'plan-1-1').calls).toEqual([
      { id: 'a', tool: 'f', args: { x: 1 } },
      { id: 'b', tool: 'g', args: '{"x": ' },
    ])
  })

  test('separates interleaved calls by their index', () => {
    expect(
      pieces(
        { index: 0, id: 'a', name: 'f', args: '' },
        { index: 1, id: 'b', name: 'g', args: '{"y"' },
        { index: 0, args: '{"x":1}' },
        { index: 1, args: ':2}' },
      ),
    ).toEqual([
      { id: 'a', tool: 'f', args: { x: 1 } },
      { id: 'b', tool: 'g', args: { y: 2 } },
    ])
  })

  test('separates calls by id when all indexes are 0 or missing', () => {
    expect(
      pieces(
        { index: 0, id: 'a', name: 'f', args: '{}' },
        { index: 0, id: 'b', name: 'g', args: '{}' },
      ).map(({ tool }) => tool),
    ).toEqual(['f', 'g'])
    expect(
      pieces({ id: 'a', name: 'f', args: '{"x":' }, { args: '1}' }, { id: 'b', name: 'g' }),
    ).toEqual([
      { id: 'a', tool: 'f', args: { x: 1 } },
      { id: 'b', tool: 'g', args: {} },
    ])
  })

  test('gives two calls with the same id different ids, because endpoints reject duplicates', () => {
    expect(
      pieces(
        { index: 0, id: 'a', name: 'f', args: '{}' },
        { index: 1, id: 'a', name: 'g', args: '{}' },
      ).map(({ id }) => id),
    ).toEqual(['a', 'plan-1-1-2'])
  })

  test('generates a missing id, and does not repeat a name that is sent twice', () => {
    expect(pieces({ index: 0, name: 'f', args: '{' }, { index: 0, name: 'f', args: '}' })).toEqual([
      { id: 'plan-1-1-1', tool: 'f', args: {} },
    ])
  })
})
