/** The settings in a real `generateText`: the input of each step, refused calls, and the end of the loop. */
import {
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  streamText,
  tool,
  ToolLoopAgent,
  type ToolContent,
  type ToolSet,
} from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AiSdkOptions, type AiSdkWatch, watch } from '../../src/adapters/wrap/ai-sdk.ts'
import { breakerCell, explain, type WatchdogRow } from '../../src/watchdog.ts'
import { aiSdk } from '../conformance/ai-sdk.ts'
import { wrapSuite } from '../suites/wrap.ts'

wrapSuite(aiSdk)

const usage = {
  inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}
const REVIEW = {
  escape: { ladder: ['review', 'stop'], review: { deadline: 3_600_000, otherwise: 'stop' } },
} as const

/** A model that asks for these calls in turn, and then is done. */
function asking(...turns: readonly (readonly string[])[]) {
  let turn = 0
  const next = () => {
    const names = turns[turn++] ?? []
    const calls = names.map((toolName, place) => ({
      type: 'tool-call' as const,
      toolCallId: `c${turn}-${place}`,
      toolName,
      input: '{}',
    }))
    return {
      content: names.length === 0 ? [{ type: 'text' as const, text: 'done' }] : calls,
      reason: names.length === 0 ? ('stop' as const) : ('tool-calls' as const),
    }
  }
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const { content, reason } = next()
      return { content, finishReason: { unified: reason, raw: undefined }, usage, warnings: [] }
    },
    doStream: async () => {
      const { content, reason } = next()
      const chunks: LanguageModelV4StreamPart[] = [{ type: 'stream-start', warnings: [] }]
      for (const part of content) {
        if (part.type === 'tool-call') chunks.push(part)
        else
          chunks.push(
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: part.text },
            { type: 'text-end', id: '1' },
          )
      }
      chunks.push({ type: 'finish', finishReason: { unified: reason, raw: undefined }, usage })
      return {
        stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
      }
    },
  })
}

function named(run: () => string, more: object = {}) {
  return tool({
    description: '',
    inputSchema: jsonSchema({ type: 'object' }),
    execute: async () => run(),
    ...more,
  })
}

const search = named(() => 'nothing')
const dead = named(() => {
  throw Object.assign(new Error('HTTP 503: no'), { status: 503 })
})

type LanguageModelV4StreamPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer P>
    ? P
    : never

function settings(guard: ReturnType<typeof watch>, tools: ToolSet) {
  const { stopWhen, prepareStep, toolApproval, onStepEnd } = guard
  return {
    tools: guard.tools(tools),
    stopWhen: [isStepCount(100), stopWhen],
    prepareStep,
    toolApproval,
    onStepEnd,
  }
}

async function ran(
  options: AiSdkOptions,
  tools: ToolSet,
  model: MockLanguageModelV4,
  messages: ModelMessage[] = [{ role: 'user', content: 'Find it.' }],
) {
  const guard = watch(options)
  const result = await generateText({ model, messages, ...settings(guard, tools) })
  return { guard, result }
}

const lastOf = ({ doGenerateCalls }: MockLanguageModelV4, call: number) =>
  JSON.stringify(doGenerateCalls[call]?.prompt.at(-1)?.content ?? '')
const toolsOf = ({ doGenerateCalls }: MockLanguageModelV4) =>
  doGenerateCalls.map(({ tools = [] }) => tools.map(({ name }) => name).join())

