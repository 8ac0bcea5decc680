/** The common behavior of all model adapters, over real HTTP against a mock of OpenAI. */
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { FAILURE_RULES } from '../../src/core/watch/failure/failure-rules.ts'
import { classify, factsOf } from '../../src/core/watch/failure/failure.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Message } from '../../src/runtime/model-message.ts'
import type { Model, ModelRequest } from '../../src/runtime/ports.ts'

export const weather = tool({
  name: 'weather',
  description: 'The weather in a city.',
  inputSchema: z.strictObject({ city: z.string() }),
  effects: 'read',
  execute: async () => 'cold',
})

export function request(...messages: readonly (string | Message)[]): ModelRequest {
  return {
    system: 'Be brief.',
    messages: messages.map(message =>
      typeof message === 'string' ? { role: 'user', content: message } : message,
    ),
    tools: [],
  }
}

export function calling(signal = new AbortController().signal) {
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

export async function failure(asking: Promise<unknown>) {
  const error = await asking.then(
    () => undefined,
    thrown => thrown,
  )
  const facts = factsOf(error)
  const { class: kind, rule } = classify(facts, FAILURE_RULES)
  return { error, facts, class: kind, rule }
}

export interface ModelAdapter {
  readonly name: string
  /** A model named `gpt-4o-mini` behind the endpoint. */
  readonly model: (baseURL: string) => Model
}

export function modelSuite({ name, model: made }: ModelAdapter): void {
  const server = new LLMock({ port: 0 })
  beforeAll(() => server.start())
  afterAll(() => server.stop())
  beforeEach(() => {
    server.reset()
  })
  const model = () => made(`${server.url}/v1`)
  const ask = (of: ModelRequest = request('hello'), call = calling()) => model().ask(of, call)

  describe(name, () => {
    test('streams a text in chunks, and reports its tokens', async () => {
      server.addFixture({
        match: { userMessage: 'hello' },
        response: {
          content: 'Hi there, this is a streamed reply.',
          usage: { prompt_tokens: 100, completion_tokens: 9 },
        },
        chunkSize: 8,
      })
      const call = calling()
      const reply = await ask(request('hello'), call)
      expect(reply).toEqual({
        text: 'Hi there, this is a streamed reply.',
        calls: [],
        usage: { input: 100, output: 9, cached: 0 },
      })
      expect(call.deltas.length).toBeGreaterThan(2)
      expect(call.deltas.join('')).toBe(reply.text)
    })

    test('returns several calls with their ids and arguments', async () => {
      server.addFixture({
        match: { userMessage: 'weather' },
        response: {
          toolCalls: [
            { id: 'call_a', name: 'weather', arguments: '{"city":"Oslo, in the far north"}' },
            { id: 'call_b', name: 'weather', arguments: '{"city":"Rome"}' },
          ],
        },
        chunkSize: 6,
      })
      const { calls } = await ask({ ...request('weather please'), tools: [weather] })
      expect(calls).toEqual([
        { id: 'call_a', tool: 'weather', args: { city: 'Oslo, in the far north' } },
        { id: 'call_b', tool: 'weather', args: { city: 'Rome' } },
      ])
      expect(JSON.stringify(server.getRequests().at(-1)?.body)).toContain('"required":["city"]')
    })

    test('sends calls and their results back', async () => {
      server.addFixture({ match: { toolCallId: 'call_b' }, response: { content: 'Rome wins.' } })
      const calls = ['call_a', 'call_b'].map(id => ({ id, tool: 'weather', args: { city: id } }))
      const results = calls.map(({ id }, index) => ({
        role: 'tool' as const,
        call: id,
        tool: 'weather',
        content: index === 0 ? 'failed' : 'warm',
        ok: index > 0,
      }))
      const { text } = await ask({
        ...request('weather please', { role: 'assistant', content: 'I look.', calls }, ...results),
        tools: [weather],
      })
      expect(text).toBe('Rome wins.')
    })

    test('passes invalid arguments to the tool', async () => {
      server.addFixture({
        match: { userMessage: 'weather' },
        response: { toolCalls: [{ id: 'call_a', name: 'weather', arguments: '{"city": "Os' }] },
      })
      const { calls } = await ask({ ...request('weather please'), tools: [weather] })
      expect(calls[0]?.args).toBe('{"city": "Os')
    })

    test('reports 429 as transient, with the wait, after one request', async () => {
      server.onMessage('hello', {
        error: { message: 'slow down', type: 'rate_limit_error' },
        status: 429,
        retryAfter: 7,
      })
      expect(await failure(ask())).toMatchObject({
        class: 'transient',
        facts: { status: 429, retryAfter: 7_000 },
      })
      expect(server.getRequests()).toHaveLength(1)
    })

    test('reports an exhausted quota as persistent', async () => {
      server.onMessage('hello', {
        error: { message: 'pay first', type: 'insufficient_quota', code: 'insufficient_quota' },
        status: 429,
      })
      expect(await failure(ask())).toMatchObject({ class: 'persistent', rule: 'account' })
    })

    test('reports 401 as persistent, with the message of the endpoint', async () => {
      server.onMessage('hello', {
        error: { message: 'bad key', type: 'invalid_request_error' },
        status: 401,
      })
      const { class: kind, facts } = await failure(ask())
      expect([kind, facts.status]).toEqual(['persistent', 401])
      expect(facts.message).toMatch(/bad key$/)
    })

    test('reports 503 as transient, after one request', async () => {
      server.onMessage('hello', { error: { message: 'busy' }, status: 503 })
      expect(await failure(ask())).toMatchObject({ class: 'transient', facts: { status: 503 } })
      expect(server.getRequests()).toHaveLength(1)
    })

    test('reports an unreachable endpoint as transient', async () => {
      const gone = new LLMock({ port: 0 })
      await gone.start()
      const { url } = gone
      await gone.stop()
      const asking = made(`${url}/v1`).ask(request('hello'), calling())
      expect(await failure(asking)).toMatchObject({ class: 'transient' })
    })

    test('reports an interrupted stream as transient', async () => {
      server.addFixture({
        match: { userMessage: 'hello' },
        response: { content: 'The first half of it and the second half of it' },
        chunkSize: 10,
        truncateAfterChunks: 3,
      })
      expect(await failure(ask())).toMatchObject({ class: 'transient' })
    })

    test('aborts a stream, and throws the reason of the signal', async () => {
      server.addFixture({
        match: { userMessage: 'hello' },
        response: { content: 'a very long answer '.repeat(200) },
        chunkSize: 10,
        streamingProfile: { ttft: 10, tps: 20 },
      })
      const controller = new AbortController()
      const reason = new Error('stopped by the watchdog')
      const call = { ...calling(controller.signal), onDelta: () => controller.abort(reason) }
      await expect(model().ask(request('hello'), call)).rejects.toBe(reason)
    })

    test('sends nothing after the signal is aborted', async () => {
      const reason = new Error('left')
      await expect(ask(request('hello'), calling(AbortSignal.abort(reason)))).rejects.toBe(reason)
      expect(server.getRequests()).toHaveLength(0)
    })
  })
}
