/** What the answers to a question about a write lead to: the question shows the call, and each answer says whether the call is made again. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, type Notice, tool } from '../../src/index.ts'
import { effectsOf } from '../../src/core/review/ledger.ts'
import { ENDS, slowBank } from './slow-bank.ts'
import { reviewText } from '../../src/faces/cli/print/escapes.ts'

type Options = Readonly<{ retry?: object; breaker?: object; confirm?: string; escape?: object }>

/** A service that answers 503 to the first `failing` calls. */
function mail(failing: number, { retry, breaker = { threshold: 9 }, ...rest }: Options = {}) {
  const sent: string[] = []
  const notices: Notice[] = []
  const send = tool({
    name: 'send',
    description: 'Sends.',
    effects: 'write',
    inputSchema: z.object({ text: z.string(), token: z.string().optional() }),
    ...(rest.confirm !== undefined && { confirm: rest.confirm }),
    async execute({ text }) {
      if (sent.push(text) > failing) return 'sent'
      throw Object.assign(new Error('HTTP 503'), { status: 503 })
    },
  })
  const args = { text: 'hello', token: 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789' }
  const graph = defineGraph({
    id: 'mail',
    start: 'work',
    breaker,
    retry: { base: 1, cap: 1, ...retry },
    ...(rest.escape && { escape: rest.escape }),
    tools: { send },
    nodes: {
      work: { use: 'tool', tool: 'send', args, on: { done: 'end', error: 'bad' } },
      end: { final: 'success' },
      bad: { final: 'failure' },
    },
  } as never)
  const hook = {
    name: 'hook',
    timeout: 1_000,
    attempts: 1,
    send: async (notice: Notice) => {
      notices.push(notice)
      return 'ok'
    },
  }
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph], notifiers: [hook] })
  const start = async () => {
    const thread = await runtime.start(graph as never, {} as never, { thread: 't' })
    await thread.drive()
    return thread
  }
  const leads = async (thread: Awaited<ReturnType<typeof start>>) => {
    const [asked] = (await thread.state()).questions
    return Object.fromEntries(
      (asked?.options ?? []).map(({ decision, leads: { call } }) => [decision, call]),
    )
  }
  return { sent, notices, store, runtime, start, leads }
}

describe('after a failure that is known, `not-applied`', () => {
  it('fails the call, where the policy does not retry', async () => {
    const { sent, store, runtime, start, leads } = mail(1, { retry: { attempts: 1 } })
    const thread = await start()
    expect(await leads(thread)).toEqual({
      applied: 'succeeds',
      'not-applied': 'fails',
      stop: undefined,
    })
    await thread.answer('work#1/1?', { decision: 'not-applied' })
    expect(await thread.drive()).toMatchObject({ ended: { outcome: 'failure' } })
    const rows = await store.rows('t')
    const failed = rows.flatMap(({ event }) => (event.type === 'node.failed' ? event.failure : []))
    expect(failed).toMatchObject([{ message: 'HTTP 503', class: 'transient' }])
    expect(effectsOf(rows)).toEqual([])
    expect(sent).toHaveLength(1)
    await runtime.close()
  })

  it('makes the call again, as long as the policy retries, and then fails it', async () => {
    const { sent, runtime, start, leads } = mail(9, { retry: { attempts: 2 } })
    const thread = await start()
    expect(await leads(thread)).toMatchObject({ 'not-applied': 'again' })
    await thread.answer('work#1/1?', { decision: 'not-applied' })
    await thread.drive()
    expect(sent).toHaveLength(2)
    expect(await leads(thread)).toMatchObject({ 'not-applied': 'fails' })
    await thread.answer('work#1/1?2', { decision: 'not-applied' })
    expect(await thread.drive()).toMatchObject({ ended: { outcome: 'failure' } })
    expect(sent).toHaveLength(2)
    await runtime.close()
  })
})

it('after the time of its node, `not-applied` makes the call again', async () => {
  const { paid, pay } = slowBank()
  const graph = defineGraph({
    id: 'shop',
    start: 'work',
    tools: { pay },
    retry: { attempts: 1 },
    nodes: {
      work: {
        use: 'tool',
        tool: 'pay',
        args: {},
        timeout: '300ms',
        on: { done: 'end', error: 'bad' },
      },
      ...ENDS,
    },
  })
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  const { questions } = await thread.drive()
  expect(questions).toMatchObject([{ id: 'work#1/1?', judged: { tool: 'pay', arguments: '{}' } }])
  const option = questions[0]?.options.find(({ decision }) => decision === 'not-applied')
  expect(option?.leads.call).toBe('again')
  await thread.answer('work#1/1?', { decision: 'not-applied' })
  expect(await thread.drive()).toMatchObject({ ended: { outcome: 'success' } })
  expect(paid).toHaveLength(2)
  await runtime.close()
})

describe('a question about a call', () => {
  it('shows the call whose outcome is unknown, to a person and to a webhook, without its secrets', async () => {
    const { notices, runtime, start } = mail(1)
    const thread = await start()
    const [asked] = (await thread.state()).questions
    const judged = { tool: 'send', arguments: expect.stringContaining('"text":"hello"') }
    expect(asked?.judged).toEqual(judged)
    expect(notices.map(({ review }) => review.judged)).toEqual([judged])
    expect(JSON.stringify([asked, notices])).not.toContain('sk-ant')
    const text = reviewText(notices[0]?.review as Notice['review'])
    expect(text).toContain('send {"text":"hello"')
    expect(text).toMatch(/--decision applied .* send counts as made/)
    expect(text).toMatch(/--decision not-applied .* send is made again/)
    await runtime.close()
  })

  it('shows the arguments where its own text does not', async () => {
    const { runtime, start, leads } = mail(0, { confirm: 'Send it?' })
    const thread = await start()
    const [asked] = (await thread.state()).questions
    expect(asked?.judged).toMatchObject({
      tool: 'send',
      arguments: expect.stringContaining('"text":"hello"'),
    })
    expect(await leads(thread)).toEqual({
      approved: 'made',
      edited: 'made',
      rejected: 'fails',
      stop: undefined,
    })
    await runtime.close()
  })
})

describe('an open breaker', () => {
  const breaker = { threshold: 1, reset: '1h' }
  const optionsOf = async (escape?: object) => {
    const options = { retry: { attempts: 3 }, breaker, ...(escape && { escape }) }
    const { notices, runtime, start } = mail(1, options)
    const thread = await start()
    const [asked] = (await thread.state()).questions
    const text = reviewText(notices[0]?.review as Notice['review'])
    await runtime.close()
    const untils = asked?.options.map(({ decision, leads }) => [decision, leads.breakerUntil])
    return { untils: Object.fromEntries(untils ?? []), text }
  }

  it('is named beside each answer that makes the call', async () => {
    const { untils, text } = await optionsOf()
    const until = expect.any(Number)
    expect(untils).toEqual({ applied: undefined, 'not-applied': until, stop: undefined })
    expect(text).toMatch(/--decision not-applied .*; its breaker is open until /)
  })

  it('is not named where the call waits for it', async () => {
    const { untils } = await optionsOf({
      ladder: ['retry', 'wait', 'stop'],
      wait: { most: '2h' },
    })
    expect(untils).toEqual({ applied: undefined, 'not-applied': undefined, stop: undefined })
  })
})
