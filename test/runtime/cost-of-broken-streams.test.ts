/** A stream that breaks, or whose answer nothing waits for any longer, costs the usage that it has reported. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAI } from '@ai-sdk/openai'
import { AIMessageChunk } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openaiModel } from '../../src/adapters/model/langchain/openai-model.ts'
import { model as modelSpec } from '../../src/core/graph/spec/resource.ts'
import type { AnyModel } from '../../src/host/definition/model-from.ts'
import { createAgent, createRuntime, memoryStore, modelFrom, tool } from '../../src/index.ts'
import type { Model } from '../../src/runtime/ports.ts'
import { answering, INPUT, price, request, spend, streaming } from './spend.ts'

const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
const raw = (rawValue: object) => ({ type: 'raw', rawValue })
const text = { type: 'text-delta', id: '1', delta: 'The ' }
/** Rejects when the signal is aborted. */
const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )

const COUNTED = { prompt_tokens: 330, completion_tokens: 9_001, total_tokens: 9_331 }
const COUNTED_CHUNK = { choices: [{ delta: { content: 'The ' } }], usage: COUNTED }

/** Chunks of the APIs, and what they report. */
const APIS: readonly (readonly [string, readonly object[], input: number, output: number])[] = [
  ['chat completions', [COUNTED_CHUNK], 330, 9_001],
  [
    'Gemini, with thoughts apart',
    [
      {
        usageMetadata: {
          promptTokenCount: 330,
          candidatesTokenCount: 1,
          thoughtsTokenCount: 9_000,
          totalTokenCount: 9_331,
        },
      },
    ],
    330,
    9_001,
  ],
  [
    'Gemini, with results of its tools apart',
    [
      {
        usageMetadata: {
          promptTokenCount: 330,
          toolUsePromptTokenCount: 60_000,
          candidatesTokenCount: 1,
          thoughtsTokenCount: 9_000,
          totalTokenCount: 69_331,
        },
      },
    ],
    60_330,
    9_001,
  ],
  [
    'Anthropic, with caches apart',
    [
      {
        type: 'message_start',
        message: {
          usage: {
            input_tokens: 300,
            cache_read_input_tokens: 60_000,
            cache_creation_input_tokens: 9_000,
            output_tokens: 1,
          },
        },
      },
    ],
    69_300,
    1,
  ],
  [
    'Anthropic, before its last event',
    [
      { type: 'message_start', message: { usage: { input_tokens: 300, output_tokens: 1 } } },
      { type: 'message_delta', delta: {}, usage: { output_tokens: 9_001 } },
    ],
    300,
    9_001,
  ],
  [
    'the Responses API',
    [
      { type: 'response.created', response: { usage: null } },
      {
        type: 'response.failed',
        response: {
          usage: {
            input_tokens: 330,
            input_tokens_details: { cached_tokens: 300 },
            output_tokens: 9_001,
            total_tokens: 9_331,
          },
        },
      },
    ],
    330,
    9_001,
  ],
  [
    'Bedrock, with caches apart',
    [
      {
        metadata: {
          usage: {
            inputTokens: 30,
            cacheReadInputTokens: 300,
            outputTokens: 9_001,
            totalTokens: 9_331,
          },
        },
      },
    ],
    330,
    9_001,
  ],
]

describe.each(APIS)('the usage in the chunks of %s', (_, chunks, input, output) => {
  const parts = [...chunks.map(raw), text]

  test('counts when the stream breaks', async () => {
    const model = streaming(async function* () {
      yield* parts
      throw reset()
    })
    expect(await spend({ a: model })).toEqual([['model.failed', input, output]])
  })

  test('counts when the timeout passes', async () => {
    const model = streaming(
      async function* (signal) {
        yield* parts
        await hang(signal)
      },
      { options: { timeout: 50 } },
    )
    expect(await spend({ a: model })).toEqual([['model.failed', input, output]])
  })
})