describe('a loop', () => {
  test('uses the smarter model with the finding for one step; later steps do not contain it', async () => {
    const fast = asking(['search'], ['search'], ['search'], ['search'])
    const smart = asking(['archive'])
    await ran({ smart }, { search, archive: named(() => 'found') }, fast)
    expect([fast.doGenerateCalls.length, smart.doGenerateCalls.length]).toEqual([5, 1])
    expect(lastOf(smart, 0)).toContain('You are repeating yourself: search ran 3 times')
    expect(JSON.stringify(fast.doGenerateCalls.slice(3).map(({ prompt }) => prompt))).not.toContain(
      'round in circles',
    )
  })

  test('that continues is stopped, also with streaming and with an agent object', async () => {
    const endless = () => asking(...Array.from({ length: 30 }, () => ['search']))
    const once = (await ran({}, { search }, endless())).guard.watchdog.state
    const streaming = watch()
    const streamed = streamText({
      model: endless(),
      prompt: 'Find it.',
      ...settings(streaming, { search }),
    })
    expect(await streamed.text).toMatch(/^Stopped by the watchdog \(loop\): search ran 3 times/)
    const agentic = watch()
    await new ToolLoopAgent({ model: endless(), ...settings(agentic, { search }) }).generate({
      prompt: 'Find it.',
    })
    expect(
      [once, streaming.watchdog.state, agentic.watchdog.state].map(({ ended, turns, seq }) => [
        ended,
        turns,
        seq,
      ]),
    ).toEqual(Array(3).fill(['loop', 6, 24]))
  })
})

test('the tokens that the provider read from its cache are counted as such', async () => {
  const rows: WatchdogRow[] = []
  await ran({ record: row => void rows.push(row) }, { search }, asking(['search']))
  const usages = rows.flatMap(({ event }) => (event.type === 'model.done' ? [event.usage] : []))
  expect(usages).toEqual([
    expect.objectContaining({ input: 10, output: 5, cached: 4 }),
    expect.objectContaining({ input: 10, output: 5, cached: 4 }),
  ])
})

test('an output without a reported input is counted', async () => {
  const rows: WatchdogRow[] = []
  const model = asking([])
  const generate = model.doGenerate
  const inputTokens = { total: undefined, noCache: undefined, cacheRead: 0, cacheWrite: 0 }
  const outputTokens = { total: 5_000, text: 5, reasoning: 4_995 }
  model.doGenerate = async options => ({
    ...(await generate(options)),
    usage: { inputTokens, outputTokens },
  })
  await ran({ record: row => void rows.push(row) }, { search }, model)
  const usages = rows.flatMap(({ event }) => (event.type === 'model.done' ? [event.usage] : []))
  expect(usages).toEqual([expect.objectContaining({ output: 5_000, estimated: true })])
})

