import { describe, expect, test } from 'vitest'
import { NoTurn, readScript, scriptedModel } from '../../src/testing/scripted-model.ts'
import { unscriptedModel } from '../../src/testing/unscripted-model.ts'
import type { ModelSpec } from '../../src/core/graph/spec/resource.ts'
import { systemPrompt } from '../../src/kit/prompt.ts'
import { tool } from '../../src/kit/tool.ts'
import { z } from 'zod'
import type { Message, ModelReply } from '../../src/runtime/model-message.ts'
import { asking, fakeCall, request, result, user } from '../kit/fake.ts'

function scripted(turns: unknown) {
  const { script, faults } = readScript(turns)
  if (!script) throw new Error(JSON.stringify(faults))
  return scriptedModel({ id: 'scripted', timeout: 1_000 }, script)
}

const saying = ({ text, calls }: ModelReply): Message => ({
  role: 'assistant',
  content: text,
  calls,
})
const ask = (
  model: ReturnType<typeof scripted>,
  messages: readonly Message[],
  { lessons = [] as readonly string[], tools = [] as readonly string[], attempt = 1 } = {},
) => {
  const offered = tools.map(name =>
    tool({
      name,
      description: '',
      inputSchema: z.looseObject({}),
      effects: 'read',
      execute: async () => null,
    }),
  )
  return model.ask(
    {
      system: systemPrompt({ prompt: 'You plan.', tools: offered, lessons }),
      messages,
      tools: offered,
    },
    fakeCall({ attempt, key: 'a/thread/plan#2/1' }),
  )
}

describe('a scripted model', () => {
  test('runs its turns one after another', async () => {
    const model = scripted([{ say: 'one' }, { say: 'two' }])
    const messages: Message[] = [user('go')]
    for (const expected of ['one', 'two']) {
      const reply = await ask(model, messages)
      expect(reply.text).toBe(expected)
      messages.push(saying(reply), user('go on'))
    }
    await expect(ask(model, messages)).rejects.toThrow(NoTurn)
    await expect(ask(model, messages)).rejects.toThrow(
      'the script has no turn for this request. Used so far: 1: 1/1, 2: 1/1. Last message (user): go on',
    )
  })

  test('is required where only scripts may answer, and the error says where to set it', async () => {
    const model = unscriptedModel('fast', { id: 'gpt-4o-mini' } as ModelSpec)
    await expect(ask(model, [user('go')])).rejects.toThrow(
      "model 'fast' has no script; set `models.fast.offline` in the graph, or name a script under `models` of the scenario",
    )
  })

  test('is stateless: another process continues from the messages alone', async () => {
    const turns = [
      { say: 'one', times: 2 },
      { calls: [{ tool: 'look', args: { b: 1, a: 2 } }] },
      { say: 'three' },
    ]
    const messages = [
      user('go'),
      asking('one'),
      user('on'),
      asking('one'),
      user('on'),
      asking('', request('c9', 'look', { a: 2, b: 1 })),
      result('c9'),
    ]
    expect((await ask(scripted(turns), messages)).text).toBe('three')
    expect((await ask(scripted(turns), messages.slice(0, 5))).calls).toMatchObject([
      { tool: 'look' },
    ])
  })

  test('derives call ids from the call that it answers, in characters that every endpoint accepts', async () => {
    const { calls } = await ask(
      scripted([{ calls: [{ tool: 'look' }, { tool: 'look', args: { x: 1 } }] }]),
      [user('go')],
    )
    expect(calls).toEqual([
      { id: 'plan-2-1-1', tool: 'look', args: {} },
      { id: 'plan-2-1-2', tool: 'look', args: { x: 1 } },
    ])
  })

  test.each([
    [
      'a lesson',
      { lesson: 'SEARCH' },
      [user('go')],
      { lessons: ['search failed'] },
      { lessons: ['read failed'] },
    ],
    ['the system prompt', { system: '^You plan' }, [user('go')], {}, undefined],
    [
      'a tool that is offered',
      { offered: 'look' },
      [user('go')],
      { tools: ['look'] },
      { tools: ['read'] },
    ],
  ])('a turn may depend on %s', async (_, when, messages, fitting, other) => {
    const model = scripted([
      { when, say: 'yes', times: 'always' },
      { say: 'no', times: 'always' },
    ])
    expect((await ask(model, messages, fitting)).text).toBe('yes')
    if (other) expect((await ask(model, messages, other)).text).toBe('no')
  })

  test('a turn may depend on the last message: its text, its tool, its success', async () => {
    const model = scripted([
      { when: { tool: 'look', ok: false }, say: 'it failed', times: 'always' },
      { when: { tool: 'look', text: 'gold' }, say: 'gold!', times: 'always' },
      { when: { text: 'stop' }, say: 'I stop', times: 'always' },
      { say: 'hm', times: 'always' },
    ])
    const said = async (...messages: readonly Message[]) =>
      (await ask(model, [user('go'), ...messages])).text
    expect(await said(asking('', request('c')), { ...result('c'), ok: false } as Message)).toBe(
      'it failed',
    )
    expect(await said(asking('', request('c')), result('c', 'look', '"gold"'))).toBe('gold!')
    expect(await said(user('please STOP'))).toBe('I stop')
    expect(await said()).toBe('hm')
  })

  test('a failing turn fails for the first attempts of each call', async () => {
    const model = scripted([
      { fail: { status: 503, message: 'busy' }, times: 2 },
      { say: 'at last', times: 'always' },
    ])
    await expect(ask(model, [user('go')], { attempt: 1 })).rejects.toMatchObject({
      status: 503,
      message: 'busy',
    })
    await expect(ask(model, [user('go')], { attempt: 2 })).rejects.toMatchObject({ status: 503 })
    expect((await ask(model, [user('go')], { attempt: 3 })).text).toBe('at last')
  })

  test('returns reasoning and usage as written, and waits on the clock of the run', async () => {
    const model = scripted([
      { say: 'yes', reasoning: 'because', usage: { input: 10, output: 2 }, latency: 40 },
    ])
    const call = fakeCall()
    expect(await model.ask({ system: '', messages: [user('go')], tools: [] }, call)).toEqual({
      text: 'yes',
      reasoning: 'because',
      calls: [],
      usage: { input: 10, output: 2, cached: 0 },
    })
    expect([call.slept, call.deltas]).toEqual([[40], ['yes']])
  })
})

describe('a script', () => {
  test.each([
    [null, '(the script)', 'expected array, received null'],
    [[], '(the script)', 'Too small: expected array to have >=1 items'],
    [[{}], '[0]', 'expected say, calls, fail or hang'],
    [
      [{ say: 'x', when: { lesson: '(' } }],
      '[0].when.lesson',
      'expected a regular expression: Invalid regular expression: /(/: Unterminated group',
    ],
    [[{ say: 'x', whem: {} }], '[0].whem', 'is unknown'],
    [[{ say: 'x', times: 0 }], '[0].times', 'Too small: expected number to be >=1'],
  ])('%j is rejected', (value, path, message) => {
    expect(readScript(value).faults).toMatchObject([{ path, message }])
  })
})