test('a zero in a later chunk takes nothing back', async () => {
  const model = streaming(async function* () {
    yield raw({ type: 'message_start', message: { usage: { input_tokens: 330 } } })
    yield raw({ type: 'message_delta', usage: { input_tokens: 0, output_tokens: 9_001 } })
    throw reset()
  })
  expect(await spend({ a: model })).toEqual([['model.failed', 330, 9_001]])
})

test('the cache that a gateway names beside an input of OpenAI is a part of it', async () => {
  const usage = { ...COUNTED, prompt_tokens: 50_000, cache_read_input_tokens: 40_000 }
  const model = streaming(async function* () {
    yield raw({ choices: [], usage })
    throw reset()
  })
  expect(await spend({ a: model })).toEqual([['model.failed', 50_000, 9_001]])
})

/** A chat model of LangChain whose one chunk reports its usage. */
const langchain = (end: (signal: AbortSignal) => Promise<never>) => {
  const usage_metadata = { input_tokens: 330, output_tokens: 9_001, total_tokens: 9_331 }
  return modelFrom(
    {
      _llmType: () => 'm',
      _modelType: () => 'base_chat_model',
      stream: async (_: unknown, { signal }: { signal: AbortSignal }) =>
        (async function* () {
          yield new AIMessageChunk({ content: 'The ', usage_metadata })
          await end(signal)
        })(),
    } as unknown as AnyModel,
    { price, timeout: 50 },
  )
}

const custom = answering(async (_, { onDelta, signal }) => {
  onDelta('The ', 0, { input: 330, output: 9_001 })
  return hang(signal)
})

const abandoned: readonly (readonly [string, Model])[] = [
  ['the AI SDK', streaming(signal => counted(signal), { options: { timeout: 50 } })],
  ['LangChain', langchain(hang)],
  ['custom code', { ...custom, timeout: 50 }],
]
async function* counted(signal: AbortSignal) {
  yield raw(COUNTED_CHUNK)
  await hang(signal)
}

describe.each(abandoned)('the usage that a model of %s has reported', (_, model) => {
  test('counts when the timeout of its attempt passes', async () => {
    expect(await spend({ a: model })).toEqual([['model.failed', 330, 9_001]])
  })

  test('counts when the node is left', async () => {
    const winner = answering(async (_, { sleep }) => {
      await sleep(20)
      return { text: 'yes', calls: [], usage: { input: 10, output: 1 } }
    })
    const loser = { ...model, timeout: 60_000 }
    const booked = await spend({ a: winner, b: loser }, [
      task => Promise.race([task.ask('b', request), task.ask('a', request)]),
    ])
    expect(booked).toContainEqual(['call.late', 330, 9_001])
    expect(booked).toHaveLength(2)
  })
})

test('a part that comes after the timeout is read', async () => {
  const model = streaming(
    async function* () {
      await new Promise(resolve => setTimeout(resolve, 100))
      yield raw(COUNTED_CHUNK)
    },
    { options: { timeout: 20 } },
  )
  const booked = await spend(
    { a: model, b: answering(async (_, { sleep }) => sleep(300) as Promise<never>) },
    [
      task => task.ask('a', request).catch(() => {}),
      task => task.ask('b', request).catch(() => {}),
    ],
  )
  expect(booked.slice(0, 2)).toEqual([
    ['model.failed', INPUT, 0],
    ['call.late', 0, 9_001],
  ])
})

test('what a model reports with its text counts also if its reply names no usage', async () => {
  const silent = answering(async (_, { onDelta }) => {
    onDelta('Yes.', 0, { input: 330, output: 9_001 })
    return { text: 'Yes.', calls: [] }
  })
  expect(await spend({ a: silent })).toEqual([['model.done', 330, 9_001]])
})

test('a degenerate output costs the usage that came before it', async () => {
  const model = streaming(async function* (signal) {
    yield raw(COUNTED_CHUNK)
    for (let line = 0; line < 400; line++)
      yield { type: 'text-delta', id: '1', delta: 'I will check the logs once more now. ' }
    await hang(signal)
  })
  const [[type, input, output] = []] = await spend({ a: model })
  expect([type, input, output]).toEqual(['model.failed', 330, 9_001])
})