test.each([
  ['reasoning', { type: 'reasoning', text: 'x'.repeat(20_000) }, 5_000],
  ['a generated file', png('x'.repeat(20_000)), 1_250],
  ['a small file as bytes', png(new Uint8Array(2_400)), 800],
  ['a file in the reasoning', { ...png('x'.repeat(20_000)), type: 'reasoning-file' }, 1_250],
] as const)('without a reported usage, %s is counted', async (_, part, tokens) => {
  const model = asking([])
  const unified = 'stop'
  model.doGenerate = async () => ({
    content: [part],
    finishReason: { unified, raw: undefined },
    usage: {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
    warnings: [],
  })
  const { guard } = await ran({}, { search }, model)
  expect(guard.watchdog.state.watch.account.spent.tokens).toBe(tokens)
})

function png(data: string | Uint8Array) {
  return { type: 'file', mediaType: 'image/png', data: { type: 'data', data } } as const
}

/** As `ai` converts the usage of a model of version 2. */
const undivided = (total: number, cacheRead: number | undefined, reasoning?: number) => ({
  inputTokens: { total, noCache: undefined, cacheRead, cacheWrite: undefined },
  outputTokens: { total: 12, text: undefined, reasoning },
})

test.each([
  [
    'its caches are apart',
    undivided(50_000, 40_000),
    { anthropic: { usage: { input_tokens: 50_000, cache_read_input_tokens: 40_000 } } },
    { input: 90_000, cached: 40_000, output: 12 },
  ],
  [
    'it has written a cache',
    undivided(10, undefined),
    { anthropic: { usage: { input_tokens: 10, cache_creation_input_tokens: 60_000 } } },
    { input: 60_010, cached: 0, output: 12 },
  ],
  [
    'its caches are a part of the input',
    undivided(50_000, 40_000),
    {
      google: { usageMetadata: { promptTokenCount: 50_000, cachedContentTokenCount: 40_000 } },
    },
    { input: 50_000, cached: 40_000, output: 12 },
  ],
  [
    'its thoughts are apart',
    undivided(330, undefined, 9_000),
    {},
    { input: 330, cached: 0, output: 9_012 },
  ],
])('a model of version 2 costs what its provider reports: %s', async (_, usage, metadata, all) => {
  const rows: WatchdogRow[] = []
  const model = asking([])
  const generate = model.doGenerate
  model.doGenerate = async options => ({
    ...(await generate(options)),
    usage,
    providerMetadata: metadata,
  })
  await ran({ record: row => void rows.push(row) }, { search }, model)
  const usages = rows.flatMap(({ event }) => (event.type === 'model.done' ? [event.usage] : []))
  expect(usages).toEqual([expect.objectContaining(all)])
})

test('tools keep their own types', async () => {
  const length = tool({
    description: '',
    inputSchema: z.object({ text: z.string() }),
    execute: async ({ text }) => text.length,
  })
  const { tools, stopWhen, prepareStep, toolApproval, onStepEnd } = watch()
  const result = await generateText({
    model: asking([]),
    prompt: 'x',
    tools: tools({ length }),
    stopWhen,
    prepareStep,
    toolApproval,
    onStepEnd,
  })
  const output: number | undefined = result.steps[0]?.staticToolResults[0]?.output
  expect(output).toBeUndefined()
})

describe('a tool with an open breaker', () => {
  test('is hidden from the model, or substituted if a substitute exists', async () => {
    const breakers = breakerCell()
    const model = asking(['search'], ['search'], ['search'], ['archive'])
    await ran({ breakers }, { search: dead, archive: named(() => 'found') }, model)
    expect(toolsOf(model)).toEqual([
      'search,archive',
      'search,archive',
      'search,archive',
      'archive',
      'archive',
    ])
    const rows: WatchdogRow[] = []
    const other = await ran(
      { breakers, substitutes: { search: 'archive' }, record: row => void rows.push(row) },
      { search: dead, archive: named(() => 'found') },
      asking(['search']),
    )
    expect(other.result.steps[0]?.toolResults[0]?.output).toBe('found')
    expect(rows.find(({ event }) => event.type === 'call.substituted')?.event).toMatchObject({
      subject: 'search',
      by: 'archive',
    })
  })

  test('ignores a substitute that is not among the tools', async () => {
    const attempts = async (options: AiSdkOptions) => {
      let paid = 0
      const pay = named(() => {
        paid++
        throw Object.assign(new Error('HTTP 503: no'), { status: 503 })
      })
      const model = asking(...Array.from({ length: 12 }, () => ['pay']))
      const { result } = await ran(options, { pay, search }, model)
      return { paid, steps: result.steps.length, lastTools: toolsOf(model).at(-1) }
    }
    const without = await attempts({})
    expect(without).toMatchObject({ paid: 3, lastTools: 'search' })
    expect(await attempts({ substitutes: { pay: 'nope' } })).toEqual(without)
  })

  test('is hidden in addition to the tools that you hide', async () => {
    const breakers = breakerCell()
    const model = asking(['search'], ['search'], ['search'])
    await ran(
      { breakers, activeTools: ['search', 'archive'] },
      { search: dead, archive: named(() => 'found'), secret: named(() => 'x') },
      model,
    )
    expect(toolsOf(model)).toEqual([
      'search,archive',
      'search,archive',
      'search,archive',
      'archive',
    ])
  })

  test('is refused with the reason if the breaker opened after the model call', async () => {
    const breakers = breakerCell()
    const guard = watch({ breakers })
    const { prepareStep, ...rest } = settings(guard, { search })
    const others = {
      'tool:search': { state: 'open', failures: 3, openedAt: 0, retryAt: Number.MAX_SAFE_INTEGER },
    } as const
    const afterwards: typeof prepareStep = options => {
      const step = prepareStep(options)
      breakers.table = others
      return step
    }
    const result = await generateText({
      model: asking(['search']),
      prompt: 'Find it.',
      ...rest,
      prepareStep: afterwards,
    })
    expect(JSON.stringify(result.responseMessages)).toContain(
      'the circuit breaker of search is open',
    )
    expect(guard.watchdog.state.watch.account.spent.toolCalls).toBe(0)
  })
})

describe('calls', () => {
  test('of an aborted stream leave the probe of an open breaker to the next stream', async () => {
    const breakers = breakerCell({
      'tool:search': { state: 'open', failures: 3, openedAt: 0, retryAt: 1 },
    })
    const guard = watch({ breakers })
    const aborting = new AbortController()
    const search = named(() => {
      aborting.abort()
      return new Promise<string>(() => {}) as never
    })
    const aborted = streamText({
      model: asking(['search']),
      prompt: 'Find it.',
      abortSignal: aborting.signal,
      ...settings(guard, { search }),
    })
    await aborted.consumeStream()
    const { text } = await generateText({
      model: asking(['search']),
      prompt: 'Find it.',
      ...settings(guard, { search: named(() => 'found') }),
    })
    expect([text, breakers.table]).toEqual(['done', {}])
  })

  test('over a limit are denied in the middle of a batch, and the next step is not made', async () => {
    let made = 0
    const model = asking(['search', 'search', 'search'])
    const { guard, result } = await ran(
      { policy: { limits: { toolCalls: 2 } } },
      { search: named(() => `answer ${++made}`) },
      model,
    )
    expect([made, guard.watchdog.state.ended, model.doGenerateCalls.length]).toEqual([
      2,
      'budget.toolCalls',
      1,
    ])
    expect(result.text).toBe(
      'Stopped by the watchdog (budget.toolCalls): the limit of 2 tool calls is reached.',
    )
    expect(result.providerMetadata).toEqual({
      escapement: {
        because: {
          code: 'limit-reached',
          params: { unit: 'toolCalls', limit: 2, of: 'thread' },
        },
      },
    })
    expect(JSON.stringify(result.responseMessages)).toContain(
      'the limit of 2 tool calls is reached',
    )
  })

  test('wait for a person if a tool or your own setting requires it', async () => {
    const own = await ran(
      {},
      { search: named(() => 'x', { needsApproval: true }) },
      asking(['search']),
    )
    expect(own.result.content.some(({ type }) => type === 'tool-approval-request')).toBe(true)
    const yours = await ran({ toolApproval: () => 'user-approval' }, { search }, asking(['search']))
    expect(yours.result.content.some(({ type }) => type === 'tool-approval-request')).toBe(true)
    expect(yours.guard.watchdog.state.watch.account.spent.toolCalls).toBe(0)
  })

  test('that wait for a person count as tool calls', async () => {
    const model = asking(...Array.from({ length: 6 }, () => ['search']))
    const guard = watch({ thread: 'ticket-44', commandExpected: true })
    const tools = { search: named(() => 'x', { needsApproval: true }) }
    for (let turn = 0; turn < 2; turn++)
      await generateText({ model, prompt: 'Find it.', ...settings(guard, tools) })
    expect([guard.watchdog.pendingEscape, guard.watchdog.state.turns]).toEqual([undefined, 2])
  })

  test('are confirmed with the context of their tool', async () => {
    const contexts: unknown[] = []
    const needsApproval = (_: unknown, { context }: { context: unknown }) => {
      contexts.push(context)
      return false
    }
    const search = tool({
      inputSchema: jsonSchema({ type: 'object' }),
      contextSchema: z.object({ key: z.string() }),
      needsApproval,
      execute: async () => 'x',
    })
    await generateText({
      model: asking(['search']),
      prompt: 'Find it.',
      ...settings(watch(), { search } as never),
      toolsContext: { search: { key: 'k' } } as never,
    })
    expect(contexts).toEqual([{ key: 'k' }])
  })

  test('of a step over the limit of model calls are not made', async () => {
    const model = asking(...Array.from({ length: 9 }, () => ['search']))
    const { guard } = await ran({ policy: { limits: { modelCalls: 2 } } }, { search }, model)
    expect([model.doGenerateCalls.length, guard.watchdog.state.ended]).toEqual([
      2,
      'budget.modelCalls',
    ])
  })
})

describe('a call whose result arrives later', () => {
  type Output = Extract<ToolContent[number], { type: 'tool-result' }>['output']
  const NOUNS = ['shoe', 'hat', 'coat', 'sock', 'glove', 'scarf', 'belt', 'boot']
  const noun = (turn: number) => NOUNS[turn % 8] ?? ''
  const text = (value: string): Output => ({ type: 'text', value })
  const resultOf = (turn: number, output: Output): ToolContent[number] => {
    return { type: 'tool-result', toolCallId: `c${turn}`, toolName: 'readPage', output }
  }

  /** Requests of a conversation until the watchdog ends it. Each one has the result of the call before. */
  async function chat(
    input: (turn: number) => object,
    output: (turn: number) => Output,
    said: (turn: number) => string = () => '',
    guardOf: (turn: number, guard: AiSdkWatch) => AiSdkWatch = (_, guard) => guard,
  ) {
    let guard = watch({ thread: 'chat-1' })
    const messages: ModelMessage[] = [{ role: 'user', content: 'Find the price.' }]
    for (let turn = 0; turn < 20; turn++) {
      guard = guardOf(turn, guard)
      const model = calling(`c${turn}`, input(turn), said(turn))
      const { responseMessages } = await generateText({
        model,
        messages,
        ...settings(guard, { readPage }),
      })
      const { ended, because } = guard.watchdog.state
      if (ended !== undefined) return `${turn} ${ended}: ${because && explain(because)}`
      messages.push(...responseMessages)
      messages.push({ role: 'tool', content: [resultOf(turn, output(turn))] })
    }
    return guard.watchdog.state.watch.account.spent.toolCalls
  }

  const pages = (turn: number) => ({ url: `/${noun(turn)}/${turn}` })
  const same = () => ({ url: '/a' })

  test.each<[string, (turn: number) => object, (turn: number) => Output]>([
    ['reads other pages', pages, turn => text(`The ${noun(turn)} costs ${turn * 7} euros.`)],
    ['polls a job', same, turn => text(`${turn * 3} of 200 rows: ${noun(turn)}`)],
    ['fills a form', pages, turn => ({ type: 'json', value: { filled: noun(turn), n: turn } })],
    [
      'takes screenshots',
      same,
      turn => ({
        type: 'content',
        value: [{ type: 'text', text: 'Here.' }, shot(Buffer.alloc(90, turn).toString('base64'))],
      }),
    ],
  ])('works on if its results are new: it %s', async (_, input, output) => {
    expect(await chat(input, output)).toBe(19)
  })

  test.each<[string, (turn: number) => object, Output, string]>([
    ['the same call', same, text('Page A'), 'readPage ran 3 times with the same arguments'],
    ['a failing call', pages, { type: 'error-text', value: 'no access' }, 'no access'],
    ['a call that is denied', pages, { type: 'execution-denied', reason: 'not now' }, 'not now'],
  ])('is a loop if it repeats %s, in other words each time', async (_, input, output, why) => {
    const said = (turn: number) => `Now the ${noun(turn)}, then the ${noun(turn * 5 + 1)}.`
    expect(await chat(input, () => output, said)).toMatch(
      new RegExp(`^\\d+ (loop|stall): .*${why}`),
    )
  })

  test('is a loop also in several processes, and a result that is sent again counts once', async () => {
    const restored = (_: number, { watchdog }: AiSdkWatch) =>
      watch({ thread: 'chat-1', state: JSON.parse(JSON.stringify(watchdog.state)) })
    const once = await chat(same, () => text('Page A'))
    expect(once).toMatch(/^6 loop/)
    expect(await chat(same, () => text('Page A'), undefined, restored)).toBe(once)
    const guard = watch({ thread: 'chat-1' })
    const content = [resultOf(0, text('Page A'))]
    const { responseMessages } = await generateText({
      model: calling('c0', {}),
      prompt: 'Find the price.',
      ...settings(guard, { readPage }),
    })
    for (let attempt = 0; attempt < 2; attempt++)
      await generateText({
        model: asking([]),
        messages: [
          { role: 'user', content: 'Find the price.' },
          ...responseMessages,
          { role: 'tool', content },
        ],
        ...settings(guard, { readPage }),
      })
    expect(guard.watchdog.state.watch.account.spent.toolCalls).toBe(1)
  })

  test('is a loop if your own setting denies each call', async () => {
    const { guard } = await ran(
      { toolApproval: () => ({ type: 'denied', reason: 'not allowed' }) },
      { search },
      asking(...Array.from({ length: 20 }, () => ['search'])),
    )
    const { ended, because } = guard.watchdog.state
    expect([ended, because && explain(because)]).toEqual([
      'loop',
      expect.stringMatching(/search failed \d+ times: not allowed/),
    ])
  })

  test('is observed after its approval, with the result of the call', async () => {
    const rows: WatchdogRow[] = []
    const guard = watch({ thread: 'chat-1', record: row => void rows.push(row) })
    const tools = { search: named(() => 'found', { needsApproval: true }) }
    const model = asking(['search'])
    const first = await generateText({ model, prompt: 'Find it.', ...settings(guard, tools) })
    const request = first.content.find(part => part.type === 'tool-approval-request')
    const approvalId = request?.approvalId ?? ''
    await generateText({
      model,
      messages: [
        { role: 'user', content: 'Find it.' },
        ...first.responseMessages,
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] },
      ],
      ...settings(guard, tools),
    })
    const calls = rows.flatMap(({ event }) => ('call' in event ? [[event.type, event.call]] : []))
    expect(calls).toEqual([
      ['model.called', 'agent#1/0'],
      ['model.done', 'agent#1/0'],
      ['tool.called', 'agent#1/1'],
      ['tool.done', 'agent#1/1'],
      ['model.called', 'agent#2/0'],
      ['model.done', 'agent#2/0'],
    ])
  })
})

