/** Models of other libraries: one suite over HTTP for all adapters, and tests of each. */
import { createOpenAI } from '@ai-sdk/openai'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { ChatOpenAI } from '@langchain/openai'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { AIMessage, AIMessageChunk, fakeModel } from 'langchain'
import { describe, expect, test } from 'vitest'
import { openaiModel } from '../../src/adapters/model/langchain/openai-model.ts'
import { model as modelSpec } from '../../src/core/graph/spec/resource.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { readUsage } from '../../src/core/watch/event/call-event.ts'
import { createAgent } from '../../src/host/definition/create-agent.ts'
import { type AnyModel, isUnknownModel, modelFrom } from '../../src/host/definition/model-from.ts'
import { type PartialReply, readReply } from '../../src/kit/model.ts'
import { play } from '../../src/testing/play.ts'
import { calling, failure, modelSuite, request, weather } from '../suites/model.ts'

const id = 'gpt-4o-mini'
const apiKey = 'sk-test'

modelSuite({
  name: 'an endpoint of a spec',
  model: baseURL => openaiModel(modelSpec.parse({ id, baseURL }), { OPENAI_API_KEY: apiKey }),
})
modelSuite({
  name: 'ChatOpenAI of LangChain',
  model: baseURL => modelFrom(new ChatOpenAI({ model: id, apiKey, configuration: { baseURL } })),
})
modelSuite({
  name: 'OpenAI of the AI SDK, chat completions',
  model: baseURL => modelFrom(createOpenAI({ baseURL, apiKey }).chat(id)),
})
modelSuite({
  name: 'OpenAI of the AI SDK, responses',
  model: baseURL => modelFrom(createOpenAI({ baseURL, apiKey })(id)),
})

type Chunk =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer T>
    ? T
    : never

function mock(...chunks: Chunk[]) {
  return new MockLanguageModelV4({
    modelId: 'mock',
    doStream: async () => ({ stream: simulateReadableStream({ chunks }) }),
  })
}

const finish: Chunk = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 100, noCache: 36, cacheRead: 64, cacheWrite: undefined },
    outputTokens: { total: 9, text: 4, reasoning: 5 },
  },
}

test('a part is added to a reply without the text before it, so a long text is not copied at each part', async () => {
  const before: string[] = []
  const { deltas, ...call } = calling()
  const reply = await readReply<string, PartialReply>(
    {
      open: async () => ReadableStream.from(['one ', 'two ', 'three']),
      add: ({ text }, word) => {
        before.push(text)
        return { text: text + word, reasoning: '', calls: [] }
      },
      isCut: () => false,
      explain: error => error,
    },
    call,
  )
  expect([before, deltas, reply.text]).toEqual([
    ['', '', ''],
    ['one ', 'two ', 'three'],
    'one two three',
  ])
})

test('arguments that a library has parsed are measured once, however many parts follow', async () => {
  let measured = 0
  const parsed = { toJSON: () => `measured ${++measured} times` }
  const calls = [{ id: 'a', tool: 'save', args: { parsed: parsed as unknown as Json } }]
  const words = ['one', 'two', 'three', 'four']
  await readReply<string, PartialReply>(
    {
      open: async () => ReadableStream.from(words),
      add: ({ text }, word) => ({ text: text + word, reasoning: '', calls }),
      isCut: () => false,
      explain: error => error,
    },
    calling(),
  )
  expect(measured).toBe(1)
})