test('a failed answer is booked when the node is left while its substitute is admitted', async () => {
  const store = memoryStore()
  const gated = Promise.withResolvers<void>()
  const breaker: typeof store.breaker = async resource => {
    if (resource.endsWith('model:c')) {
      gated.resolve()
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    return store.breaker(resource)
  }
  const failing = streaming(
    async function* () {
      yield raw(COUNTED_CHUNK)
      throw reset()
    },
    { options: { breaker: { threshold: 1, reset: 60_000 }, substitutes: ['c'] } },
  )
  const winner = answering(async () => {
    await gated.promise
    return { text: 'yes', calls: [], usage: { input: 10, output: 1 } }
  })
  const booked = await spend(
    { a: winner, b: failing, c: winner },
    [
      task => Promise.race([task.ask('b', request), task.ask('a', request)]),
      async () => new Promise(resolve => setTimeout(resolve, 100)),
    ],
    { ...store, breaker },
  )
  expect(booked).toEqual([
    ['model.done', 10, 1],
    ['call.late', 330, 9_001],
  ])
})

describe('an answer in the moment in which the node is left', () => {
  const usage = { input: 330, output: 9_001 }
  /** Resolves after so many turns of the queue of promises. */
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await undefined
  }
  const ends: Readonly<Record<string, Model['ask']>> = {
    'that succeeds': async () => ({ text: 'no', calls: [], usage }),
    'that fails': async (_, { onDelta }) => {
      onDelta('no', 0, usage)
      throw reset()
    },
  }

  test.each(Object.entries(ends))('%s is booked', async (_, end) => {
    const lost: number[] = []
    for (let distance = 0; distance < 60; distance++) {
      const both = Promise.withResolvers<void>()
      const winner = answering(async () => {
        await both.promise
        await turns(20)
        return { text: 'yes', calls: [], usage: { input: 10, output: 1 } }
      })
      const loser = answering(async (...asked) => {
        await both.promise
        await turns(distance)
        return end(...asked)
      })
      const booked = await spend({ a: winner, b: loser }, [
        async task => {
          const race = Promise.race([
            task.ask('b', request).catch(() => new Promise(() => {})),
            task.ask('a', request),
          ])
          setTimeout(both.resolve, 5)
          await race
        },
      ])
      if (!booked.some(([, , output]) => output === usage.output)) lost.push(distance)
    }
    expect(lost).toEqual([])
  })
})

test('a fault that a person injects does not book the attempt before it again', async () => {
  const model = streaming(
    async function* () {
      yield raw(COUNTED_CHUNK)
      throw reset()
    },
    { options: { retry: { attempts: 2, base: 200, cap: 200 } } },
  )
  const agent = createAgent({ id: 'a', model, retry: { attempts: 2, base: 200, cap: 200 } })
  const runtime = createRuntime({ store: memoryStore(), graphs: [agent] })
  const thread = await runtime.start(agent, { goal: 'Say it.' })
  for await (const of of thread.events()) {
    const event = 'row' in of ? of.row.event : undefined
    if (event?.type !== 'model.failed' || event.attempt > 1) continue
    await thread.inject({ kind: 'model', name: event.subject, message: 'HTTP 403' })
  }
  const failures = (await thread.rows()).flatMap(({ event }) =>
    event.type === 'model.failed' ? [event.usage?.output] : [],
  )
  await runtime.close()
  expect(failures.slice(0, 2)).toEqual([9_001, 0])
})

