/** Failed calls of a model have their cost: what was reported, or an estimate of what was sent and received. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAI } from '@ai-sdk/openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyModel } from '../../src/host/definition/model-from.ts'
import { modelFrom, tool } from '../../src/index.ts'
import type { Model } from '../../src/runtime/ports.ts'
import { answering, INPUT, price, request, spend, streaming, type Work } from './spend.ts'

const finish = {
  type: 'finish',
  finishReason: { unified: 'stop' },
  usage: { inputTokens: { total: 9_000 }, outputTokens: { total: 800 } },
}

describe('a failed call of a model', () => {
  test.each([
    ['an error that is a text', streaming(() => [{ type: 'error', error: 'Internal error' }])],
    [
      'an error that is a map',
      streaming(() => [{ type: 'error', error: { message: 'Overloaded' } }]),
    ],
  ])('costs its input after %s', async (_, model) => {
    expect(await spend({ a: model })).toEqual([['model.failed', INPUT, 0]])
  })

  test.each([
    ['a text', 'Internal error'],
    ['a frozen error', Object.freeze(new Error('Internal error'))],
  ])('costs what was reported before an error that is %s', async (_, error) => {
    const model = streaming(() => [finish, { type: 'error', error }])
    expect(await spend({ a: model })).toEqual([['model.failed', 9_000, 800]])
  })

  /** A stream of LangChain with these chunks, which breaks. */
  const broken = (...chunks: readonly object[]): Model => {
    async function* parts() {
      for (const chunk of chunks) yield { content: '', ...chunk }
      throw new Error('reset')
    }
    const stream = async () => parts()
    const model = { stream, _llmType: () => 'm', _modelType: () => 'base_chat_model' }
    return modelFrom(model as AnyModel, { price })
  }

  test('costs the arguments of calls that a model of LangChain sent in one piece', async () => {
    const call = { id: '1', name: 'write', args: { text: 'x'.repeat(4_000) } }
    // `{"text":"…"}` has 4,011 characters.
    expect(await spend({ a: broken({ tool_calls: [call] }) })).toEqual([
      ['model.failed', INPUT, 1_003],
    ])
  })

  const long = 'x'.repeat(4_000)
  test.each([
    [
      'reasoning of Converse',
      { content: [{ type: 'reasoning_content', reasoningText: { text: long } }] },
    ],
    ['a refusal', { content: [{ type: 'refusal', refusal: long }] }],
    ['a refusal in a field', { additional_kwargs: { refusal: long } }],
    ['speech', { additional_kwargs: { audio: { id: 'a', transcript: long, data: long } } }],
    [
      'input of a tool of the provider',
      { content: [{ type: 'server_tool_use', id: 's', input: long }] },
    ],
    ['a block of any type', { content: [{ type: 'non_standard', value: { parts: [long] } }] }],
  ])('costs what a model of LangChain sent as %s', async (_, chunk) => {
    expect(await spend({ a: broken(chunk) })).toEqual([['model.failed', INPUT, 1_000]])
  })

  test('costs a text of LangChain once, in however many fields it comes', async () => {
    const pieces = [{ index: 0, id: '1', name: 'write', args: long }]
    const chunk = {
      content: [{ type: 'input_json_delta', index: 0, input: long }],
      tool_call_chunks: pieces,
      additional_kwargs: { tool_calls: [{ function: { arguments: long } }] },
    }
    expect(await spend({ a: broken(chunk) })).toEqual([['model.failed', INPUT, 1_000]])
  })

  test.each([
    ['a refusal of chat completions', { choices: [{ delta: { refusal: long } }] }],
    [
      'reasoning in details',
      { choices: [{ delta: { reasoning: null, reasoning_details: [{ text: long }] } }] },
    ],
    [
      'thoughts in a list',
      { choices: [{ delta: { content: [{ type: 'thinking', thinking: [{ text: long }] }] } }] },
    ],
    [
      'a function of earlier models',
      { choices: [{ delta: { function_call: { arguments: long } } }] },
    ],
    ['a refusal of the Responses API', { type: 'response.refusal.delta', delta: long }],
    ['reasoning of the Responses API', { type: 'response.reasoning_text.delta', delta: long }],
  ])('costs what a library leaves out: %s', async (_, rawValue) => {
    const parts = [
      { type: 'raw', rawValue },
      { type: 'error', error: 'reset' },
    ]
    expect(await spend({ a: streaming(() => parts) })).toEqual([['model.failed', INPUT, 1_000]])
  })

  test('costs the arguments of a call that the provider executes, once', async () => {
    const call = { type: 'tool-call', toolCallId: '1', providerExecuted: true, input: long }
    const failed = { type: 'error', error: 'reset' }
    const whole = streaming(() => [call, failed])
    const drafted = streaming(() => [{ type: 'tool-input-delta', delta: long }, call, failed])
    for (const a of [whole, drafted])
      expect(await spend({ a })).toEqual([['model.failed', INPUT, 1_000]])
  })

  test('costs the arguments of a call whose neighbor is complete', async () => {
    const parts = [
      { type: 'tool-input-delta', id: '1', delta: long },
      { type: 'tool-call', toolCallId: '2', toolName: 'look', input: '{}' },
      { type: 'error', error: 'reset' },
    ]
    expect(await spend({ a: streaming(() => parts) })).toEqual([['model.failed', INPUT, 1_000]])
  })

  test.each([
    ['a BigInt', { n: 1n }],
    [
      'a cycle',
      Object.assign(
        {},
        {
          get self() {
            return this
          },
        },
      ),
    ],
  ])('costs what was reported with arguments that hold %s', async (_, args) => {
    const reply = { text: 'x', calls: [{ id: '1', tool: 'y', args: args as never }] }
    const usage = { input: 1_000, output: 50, cached: 0 }
    const reported = answering(async () => ({ ...reply, usage }))
    expect(await spend({ a: reported })).toEqual([['model.failed', 1_000, 50]])
    const silent = answering(async () => reply)
    expect(await spend({ a: silent })).toEqual([['model.failed', INPUT, 1]])
  })

  test.each([
    ['JSON', new SyntaxError('Unexpected end of JSON input')],
    ['its library', new TypeError("Cannot read properties of undefined (reading 'message')")],
  ])('costs its input when its answer cannot be read by %s', async (_, error) => {
    const unread = answering(async () => {
      throw error
    })
    expect(await spend({ a: unread })).toEqual([['model.failed', INPUT, 0]])
  })

  test('costs the definitions of its tools', async () => {
    const look = tool({
      name: 'look',
      description: 'd'.repeat(4_000),
      inputSchema: z.object({ q: z.string() }),
      effects: 'read',
      execute: async () => 1,
    })
    const broken = answering(async () => {
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    })
    const asking: Work = task => task.ask('a', { ...request, tools: [look] })
    const [[type, input = 0] = []] = await spend({ a: broken }, [asking])
    expect(type).toBe('model.failed')
    expect(Number(input)).toBeGreaterThan(INPUT + 1_000)
  })

  test('costs its input when a client that tried several times cannot connect', async () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })
    const failing = (attemptNumber: number) =>
      answering(async () => {
        throw Object.assign(new Error('fetch failed', { cause }), { attemptNumber })
      })
    expect(await spend({ a: failing(3) })).toEqual([['model.failed', INPUT, 0]])
    expect(await spend({ a: failing(1) })).toEqual([['model.failed', undefined, undefined]])
  })

  test('costs nothing when the provider refuses or fails itself', async () => {
    const refusing = answering(async () => {
      throw Object.assign(new Error('x'), { status: 500 })
    })
    expect(await spend({ a: refusing })).toEqual([['model.failed', undefined, undefined]])
  })
})