describe('a model of the AI SDK', () => {
  test('whose stream neither waits nor ends is ended by its signal', async () => {
    const endless = new ReadableStream<Chunk>({
      pull: controller => controller.enqueue({ type: 'reasoning-delta', id: '1', delta: '' }),
    })
    const model = new MockLanguageModelV4({ doStream: async () => ({ stream: endless }) })
    const call = calling(AbortSignal.timeout(200))
    await expect(modelFrom(model).ask(request('hello'), call)).rejects.toThrow('timeout')
  })

  test('separates its reasoning from its text, and counts cached tokens', async () => {
    const model = mock(
      { type: 'reasoning-delta', id: '1', delta: 'Let me think.' },
      { type: 'text-delta', id: '2', delta: 'Yes.' },
      finish,
    )
    const call = calling()
    expect(await modelFrom(model).ask(request('why'), call)).toEqual({
      text: 'Yes.',
      reasoning: 'Let me think.',
      calls: [],
      usage: { input: 100, output: 9, cached: 64 },
    })
    expect(call.deltas).toEqual(['Yes.'])
  })

  test('does not request the calls that its provider has made itself', async () => {
    const call = (toolCallId: string, providerExecuted?: boolean): Chunk => ({
      type: 'tool-call',
      toolCallId,
      toolName: 'weather',
      input: '{"city":"Bonn"}',
      ...(providerExecuted !== undefined && { providerExecuted }),
    })
    const { calls } = await modelFrom(mock(call('a', true), call('b'), finish)).ask(
      request('weather'),
      calling(),
    )
    expect(calls).toEqual([{ id: 'b', tool: 'weather', args: { city: 'Bonn' } }])
  })

  test('receives the results of one answer in one message', async () => {
    const model = mock({ type: 'text-delta', id: '1', delta: 'Cold.' }, finish)
    const result = { role: 'tool', tool: 'weather', content: 'cold' } as const
    await modelFrom(model).ask(
      {
        ...request(
          'weather',
          { role: 'assistant', content: '', calls: [{ id: 'a', tool: 'weather', args: '{"c' }] },
          { ...result, call: 'a', ok: true },
          { ...result, call: 'b', ok: false },
        ),
        tools: [weather],
      },
      calling(),
    )
    expect(model.doStreamCalls[0]?.prompt.slice(2)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: { arguments: '{"c' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'weather',
            output: { type: 'text', value: 'cold' },
          },
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'weather',
            output: { type: 'error-text', value: 'cold' },
          },
        ],
      },
    ])
  })

  test('of version 2 reports its usage in plain numbers', async () => {
    const model = {
      specificationVersion: 'v2',
      modelId: 'old',
      doStream: async () => ({
        stream: simulateReadableStream({
          chunks: [
            { type: 'text-delta', id: '1', delta: 'Hi.' },
            {
              type: 'finish',
              finishReason: 'stop',
              usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4 },
            },
          ],
        }),
      }),
    }
    expect(await modelFrom(model).ask(request('hello'), calling())).toMatchObject({
      usage: { input: 10, output: 2, cached: 4 },
    })
  })

  test('that withholds its answer fails with a persistent error', async () => {
    const model = mock({ ...finish, finishReason: { unified: 'content-filter', raw: undefined } })
    expect(await failure(modelFrom(model).ask(request('hello'), calling()))).toMatchObject({
      class: 'persistent',
      facts: { code: 'content_filter' },
    })
  })

  test('that withholds its answer costs what it reports', async () => {
    const finishReason = { unified: 'content-filter', raw: undefined } as const
    const agent = createAgent({
      id: 'asking',
      model: mock({ ...finish, finishReason }),
      instructions: 'Answer.',
      limits: { steps: 4 },
    })
    const { events } = await play(agent, { input: { goal: 'Go.' } })
    const failed = events.map(({ event }) => event).find(({ type }) => type === 'model.failed')
    expect(failed).toMatchObject({ usage: { input: 100, output: 9, cached: 64 } })
  })
})

/** A model of LangChain that streams these chunks. An error breaks the stream. */
function streaming(...chunks: readonly (AIMessageChunk | Error)[]): AnyModel {
  async function* stream() {
    for (const chunk of chunks) {
      if (chunk instanceof Error) throw chunk
      yield chunk
    }
  }
  const model = {
    ...{ lc_namespace: ['test'], bindTools: () => model },
    ...{ _modelType: () => 'base_chat_model', _llmType: () => 'fake' },
    stream: async () => stream(),
  }
  return model as AnyModel
}