describe('an endpoint that reports the usage so far in its chunks', () => {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const [, end, place] = incoming.url?.split('/') ?? []
      const choice = { index: 0, delta: { role: 'assistant', content: 'The ' } }
      const send = (chunk: object) =>
        response.write(`data: ${JSON.stringify({ id: 'x', ...chunk })}\n\n`)
      send({ choices: [choice], ...(place === 'first' && { usage: COUNTED }) })
      if (place === 'last') send({ choices: [], usage: COUNTED })
      if (end === 'reset') setTimeout(() => incoming.socket.destroy(), 20)
    })
  })
  beforeAll(() => new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    server.closeAllConnections()
    return new Promise(resolve => void server.close(resolve))
  })
  const baseAt = (path: string) =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`
  // Long enough for the first chunk to arrive on a busy machine.
  const options = { price, timeout: 1_500 }
  const apiKey = 'sk-test'
  const adapters: Readonly<Record<string, (baseURL: string) => Model>> = {
    'the AI SDK': baseURL => modelFrom(createOpenAI({ apiKey, baseURL }).chat('m'), options),
    ChatOpenAI: baseURL =>
      modelFrom(new ChatOpenAI({ model: 'm', apiKey, configuration: { baseURL } }), options),
    'an endpoint of a spec': baseURL =>
      openaiModel(modelSpec.parse({ id: 'm', baseURL, ...options }), { OPENAI_API_KEY: apiKey }),
  }

  test.each(
    Object.entries(adapters).flatMap(([name, model]) =>
      ['reset/first', 'hang/first'].map(path => [name, path, model] as const),
    ),
  )('costs them through %s: %s', async (_, path, model) => {
    expect(await spend({ a: model(baseAt(path)) })).toEqual([['model.failed', 330, 9_001]])
  })

  test.each([
    ['the AI SDK', 'reset/last'],
    ['the AI SDK', 'hang/last'],
    ['an endpoint of a spec', 'reset/last'],
    ['an endpoint of a spec', 'hang/last'],
  ])('and only the end is missing, costs them through %s: %s', async (name, path) => {
    const model = adapters[name] as (typeof adapters)[string]
    expect(await spend({ a: model(baseAt(path)) })).toEqual([['model.failed', 330, 9_001]])
  })
})

describe('an endpoint of a spec', () => {
  const usage = { input_tokens: 330, output_tokens: 9_001, total_tokens: 9_331 }
  const answers: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/json/chat/completions': ['application/json', JSON.stringify({ object: 'response', usage })],
    '/line/chat/completions': ['text/event-stream', `data: ${'x'.repeat(68_000_000)}`],
  }
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      const [type, body] = answers[incoming.url ?? ''] ?? ['text/plain', '']
      response.writeHead(200, { 'content-type': type })
      response.end(body)
    })
  })
  beforeAll(() => new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    server.closeAllConnections()
    return new Promise(resolve => void server.close(resolve))
  })
  const spent = (path: string) => {
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`
    const options = { id: 'm', baseURL, timeout: 30_000, price: { input: 0, output: 0 } }
    return spend({ a: openaiModel(modelSpec.parse(options), { OPENAI_API_KEY: 'sk-test' }) })
  }

  test('costs the usage of an answer in another form than chat completions', async () => {
    expect(await spent('json')).toEqual([['model.failed', 330, 9_001]])
  })

  test('costs what came of an event without an end', async () => {
    const [[type, input, output = 0] = []] = await spent('line')
    expect([type, input]).toEqual(['model.failed', INPUT])
    expect(output).toBeGreaterThan(15_000_000)
  })
})

