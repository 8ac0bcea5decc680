/** Endpoints of a spec that answer in the form of another API. Their tokens are booked, as reported or as estimated from all text. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { openaiModel } from '../../src/adapters/model/langchain/openai-model.ts'
import { model as modelSpec } from '../../src/core/graph/spec/resource.ts'
import { price, spend } from '../runtime/spend.ts'

const TEXT = Array.from({ length: 2_000 }, (_, index) => `tok${index}`).join(' ')
const PIECES = TEXT.match(/.{1,200}/g) ?? []
/** Four characters are a token, beside a few in the other fields of an event. */
const ESTIMATE = TEXT.length / 4

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const DONE = 'data: [DONE]\n\n'
const USAGE = { prompt_tokens: 9_000, completion_tokens: 5_000, total_tokens: 14_000 }
const COUNTS = { input_tokens: 9_000, output_tokens: 5_000 }
const GEMINI = { promptTokenCount: 9_000, candidatesTokenCount: 5_000, totalTokenCount: 14_000 }

const pieces = (form: (text: string) => object) => PIECES.map(text => event(form(text))).join('')
const choice = (fields: object) => ({ id: 'c', choices: [{ index: 0, ...fields }] })

/** Sends a text, and ends the answer, or the connection, or neither. */
async function booked(type: string, text: string, end: 'ends' | 'breaks' | 'hangs') {
  const finish = (response: ServerResponse) => {
    if (end === 'ends') response.end()
    if (end === 'breaks') setTimeout(() => response.destroy(), 20)
  }
  const endpoint = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': type })
    response.write(text)
    finish(response)
  })
  await new Promise<void>(resolve => endpoint.listen(0, '127.0.0.1', resolve))
  const baseURL = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`
  const spec = modelSpec.parse({ id: 'm', baseURL, price, timeout: 1_000, retry: { attempts: 1 } })
  try {
    const [[type, input = 0, output = 0] = []] = await spend({ a: openaiModel(spec, {}) })
    return { type, input, output }
  } finally {
    endpoint.closeAllConnections()
    endpoint.close()
  }
}

const anthropic = [
  event({ type: 'message_start', message: { usage: { input_tokens: 9_000, output_tokens: 1 } } }),
  pieces(text => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } })),
  event({ type: 'message_delta', delta: {}, usage: { output_tokens: 5_000 } }),
  event({ type: 'message_stop' }),
].join('')

const responses = (usage?: object) =>
  [
    pieces(delta => ({ type: 'response.output_text.delta', item_id: 'msg_1', delta })),
    event({ type: 'response.output_text.done', text: TEXT }),
    event({ type: 'response.completed', response: { output: [{ text: TEXT }], usage } }),
  ].join('')

const gemini = (text: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] } }],
})

// The timeouts of the tests are shorter than the time to load it on a busy machine.
beforeAll(() => import('@langchain/openai'))

describe.each(['ends', 'breaks'] as const)('a stream in the form of another API that %s', end => {
  test.each([
    ['Anthropic', anthropic],
    ['the Responses API', responses(COUNTS)],
    ['Gemini', pieces(text => ({ ...gemini(text), usageMetadata: GEMINI }))],
    [
      'Workers AI',
      pieces(response => ({ response })) + event({ response: '', usage: USAGE }) + DONE,
    ],
    [
      'a gateway that puts each event into `data`',
      pieces(content => ({ code: 0, data: choice({ delta: { content } }) })) +
        event({ code: 0, data: { choices: [], usage: USAGE } }),
    ],
  ])('costs the usage that it reports, and has no answer: %s', async (_, text) => {
    expect(await booked('text/event-stream', text, end)).toEqual({
      ...{ type: 'model.failed', input: 9_000, output: 5_000 },
    })
  })

  test.each([
    ['a text in its choices', pieces(text => choice({ text })) + DONE],
    ['the Responses API, which repeats its texts', responses()],
    ['Gemini', pieces(gemini)],
    ['events in `data`', pieces(content => ({ data: choice({ delta: { content } }) })) + DONE],
    ['texts in `data`', pieces(data => ({ type: 'text', data }))],
    ['messages without an end', pieces(content => choice({ message: { content } }))],
  ])('costs all of its text if it reports no usage: %s', async (_, text) => {
    const { type, output } = await booked('text/event-stream', text, end)
    expect(type).toBe('model.failed')
    expect(output).toBeGreaterThanOrEqual(ESTIMATE)
    expect(output).toBeLessThan(ESTIMATE * 1.1)
  })
})

test('the usage in an early event is not the whole if it is smaller than the text', async () => {
  const text = event({
    type: 'message_start',
    message: { usage: { input_tokens: 9_000, output_tokens: 1 } },
  })
  const { input, output } = await booked(
    'text/event-stream',
    text + pieces(text => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } })),
    'breaks',
  )
  expect(input).toBe(9_000)
  expect(output).toBeGreaterThanOrEqual(ESTIMATE)
})

test('a whole message in one event is an answer', async () => {
  const message = choice({ message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' })
  const { type, output } = await booked('text/event-stream', event(message) + DONE, 'ends')
  expect(type).toBe('model.done')
  expect(output).toBeGreaterThanOrEqual(ESTIMATE)
})

test('an event that breaks off costs what arrived of it', async () => {
  const begun = event(choice({ delta: { content: 'Yes.' } }))
  const text = `${begun}data: {"choices":[{"delta":{"content":"${TEXT}`
  const { output } = await booked('text/event-stream', text, 'breaks')
  expect(output).toBeGreaterThanOrEqual(ESTIMATE)
})

test.each([
  ['chat completions', { choices: [], usage: USAGE, service_tier: 'default' }],
  ['the Responses API', { type: 'response.completed', response: { usage: COUNTS, id: 'r' } }],
])('an event that breaks off costs the usage that arrived of it: %s', async (_, last) => {
  const begun = event(choice({ delta: { content: 'Yes.' } }))
  const text = begun + event(last).slice(0, -6)
  expect(await booked('text/event-stream', text, 'breaks')).toEqual({
    ...{ type: 'model.failed', input: 9_000, output: 5_000 },
  })
})

test.each([
  ['without choices', event({ id: 'c', usage: USAGE })],
  ['with choices that are null', event({ id: 'c', choices: null, usage: USAGE })],
  ['in its choice', event(choice({ delta: {}, finish_reason: 'stop', usage: USAGE }))],
  ['in several lines of data', `data: {"choices":[],\ndata: "usage":${JSON.stringify(USAGE)}}\n\n`],
  ['in lines that end with \\r', `data: ${JSON.stringify({ usage: USAGE })}\r\r`],
])('a usage counts if the stream breaks right after it: %s', async (_, text) => {
  const begun = event(choice({ delta: { content: 'Yes.' } }))
  expect(await booked('text/event-stream', begun + text, 'breaks')).toEqual({
    ...{ type: 'model.failed', input: 9_000, output: 5_000 },
  })
})

test.each(['\r', '\r\n', '\n'])('an answer whose lines end with %j is read', async lineEnd => {
  const answer = choice({ delta: { content: 'Yes.' }, finish_reason: 'stop' })
  const lines = (event(answer) + event({ usage: USAGE })).replaceAll('\n', lineEnd)
  expect(await booked('text/event-stream', lines, 'ends')).toEqual({
    ...{ type: 'model.done', input: 9_000, output: 5_000 },
  })
})

describe('events without a blank line between them', () => {
  const oneLineEnd = (text: string) => text.replaceAll('\n\n', '\n')
  const answer = pieces(content => choice({ delta: { content } }))
  const stop = event(choice({ delta: {}, finish_reason: 'stop' }))
  const usage = event({ choices: [], usage: USAGE })

  test.each([
    ['all', oneLineEnd(answer + usage)],
    ['only the last', answer + oneLineEnd(usage)],
    ['with a name', oneLineEnd(answer + usage).replaceAll('data:', 'event: message\ndata:')],
    ['the last without its line end', oneLineEnd(answer + usage).trimEnd()],
    [
      'one with the whole answer',
      oneLineEnd(event({ ...choice({ delta: { content: TEXT } }), usage: USAGE })),
    ],
  ])('cost the usage that they report if the stream breaks: %s', async (_, text) => {
    expect(await booked('text/event-stream', text, 'breaks')).toEqual({
      ...{ type: 'model.failed', input: 9_000, output: 5_000 },
    })
  })

  test('cost the usage that they report if the stream hangs', async () => {
    expect(await booked('text/event-stream', oneLineEnd(answer + usage), 'hangs')).toEqual({
      ...{ type: 'model.failed', input: 9_000, output: 5_000 },
    })
  })

  test('cost all of their text if they report no usage', async () => {
    const { output } = await booked('text/event-stream', oneLineEnd(answer), 'breaks')
    expect(output).toBeGreaterThanOrEqual(ESTIMATE)
    expect(output).toBeLessThan(ESTIMATE * 1.1)
  })

  test.each(['\n', '\r', '\r\n'])('are an answer if their lines end with %j', async lineEnd => {
    const text = oneLineEnd(answer + stop + usage + DONE).replaceAll('\n', lineEnd)
    expect(await booked('text/event-stream', text, 'ends')).toEqual({
      ...{ type: 'model.done', input: 9_000, output: 5_000 },
    })
  })

  test('may each have several lines of data', async () => {
    const split = (text: string) => text.replaceAll(',"choices":[', ',\ndata: "choices":[\ndata: ')
    const text = oneLineEnd(split(answer) + stop + usage + DONE)
    expect(text).toContain('"choices":[\ndata: {')
    expect(await booked('text/event-stream', text, 'ends')).toEqual({
      ...{ type: 'model.done', input: 9_000, output: 5_000 },
    })
  })
})

describe('an answer with an unexpected content type', () => {
  const answer = pieces(content => choice({ delta: { content } }))
  const end = event(choice({ delta: {}, finish_reason: 'stop', usage: USAGE })) + DONE

  test.each([
    ['text/html; charset=UTF-8', ''],
    ['application/xml', 'event: message\n'],
    ['text/plain', ': processing\n\n'],
    ['application/octet-stream', 'id: 1\n'],
  ])('is read if it begins as a stream of events: %s, %j', async (type, first) => {
    expect(await booked(type, first + answer + end, 'ends')).toEqual({
      ...{ type: 'model.done', input: 9_000, output: 5_000 },
    })
  })

  test.each([
    'text/plain; charset=utf-8',
    'text/html',
    'application/octet-stream',
    'text/event-stream',
  ])('costs its text if it cannot be read: %s', async type => {
    for (const end of ['ends', 'breaks'] as const) {
      const { type: ended, output } = await booked(type, TEXT, end)
      expect(ended).toBe('model.failed')
      expect(output).toBeGreaterThanOrEqual(ESTIMATE)
      expect(output).toBeLessThan(ESTIMATE * 1.1)
    }
  })

  test('costs the text of events that are not JSON', async () => {
    const text = PIECES.map(piece => `data: ${piece}\n\n`).join('')
    const { type, output } = await booked('text/event-stream', text, 'ends')
    expect(type).toBe('model.failed')
    expect(output).toBeGreaterThanOrEqual(ESTIMATE)
  })

  test('costs its prompt if it is the page of a proxy', async () => {
    const page = `<!DOCTYPE html><html><body>${TEXT}</body></html>`
    expect(await booked('text/html', page, 'ends')).toMatchObject({ output: 0 })
  })
})

describe('a body of JSON in the form of another API', () => {
  const content = [{ type: 'text', text: TEXT }]

  test.each([
    ['Anthropic', { type: 'message', content, usage: COUNTS }],
    ['Gemini', { ...gemini(TEXT), usageMetadata: GEMINI }],
    ['a list of events of Gemini', [gemini(TEXT), { usageMetadata: GEMINI }]],
  ])('costs the usage that it reports, also if it breaks: %s', async (_, body) => {
    for (const end of ['ends', 'breaks'] as const)
      expect(await booked('application/json', JSON.stringify(body), end)).toEqual({
        ...{ type: 'model.failed', input: 9_000, output: 5_000 },
      })
  })

  const message = { role: 'assistant', content: TEXT, tool_calls: [{ usage: { total_tokens: 9 } }] }
  const answer = choice({ message, finish_reason: 'stop' })

  test.each([
    ['before its end', { ...answer, usage: USAGE }, 1],
    ['before other fields', { ...answer, usage: USAGE, system_fingerprint: 'fp_abc' }, 8],
    ['before its text', { usage: USAGE, ...answer }, 500],
    ['with details', { usage: { details: [{ a: {} }], ...USAGE }, ...answer }, 500],
    ['of Anthropic', { type: 'message', content, usage: COUNTS }, 1],
    ['of Gemini', { ...gemini(TEXT), usageMetadata: GEMINI, modelVersion: 'g' }, 5],
    ['of a list of Gemini', [gemini(TEXT), { usageMetadata: GEMINI }], 1],
    ['in an object around it', { result: { ...answer, usage: USAGE }, success: true }, 3],
  ])('costs the usage that has arrived if it is cut: %s', async (_, body, cut) => {
    for (const text of [JSON.stringify(body), JSON.stringify(body, null, 2)])
      for (const end of ['breaks', 'ends'] as const)
        expect(await booked('application/json', text.slice(0, -cut), end)).toEqual({
          ...{ type: 'model.failed', input: 9_000, output: 5_000 },
        })
  })

  test('costs the usage that has arrived if it hangs', async () => {
    const text = JSON.stringify({ ...answer, usage: USAGE }).slice(0, -1)
    expect(await booked('application/json', text, 'hangs')).toEqual({
      ...{ type: 'model.failed', input: 9_000, output: 5_000 },
    })
  })

  test.each([
    ['is not whole', `{"content":${JSON.stringify(TEXT)},"usage":{"total_tokens":14000`],
    ['is in its text', JSON.stringify({ content: `${TEXT}"usage":${JSON.stringify(USAGE)},` })],
    ['is in its calls', JSON.stringify(answer)],
  ])('costs its text if a usage %s', async (_, text) => {
    const { output } = await booked('application/json', text.slice(0, -1), 'breaks')
    expect(output).toBeGreaterThanOrEqual(ESTIMATE)
    expect(output).toBeLessThan(ESTIMATE * 1.2)
  })

  test.each([
    ['whole', 'ends', 0],
    ['broken', 'breaks', 0],
    ['cut', 'breaks', 2],
  ] as const)('costs its text if it reports no usage: %s', async (_, end, cut) => {
    const body = JSON.stringify({ type: 'message', content })
    const { output } = await booked('application/json', body.slice(0, body.length - cut), end)
    expect(output).toBeGreaterThanOrEqual(ESTIMATE)
  })
})