describe('a call that loses a race', () => {
  const slow = () => Promise.withResolvers<void>()
  const replying = (usage: object | undefined, until?: Promise<void>) =>
    answering(async () => {
      await until
      return { text: 'yes', calls: [], ...(usage && { usage }) } as never
    })
  const winner = replying({ input: 10, output: 1 })
  /** The loser answers in the second node. */
  const lose = (loser: Model, { resolve }: ReturnType<typeof slow>) =>
    spend({ a: winner, b: loser }, [
      task => Promise.race([task.ask('b', request), task.ask('a', request)]),
      async task => {
        resolve()
        await task.ask('a', request)
      },
    ])

  test('costs what its late answer reports beyond the estimate', async () => {
    const answer = slow()
    const booked = await lose(replying({ input: 2_000, output: 700 }, answer.promise), answer)
    expect(booked.filter(([type]) => type === 'call.late')).toEqual([
      ['call.late', INPUT, 0],
      ['call.late', 2_000 - INPUT, 700],
    ])
  })

  test('keeps the estimate when the late answer reports nothing', async () => {
    const answer = slow()
    const booked = await lose(replying(undefined, answer.promise), answer)
    expect(booked.filter(([type]) => type === 'call.late')).toEqual([['call.late', INPUT, 0]])
  })
})