describe('limits.usd', () => {
  test('ends an agent whose answers time out after they have reported their cost', async () => {
    let requests = 0
    const model = streaming(
      async function* (signal) {
        const turn = requests++
        yield raw(COUNTED_CHUNK)
        if (turn % 3 < 2) await hang(signal)
        const input = JSON.stringify({ name: `page ${turn}` })
        yield { type: 'tool-call', toolCallId: `c${turn}`, toolName: 'read', input }
        const usage = { inputTokens: { total: 330 }, outputTokens: { total: 20 } }
        yield { type: 'finish', finishReason: { unified: 'tool-calls' }, usage }
      },
      { options: { price: { input: 1.25, output: 10 }, timeout: 30, retry: { base: 1, cap: 1 } } },
    )
    const read = tool({
      description: 'Reads a page.',
      inputSchema: z.object({ name: z.string() }),
      effects: 'read',
      execute: async ({ name }) => `${name} has ${name.length * 7} lines`,
    })
    const agent = createAgent({ id: 'a', model, tools: { read }, limits: { usd: 0.5 } })
    const runtime = createRuntime({ store: memoryStore(), graphs: [agent] })
    const { spent, because } = await (await runtime.start(agent, { goal: 'Read all.' })).result()
    await runtime.close()
    expect(because).toMatch(/usd|\$/)
    // Each request has cost $0.09.
    expect(requests).toBeLessThan(12)
    expect(spent.usd).toBeGreaterThan(0.5)
  })
})

describe('a cache apart from the input, which version 2 of the AI SDK leaves out', () => {
  const answered = (
    usage: Readonly<Record<string, number>>,
    more: { readonly parts?: readonly object[]; readonly providerMetadata?: object } = {},
  ) =>
    streaming(
      () => [
        ...(more.parts ?? []),
        text,
        {
          type: 'finish',
          finishReason: 'stop',
          usage: {
            inputTokens: usage.input_tokens,
            cachedInputTokens: usage.cache_read_input_tokens,
            outputTokens: 12,
            totalTokens: (usage.input_tokens ?? 0) + 12,
          },
          providerMetadata: more.providerMetadata,
        },
      ],
      { version: 'v2' },
    )
  const CACHES = [
    ['written', { input_tokens: 10, cache_creation_input_tokens: 60_000 }, 60_010],
    [
      'read and written',
      { input_tokens: 10, cache_read_input_tokens: 60_000, cache_creation_input_tokens: 9_000 },
      69_010,
    ],
    [
      'read, and smaller than the input',
      { input_tokens: 50_000, cache_read_input_tokens: 40_000 },
      90_000,
    ],
  ] as const

  test.each(CACHES)('counts by the chunks: %s', async (_, usage, input) => {
    const parts = [raw({ type: 'message_start', message: { usage } })]
    expect(await spend({ a: answered(usage, { parts }) })).toEqual([['model.done', input, 12]])
  })

  test.each(CACHES)('counts by the metadata of the provider: %s', async (_, usage, input) => {
    const providerMetadata = { anthropic: { usage } }
    expect(await spend({ a: answered(usage, { providerMetadata }) })).toEqual([
      ['model.done', input, 12],
    ])
  })

  test('is not added to an input that contains it', async () => {
    const usage = { input_tokens: 50_000, cache_read_input_tokens: 40_000 }
    const parts = [
      raw({ usageMetadata: { promptTokenCount: 50_000, cachedContentTokenCount: 40_000 } }),
    ]
    expect(await spend({ a: answered(usage, { parts }) })).toEqual([['model.done', 50_000, 12]])
  })
})

describe('a chunk of LangChain', () => {
  const chatting = (chunk: object): Model => {
    const stream = async () => ReadableStream.from([chunk])
    const model = { stream, _llmType: () => 'm', _modelType: () => 'base_chat_model' }
    return modelFrom(model as unknown as AnyModel, { price })
  }
  const usage_metadata = { input_tokens: 330, output_tokens: 9_001, total_tokens: 9_331 }

  test('with too many calls costs the usage that it reports', async () => {
    const pieces = Array.from({ length: 300 }, (_, index) => ({ index, name: 's', args: '{}' }))
    const model = chatting({ content: '', tool_call_chunks: pieces, usage_metadata })
    expect(await spend({ a: model })).toEqual([['model.failed', 330, 9_001]])
  })

  test('may have null for a field', async () => {
    const fields = { tool_calls: null, invalid_tool_calls: null, response_metadata: null }
    const model = chatting({ content: 'Done.', ...fields, usage_metadata })
    expect(await spend({ a: model })).toEqual([['model.done', 330, 9_001]])
  })
})