const readPage = tool({ inputSchema: jsonSchema({ type: 'object' }) })

const shot = (data: string) =>
  ({ type: 'file', mediaType: 'image/png', data: { type: 'data', data } }) as const

/** A model with one call in its answer. */
function calling(toolCallId: string, input: object, said = '') {
  const model = asking([])
  const call = { type: 'tool-call', toolCallId, toolName: 'readPage' } as const
  const finishReason = { unified: 'tool-calls', raw: undefined } as const
  model.doGenerate = async () => ({
    content: [
      ...(said === '' ? [] : [{ type: 'text' as const, text: said }]),
      { ...call, input: JSON.stringify(input) },
    ],
    finishReason,
    usage,
    warnings: [],
  })
  return model
}

test('a person is asked outside the loop, which continues with the answer', async () => {
  const model = asking(['search'], ['search'], ['search'], ['search'])
  const { guard, result } = await ran({ policy: REVIEW, thread: 'ticket-44' }, { search }, model)
  expect(guard.question).toMatch(/^The agent is stuck: search ran 3 times/)
  guard.watchdog.resolveReview('dismiss', Date.now())
  expect(guard.question).toBeUndefined()
  const next = await generateText({
    model,
    messages: [{ role: 'user', content: 'Find it.' }, ...result.responseMessages],
    ...settings(guard, { search }),
  })
  expect([next.text, guard.watchdog.state.ended]).toEqual(['done', undefined])
})

