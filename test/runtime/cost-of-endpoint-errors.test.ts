/** An error in the stream of an endpoint of a spec: the answer costs the usage that the endpoint reports with it or around it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { AnswerTranslator } from '../../src/adapters/model/langchain/answer-translator.ts'
import { openaiModel } from '../../src/adapters/model/langchain/openai-model.ts'
import { model as modelSpec } from '../../src/core/graph/spec/resource.ts'
import type { Model } from '../../src/runtime/ports.ts'
import { INPUT, price, spend } from './spend.ts'

const usage = { prompt_tokens: 330, completion_tokens: 9_001, total_tokens: 9_331 }
const error = { message: 'overloaded', code: 503 }
const data = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`
const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const TEXT = data(choice({ role: 'assistant', content: 'The ' }))
const DONE = 'data: [DONE]\n\n'

type End = 'ends' | 'breaks' | 'stays open'

/** What the thread has booked, and the error of the answer, of an endpoint that sends these parts one after the other. */
async function answered(
  parts: readonly string[],
  { end = 'ends', type = 'text/event-stream' }: { readonly end?: End; readonly type?: string } = {},
) {
  const server = createServer(async (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': type })
    for (const part of parts) {
      response.write(part)
      await setTimeout(20)
    }
    if (end === 'ends') response.end()
    if (end === 'breaks') response.destroy()
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const spec = { id: 'm', baseURL, price, timeout: 5_000, retry: { attempts: 1 } }
  const model = openaiModel(modelSpec.parse(spec), {})
  let message: string | undefined
  const ask: Model['ask'] = async (...asked) => {
    try {
      return await model.ask(...asked)
    } catch (thrown) {
      message = (thrown as Error).message
      throw thrown
    }
  }
  try {
    const [booked = []] = await spend({ a: { ...model, ask } })
    return { booked, message }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const FAILED = {
  booked: ['model.failed', 330, 9_001],
  message: expect.stringMatching('overloaded'),
}

describe('an error in a stream costs the usage', () => {
  const withUsage = { error, usage }
  test.each<readonly [string, ...string[]]>([
    ['of its event', data(withUsage)],
    ['of its event, after a text', TEXT, data({ ...withUsage, choices: [] })],
    [
      'of its event, with a delta',
      TEXT,
      data({ ...withUsage, ...choice({ content: '' }, 'error') }),
    ],
    ['of its event, in a choice', TEXT, data({ error, choices: [{ index: 0, delta: {}, usage }] })],
    ['in the error', TEXT, data({ error: { ...error, usage } })],
    ['of an event of that name', TEXT, `event: error\n${data(withUsage)}`],
    ['of an event of that name, without a field', `event: error\n${data({ ...error, usage })}`],
    ['of a later event', TEXT, data({ error }), data({ choices: [], usage }), DONE],
    [
      'of a later event, after a delta',
      TEXT + data({ error, ...choice({ content: '' }) }) + data({ choices: [], usage }) + DONE,
    ],
    ['of an earlier event', TEXT, data({ choices: [], usage }), data({ error })],
    ['of an event without its end', TEXT, data(withUsage).trimEnd()],
    ['and is a text', TEXT, data({ error: 'overloaded', usage })],
  ])('%s', async (_, ...parts) => {
    expect(await answered(parts)).toEqual(FAILED)
  })

  test.each(['ends', 'breaks', 'stays open'] as const)('of a stream that %s', async end => {
    const parts = [TEXT, data({ error }), data({ choices: [], usage })]
    expect(await answered(parts, { end })).toEqual(FAILED)
  })

  test('of an answer in one piece, in the error', async () => {
    const body = JSON.stringify({ error: { ...error, usage } })
    expect((await answered([body], { type: 'application/json' })).booked).toEqual(FAILED.booked)
  })

  test.each([
    ['chat completions', TEXT],
    [
      'another API',
      data({ type: 'message_start', message: { usage: { input_tokens: 330, output_tokens: 1 } } }),
    ],
  ])('and stays the error of a stream in the form of %s', async (_, begun) => {
    const { message } = await answered([begun, data({ type: 'error', error })])
    expect(message).toMatch('overloaded')
  })
})

describe('an event that breaks off costs its usage', () => {
  const cut = (fields: object) => data(fields).trimEnd().slice(0, -1)
  const END = data(choice({}, 'stop'))
  const events: readonly (readonly [string, string])[] = [
    ['alone', cut({ choices: [], usage })],
    ['beside an error', cut({ error, usage })],
    ['of Groq', cut({ choices: [], x_groq: { usage } })],
  ]

  test.each(events)('%s, and its answer is not one', async (_, last) => {
    for (const end of ['ends', 'breaks'] as const)
      for (const parts of [[TEXT, last], [last]])
        expect((await answered(parts, { end })).booked).toEqual(FAILED.booked)
  })

  test.each(events)('%s, also after an answer that has ended', async (_, last) => {
    expect((await answered([TEXT, END, last])).booked).toEqual(['model.done', 330, 9_001])
  })

  test.each(['', 'null'])(
    'an answer with the reason %j in each event has not ended',
    async none => {
      const [first, last] = ['Do not ', 'the rest'].map(content => data(choice({ content }, none)))
      const cutLast = last?.slice(0, last.indexOf('rest')) ?? ''
      expect((await answered([first ?? '', cutLast])).message).toBe('the answer broke off')
      expect((await answered([first ?? ''])).message).toBe('the answer broke off')
      const whole = await answered([first ?? '', data(choice({}, 'stop')), DONE])
      expect(whole.booked[0]).toBe('model.done')
    },
  )

  test.each([
    ['an error', data({ error })],
    ['the end', DONE],
    ['a comment', ': keepalive\n\n'],
    ['nothing', ''],
  ])('although a gateway ends the event and sends %s', async (_, rest) => {
    for (const [, last] of events)
      expect((await answered([TEXT, `${last}\n\n${rest}`])).booked).toEqual(FAILED.booked)
    const { booked } = await answered([TEXT, `${cut({ choices: [], usage })}\n${data({ error })}`])
    expect(booked).toEqual(FAILED.booked)
  })

  test('in a choice, and in an answer in one piece', async () => {
    const last = data({ choices: [{ index: 0, delta: {}, usage }] }).trimEnd()
    expect((await answered([TEXT, last.slice(0, -3)])).booked).toEqual(FAILED.booked)
    const whole = JSON.stringify({ choices: [choice({}).choices[0]], usage })
    for (const end of ['ends', 'breaks'] as const) {
      const reply = await answered([whole.slice(0, -10)], { end, type: 'application/json' })
      expect(reply.booked).toEqual(FAILED.booked)
    }
  })

  test('in an event of the name error, which is thrown', async () => {
    const last = `event: error\n${cut({ usage, error })}`
    for (const parts of [[TEXT, last], [last]]) expect(await answered(parts)).toEqual(FAILED)
  })

  test.each([
    ['in its usage', ''],
    ['in the details of it', '"prompt_tokens_details":{"cached_tokens":12,"audio":'],
  ])('%s: the counts before it', async (_, rest) => {
    const counts = `{"prompt_tokens":330,"completion_tokens":9001,${rest}`
    const { booked } = await answered([TEXT, `data: {"choices":[],"usage":${counts}`])
    expect(booked).toEqual(FAILED.booked)
  })

  test('and its text', async () => {
    const long = 'x'.repeat(4_000)
    const event = data(choice({ content: long }))
    const { booked, message } = await answered([TEXT, event.slice(0, event.lastIndexOf('x'))])
    expect(booked).toEqual(['model.failed', INPUT, expect.closeTo(1_010, -2)])
    expect(message).toBe('the answer broke off')
  })
})

test.each([
  ['zeros', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
  ['nothing', {}],
  ['a list', []],
])('a usage of %s hides no other one', async (_, zeros) => {
  const events = [
    { error, usage: zeros, x_groq: { usage } },
    { error: { ...error, usage }, usage: zeros },
  ]
  for (const event of events) expect(await answered([TEXT, data(event)])).toEqual(FAILED)
  const last = data({ ...choice({}, 'stop'), usage: zeros, x_groq: { usage } })
  expect((await answered([TEXT, last, DONE])).booked).toEqual(['model.done', 330, 9_001])
})

test('an error without a usage costs what has come', async () => {
  const { booked, message } = await answered([TEXT, data({ error })])
  expect(booked).toEqual(['model.failed', INPUT, 1])
  expect(message).toMatch('overloaded')
})

test.each([
  ['a field', data({ error })],
  ['an event of that name', `event: error\n${data(error)}`],
])('only an error costs nothing without a usage: %s', async (_, text) => {
  const { booked, message } = await answered([text])
  expect(booked).toEqual(['model.failed', undefined, undefined])
  expect(message).toMatch('overloaded')
})

test.each([
  ['whole', 'event: error\ndata: overloaded\n\n'],
  ['cut', 'event: error\ndata: {"error":{"message":"overloaded'],
])('an error in an event that is not JSON is thrown: %s', async (_, text) => {
  const { booked, message } = await answered([TEXT, text])
  expect(booked[0]).toBe('model.failed')
  expect(message).toMatch('overloaded')
})

test('an error that is null is none', async () => {
  const end = data({ ...choice({}, 'stop'), error: null, usage })
  expect((await answered([TEXT, end, DONE])).booked).toEqual(['model.done', 330, 9_001])
})

test.each([
  '{"choices":[{"delta":{"content":"a"}}],"error":null}',
  '{"choices": [{"delta": {"content": "a"}}], "error": null}',
])('and costs no time: its event passes as it is: %s', text => {
  const translator = new AnswerTranslator()
  const event = { name: undefined, data: text }
  translator.translate(event)
  expect(translator.translate(event)).toBe(event)
})

test('a later input of zero does not take back the reported one', async () => {
  const first = choice({ role: 'assistant', content: 'The ' })
  const half = { prompt_tokens: 330, completion_tokens: 0 }
  const last = { ...choice({}, 'stop'), usage: { prompt_tokens: 0, completion_tokens: 9_001 } }
  const { booked } = await answered([data({ ...first, usage: half }), data(last), DONE])
  expect(booked).toEqual(['model.done', 330, 9_001])
})

describe('a usage is read', () => {
  const strings = { prompt_tokens: '330', completion_tokens: '9001', total_tokens: '9331' }
  const last = (fields: object) => [TEXT, data({ ...choice({}, 'stop'), ...fields }), DONE]

  test.each([
    ['as Groq reports it', last({ x_groq: { id: 'r', usage } })],
    ['with its numbers as texts', last({ usage: strings })],
    ['with one of its numbers as a text', last({ usage: { ...usage, completion_tokens: '9001' } })],
  ])('%s', async (_, parts) => {
    expect((await answered(parts)).booked).toEqual(['model.done', 330, 9_001])
    expect((await answered(parts.slice(0, 2), { end: 'breaks' })).booked.slice(1)).toEqual([
      330, 9_001,
    ])
  })

  test.each([
    ['', { ...usage, completion_tokens: 90_000, total_tokens: 90_330 }],
    [' with texts', { prompt_tokens: '330', completion_tokens: '90000', total_tokens: '90330' }],
    [' with caches beside its input', { input_tokens: 30, cache_read_input_tokens: 300 }],
  ])('of the last event, also after a larger one%s', async (_, earlier) => {
    const first = data({ ...choice({ role: 'assistant', content: 'The ' }), usage: earlier })
    expect((await answered([first, ...last({ usage })])).booked).toEqual(['model.done', 330, 9_001])
    expect((await answered([first, ...last({ usage: strings })])).booked).toEqual([
      ...['model.done', 330, 9_001],
    ])
  })

  test('with its numbers as texts in an answer in one piece', async () => {
    const message = { role: 'assistant', content: 'The answer.' }
    const answer = { choices: [{ index: 0, message, finish_reason: 'stop' }], usage: strings }
    const { booked } = await answered([JSON.stringify(answer)], { type: 'application/json' })
    expect(booked).toEqual(['model.done', 330, 9_001])
  })
})