describe('what a model of the AI SDK has cost', () => {
  const bytes = new Uint8Array(3_000)
  const image = (data: unknown, type = 'file') =>
    ({ type, mediaType: 'image/png', data }) as unknown as Chunk
  const ask = async (...chunks: Chunk[]) => {
    const price = { input: 0, output: 1_000 }
    const agent = createAgent({
      id: 'drawing',
      model: modelFrom(mock(...chunks), { price, retry: { attempts: 1 } }),
      instructions: 'Draw.',
    })
    const { events } = await play(agent, { input: { goal: 'Go.' } })
    return events.map(({ event }) => event).find(({ type }) => /^model\.(done|failed)$/.test(type))
  }

  test.each([
    ['base64', image('x'.repeat(4_000)), 1_000],
    ['bytes', image(bytes), 1_000],
    ['tagged base64', image({ type: 'data', data: 'x'.repeat(4_000) }), 1_000],
    [
      'tagged bytes, of its reasoning',
      image({ type: 'data', data: bytes }, 'reasoning-file'),
      1_000,
    ],
    ['a URL', image({ type: 'url', url: new URL('https://x.test/a.png') }), 1_250],
    ['a large image', image('x'.repeat(4_000_000)), 1_250],
  ])('counts a file in an answer that broke off: %s', async (_, file, output) => {
    const error: Chunk = { type: 'error', error: new Error('overloaded') }
    expect(await ask(file, error)).toMatchObject({
      type: 'model.failed',
      usage: { output, usd: output / 1_000, estimated: true },
    })
  })

  test('counts the files in an answer of LangChain that broke off', async () => {
    const blocks = [
      { type: 'image', mimeType: 'image/png', data: 'x'.repeat(4_000) },
      { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
      { type: 'text', text: 'four' },
    ]
    const broken = streaming(new AIMessageChunk({ content: blocks as never }), new Error('broke'))
    const agent = createAgent({ id: 'drawing', model: modelFrom(broken), instructions: 'Draw.' })
    const { events } = await play(agent, { input: { goal: 'Go.' } })
    const failed = events.map(({ event }) => event).find(({ type }) => type === 'model.failed')
    expect(failed).toMatchObject({ usage: { output: 2_251, estimated: true } })
  })

  test('is the sum of the parts of a report without totals', async () => {
    const usage = {
      inputTokens: { total: undefined, noCache: 30, cacheRead: 60, cacheWrite: 10 },
      outputTokens: { total: undefined, text: 0, reasoning: 1_000 },
    }
    const delta: Chunk = { type: 'text-delta', id: '1', delta: 'ok' }
    const done = (await ask(delta, { ...finish, usage })) as unknown as { usage: object }
    expect(done.usage).toEqual({ input: 100, output: 1_000, cached: 60, usd: 1 })
  })
})

describe('an answer whose report has no output', () => {
  const text = Array.from({ length: 800 }, (_, n) => `w${(n * 7_919) % 9_973}`).join(' ')
  const output = Math.ceil(text.length / 4)
  const usage = (total: number | undefined) => ({
    inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total, text: total, reasoning: 0 },
  })
  const delta: Chunk = { type: 'text-delta', id: '1', delta: text }
  const v2 = {
    specificationVersion: 'v2',
    modelId: 'old',
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [delta, { type: 'finish', finishReason: 'stop', usage: { inputTokens: 100 } }],
      }),
    }),
  }
  const counts = { input_tokens: 100, total_tokens: 100 }
  const chunk = (output_tokens: number | undefined) =>
    new AIMessageChunk({ content: text, usage_metadata: { ...counts, output_tokens } as never })

  test.each<[string, AnyModel]>([
    ['the AI SDK, missing', mock(delta, { ...finish, usage: usage(undefined) })],
    ['the AI SDK, zero', mock(delta, { ...finish, usage: usage(0) })],
    ['the AI SDK, version 2', v2],
    ['LangChain, missing', streaming(chunk(undefined))],
    ['LangChain, zero', streaming(chunk(0))],
    ['LangChain, from the start of the stream', streaming(chunk(1))],
  ])('costs an estimate of it: %s', async (_, model) => {
    const agent = createAgent({ id: 'asking', model: modelFrom(model), instructions: 'Answer.' })
    const { events } = await play(agent, { input: { goal: 'Go.' } })
    const done = events.map(({ event }) => event).find(({ type }) => type === 'model.done')
    expect(done).toMatchObject({ usage: { input: 100, output, estimated: true } })
  })
})