test('new questions of a person allow the same lookup each time', async () => {
  const guard = watch({ thread: 'ticket-44' })
  const order = named(() => '1 clock, sent')
  let messages: ModelMessage[] = []
  for (const content of [
    'What have I ordered?',
    'Is it paid?',
    'When does it come?',
    'Can I send it back?',
    'How?',
    'Who pays for that?',
    'Thanks. And is it blue?',
  ]) {
    messages = [...messages, { role: 'user', content }]
    const { text, responseMessages } = await generateText({
      model: asking(['order']),
      messages,
      ...settings(guard, { order }),
    })
    expect([text, guard.watchdog.pendingEscape]).toEqual(['done', undefined])
    messages = [...messages, ...responseMessages]
  }
})

describe('one agent of several users', () => {
  const lookup = () => asking(['search'])

  test('watches each call separately: 20 users may ask the same', async () => {
    const guard = watch()
    const answers = []
    const agents = Array.from(
      { length: 20 },
      () => new ToolLoopAgent({ model: lookup(), ...settings(guard, { search }) }),
    )
    for (const agent of agents) answers.push((await agent.generate({ prompt: 'Find it.' })).text)
    const together = agents.map(async () => {
      const agent = new ToolLoopAgent({ model: lookup(), ...settings(guard, { search }) })
      return (await agent.stream({ prompt: 'Find it.' })).text
    })
    expect(new Set([...answers, ...(await Promise.all(together))])).toEqual(new Set(['done']))
  })

  test('stops only the call that loops, also if another call interleaves with equal call ids', async () => {
    const endless = asking(...Array.from({ length: 30 }, () => ['search']))
    const guard = watch({ policy: { limits: { toolCalls: 20 } } })
    const run = (model: MockLanguageModelV4) =>
      generateText({ model, prompt: 'Find it.', ...settings(guard, { search }) })
    const [looped, ...others] = await Promise.all([
      run(endless),
      ...Array.from({ length: 9 }, () => run(lookup())),
    ])
    expect(looped.text).toMatch(/^Stopped by the watchdog \(loop\)/)
    expect(others.map(({ text }) => text)).toEqual(Array(9).fill('done'))
  })

  test('shares a watch between the calls of one thread', async () => {
    const rows: [string, number][] = []
    const guard = watch({
      thread: ({ runtimeContext }) => runtimeContext.thread,
      record: ({ seq }, thread) => rows.push([thread, seq]),
    })
    const say = (thread: string) =>
      generateText({
        model: lookup(),
        prompt: 'Find it.',
        runtimeContext: { thread },
        ...settings(guard, { search }),
      })
    for (let round = 0; round < 5; round++) await say('anna')
    expect((await say('ben')).text).toBe('done')
    expect((await say('anna')).text).toMatch(/^Stopped by the watchdog \(loop\)/)
    expect([guard.watchdogOf('anna'), guard.watchdogOf('ben')].map(of => of?.state.ended)).toEqual([
      'loop',
      undefined,
    ])
    expect(guard.watchdogOf('carl')).toBeUndefined()
    expect(new Set(rows.map(([thread]) => thread))).toEqual(new Set(['anna', 'ben']))
  })

  test('records each call without a thread under a name of its own', async () => {
    const rows: [string, number][] = []
    const guard = watch({ record: ({ seq }, thread) => rows.push([thread, seq]) })
    for (const _ of [1, 2])
      await generateText({ model: lookup(), prompt: 'x', ...settings(guard, { search }) })
    expect(rows.filter(([, seq]) => seq === 0)).toHaveLength(2)
    expect(new Set(rows.map(([thread]) => thread)).size).toBe(2)
  })

  test('takes the thread from the options of a call', async () => {
    const guard = watch({ thread: ({ runtimeContext }) => runtimeContext.thread })
    const agent = new ToolLoopAgent({
      model: asking(['search']),
      ...settings(guard, { search }),
      callOptionsSchema: z.object({ thread: z.string() }),
      prepareCall: ({ options, ...call }) => ({
        ...call,
        runtimeContext: { thread: options.thread },
      }),
    })
    await agent.generate({ prompt: 'Find it.', options: { thread: 'ticket-44' } })
    expect(guard.watchdogOf('ticket-44')?.state.turns).toBe(2)
  })
})

test('the same message every hour is a schedule, and not a loop', async () => {
  let now = 0
  const guard = watch({ thread: 'mail', now: () => now })
  for (let hour = 0; hour < 12; hour++) {
    const { text } = await generateText({
      model: asking(['search']),
      prompt: 'Is there new mail?',
      ...settings(guard, { search }),
    })
    expect(text).toBe('done')
    now += 3_600_000
  }
})

test('a new call of a stopped agent begins another round', async () => {
  const { guard } = await ran(
    { thread: 'ticket-44' },
    { search },
    asking(...Array.from({ length: 9 }, () => ['search'])),
  )
  expect(guard.watchdog.state.ended).toBe('loop')
  const again = await generateText({
    model: asking(['search']),
    prompt: 'Try once more.',
    ...settings(guard, { search }),
  })
  expect([again.text, guard.watchdog.state.ended]).toEqual(['done', undefined])
})