describe('a stream that breaks', () => {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const delta of incoming.url?.startsWith('/silent') ? [] : DELTAS)
        response.write(
          `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta }], ...USAGE(incoming.url) })}\n\n`,
        )
      response.flushHeaders()
      setTimeout(() => incoming.socket.destroy(), 20)
    })
  })
  const DELTAS = [{ role: 'assistant', content: 'Hm, ' }, { reasoning_content: 'r'.repeat(400) }]
  const COUNTS: Readonly<Record<string, number>> = { '/counted': 900, '/early': 1 }
  const USAGE = (url = '') => {
    const completion_tokens = COUNTS[url.replace('/chat/completions', '')]
    return completion_tokens === undefined
      ? {}
      : { usage: { prompt_tokens: 3_000, completion_tokens, total_tokens: 3_000 } }
  }
  const modelAt = (path: string) => {
    const { port } = server.address() as AddressInfo
    const provider = createOpenAI({ apiKey: 'sk-test', baseURL: `http://127.0.0.1:${port}${path}` })
    return modelFrom(provider.chat('m'), { price })
  }
  beforeAll(() => new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => new Promise(resolve => void server.close(resolve)))

  test('before its first part costs its input', async () => {
    expect(await spend({ a: modelAt('/silent') })).toEqual([['model.failed', INPUT, 0]])
  })

  test('costs its text and the reasoning that the library does not read', async () => {
    expect(await spend({ a: modelAt('/thinking') })).toEqual([['model.failed', INPUT, 101]])
  })

  test('costs the usage that a chunk reported', async () => {
    expect(await spend({ a: modelAt('/counted') })).toEqual([['model.failed', 3_000, 900]])
  })

  test('costs what it has streamed after a chunk reported the usage so far', async () => {
    expect(await spend({ a: modelAt('/early') })).toEqual([['model.failed', 3_000, 101]])
  })
})

describe('a broken stream of a chat model of LangChain', () => {
  const text = 'r'.repeat(400)
  const fields = { reasoning: { type: 'reasoning', summary: [{ type: 'summary_text', text }] } }
  test.each([
    ['only in the fields of the provider', { content: [], additional_kwargs: fields }],
    [
      'there and in a block, once',
      { content: [{ type: 'reasoning', reasoning: text }], additional_kwargs: fields },
    ],
    [
      'in a block, beside a summary that is null',
      {
        content: [{ type: 'reasoning', reasoning: text }],
        additional_kwargs: { reasoning: null },
      },
    ],
  ])('costs the summaries of the Responses API %s', async (_, chunk) => {
    const model = {
      model: 'm',
      _modelType: () => 'base_chat_model',
      _llmType: () => 'openai',
      bindTools: () => model,
      stream: async () =>
        (async function* () {
          yield chunk
          throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
        })(),
    }
    expect(await spend({ a: modelFrom(model, { price }) })).toEqual([['model.failed', INPUT, 100]])
  })
})