describe('a model of LangChain', () => {
  test('without streaming returns its calls and its text at once', async () => {
    const model = modelFrom(
      fakeModel()
        .respondWithTools([{ name: 'weather', args: { city: 'Oslo' }, id: 'call_a' }])
        .respond(
          new AIMessage({
            content: [
              { type: 'reasoning', reasoning: 'Let me think.' },
              { type: 'text', text: 'Cold.' },
            ],
          }),
        ),
    )
    const asking = { ...request('weather'), tools: [weather] }
    expect((await model.ask(asking, calling())).calls).toEqual([
      { id: 'call_a', tool: 'weather', args: { city: 'Oslo' } },
    ])
    expect(await model.ask(asking, calling())).toMatchObject({
      text: 'Cold.',
      reasoning: 'Let me think.',
    })
  })

  test.each([
    [
      [50_000, 1, 30_000],
      [0, 40],
    ],
    [
      [50_000, 1, 30_000],
      [40, 0],
    ],
    [
      [50_000, 1],
      [0, 5_000, 0],
    ],
    [
      [50_000, 1, 30_000],
      [3, 5_000, 3],
    ],
    [
      [0, 0],
      [50_000, 1],
      [0, 40, 20],
      [0, 0],
    ],
  ])('adds up the usage of its chunks, as concat does: %j', async (...counts) => {
    const chunks = counts.map(([input_tokens = 0, output_tokens = 0, cache_read]) => {
      const details = cache_read === undefined ? {} : { input_token_details: { cache_read } }
      const total_tokens = input_tokens + output_tokens
      const usage_metadata = { input_tokens, output_tokens, total_tokens, ...details }
      return new AIMessageChunk({ content: 'a', usage_metadata })
    })
    const { usage_metadata: sum } = chunks.reduce((all, chunk) => all.concat(chunk))
    const { usage } = await modelFrom(streaming(...chunks)).ask(request('hello'), calling())
    expect(usage).toEqual({
      input: sum?.input_tokens,
      output: sum?.output_tokens,
      cached: sum?.input_token_details?.cache_read ?? 0,
    })
  })

  test.each([
    ['apart from the input', { input_tokens: 10, total_tokens: 69_015 }],
    ['as a part of it', { input_tokens: 69_010, total_tokens: 69_015 }],
  ])('counts the caches that its provider reports %s as input', async (_, counts) => {
    const input_token_details = { cache_read: 9_000, cache_creation: 60_000 }
    const usage_metadata = { ...counts, output_tokens: 5, input_token_details }
    const { usage } = await modelFrom(
      streaming(new AIMessageChunk({ content: 'a', usage_metadata })),
    ).ask(request('hello'), calling())
    expect(readUsage(usage)).toEqual({ input: 69_010, output: 5, cached: 9_000 })
  })

  test('reports the usage so far with each chunk', async () => {
    const counts = { input_tokens: 50_000, output_tokens: 1, total_tokens: 50_001 }
    const rest = { input_tokens: 0, output_tokens: 40, total_tokens: 40 }
    const model = streaming(
      new AIMessageChunk({ content: 'a', usage_metadata: counts }),
      new AIMessageChunk({ content: 'b', usage_metadata: rest }),
      new Error('the connection broke'),
    )
    const usages: unknown[] = []
    const onDelta = (_: string, __?: number, usage?: object) => void usages.push(usage)
    const asking = modelFrom(model).ask(request('hello'), { ...calling(), onDelta })
    await expect(asking).rejects.toThrow('the connection broke')
    expect(usages).toEqual([
      undefined,
      { input: 50_000, output: 1, cached: 0 },
      { input: 50_000, output: 41, cached: 0 },
    ])
  })

  test('with more tool calls than an answer may have fails at once', async () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => ({
      ...{ index, id: `c${index}`, name: 'weather', args: '{}' },
      type: 'tool_call_chunk' as const,
    }))
    const content = new AIMessageChunk({ content: '', tool_call_chunks: pieces })
    const asking = modelFrom(streaming(content)).ask(request('weather'), calling())
    await expect(asking).rejects.toThrow('more than 256 tool calls')
  })

  test('without tool support reports an error if it receives tools', async () => {
    const fake = Object.assign(new FakeListChatModel({ responses: ['Hi.'] }), {
      bindTools: undefined,
    })
    const model = modelFrom(fake)
    expect(await model.ask(request('hello'), calling())).toMatchObject({ text: 'Hi.' })
    await expect(model.ask({ ...request('hello'), tools: [weather] }, calling())).rejects.toThrow(
      'the chat model fake-list cannot call tools: it has no bindTools',
    )
  })
})

describe('modelFrom', () => {
  test('uses the name of the library for a model, and applies the options', () => {
    const price = { input: 0.15, output: 0.6 }
    expect(
      modelFrom(mock(finish), { price, timeout: 20_000, substitutes: ['other'] }),
    ).toMatchObject({ id: 'mock', price, timeout: 20_000, substitutes: ['other'] })
    expect(modelFrom(new ChatOpenAI({ model: id, apiKey }))).toMatchObject({ id, timeout: 120_000 })
    const own = { id: 'own', timeout: 1_000, ask: async () => ({ text: '', calls: [] }) }
    expect(modelFrom(own)).toBe(own)
    expect(modelFrom(own, { timeout: 5 })).toMatchObject({ id: 'own', timeout: 5 })
  })

  test.each([
    ['openai/gpt-4o-mini', "the text 'openai/gpt-4o-mini' is not a model; expected a language"],
    [undefined, 'undefined is not a model'],
    [{}, 'an object is not a model'],
    [new Map(), 'an object of the class Map is not a model'],
    [
      { specificationVersion: 'v9', modelId: 'x', doStream: () => {} },
      'a model of the AI SDK with specification v9 is not a model',
    ],
  ])('rejects %j and lists the accepted values', (value, message) => {
    const made = () => modelFrom(value as AnyModel)
    expect(made).toThrow(message)
    try {
      made()
    } catch (error) {
      expect(isUnknownModel(error)).toBe(true)
    }
  })
})
