/** The middleware in a real `createAgent`: the input of the model, the history, the checkpoints, and questions. */
import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import {
  AIMessage,
  type BaseMessage,
  createAgent,
  createMiddleware,
  DynamicStructuredTool,
  fakeModel,
  HumanMessage,
  humanInTheLoopMiddleware,
  tool,
  ToolMessage,
  toolStrategy,
} from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type LangChainOptions, watch } from '../../src/adapters/wrap/langchain.ts'
import { breakerCell, type WatchdogRow } from '../../src/watchdog.ts'
import { memoryStore, recorder } from '../../src/index.ts'
import { langchain } from '../conformance/langchain.ts'
import { wrapSuite } from '../suites/wrap.ts'

wrapSuite(langchain(0))

const BEGIN = { messages: [new HumanMessage('Find it.')] }
const REVIEW = {
  escape: { ladder: ['review', 'stop'], review: { deadline: 3_600_000, otherwise: 'stop' } },
} as const

/** A model that asks for these calls in turn, and then is done. */
function asking(...turns: readonly (readonly string[])[]) {
  const model = fakeModel()
  turns.forEach((names, turn) => {
    model.respond(
      new AIMessage({
        content: '',
        tool_calls: names.map((name, place) => ({ id: `c${turn}-${place}`, name, args: {} })),
      }),
    )
  })
  return model.respond(new AIMessage('done'))
}

function named(name: string, run: () => string) {
  return tool(run, { name, description: name, schema: z.object({}) })
}

const search = named('search', () => 'nothing')
const dead = named('search', () => {
  throw Object.assign(new Error('HTTP 503: no'), { status: 503 })
})

/** An agent, and what each call of its model was sent. */
function agentOf(
  options: LangChainOptions,
  parts: {
    readonly model: ReturnType<typeof fakeModel>
    readonly tools?: readonly ReturnType<typeof named>[]
  },
) {
  const sent: {
    readonly model: unknown
    readonly tools: readonly string[]
    readonly messages: readonly string[]
    readonly last: string
  }[] = []
  const spy = createMiddleware({
    name: 'spy',
    wrapModelCall: (request, handler) => {
      sent.push({
        model: request.model,
        tools: request.tools.map(({ name }) => String(name)),
        messages: request.messages.map(({ text }) => text),
        last: request.messages.at(-1)?.text ?? '',
      })
      return handler(request)
    },
  })
  const agent = createAgent({
    model: parts.model,
    tools: [...(parts.tools ?? [search])],
    middleware: [watch(options), spy],
    checkpointer: new MemorySaver(),
  })
  return { agent, sent }
}

const config = { configurable: { thread_id: 't' }, recursionLimit: 200 }

/** Calls without an answer, and answers without a call: a provider refuses such a history. */
function strays(messages: readonly BaseMessage[]): readonly string[] {
  const asked = messages.flatMap(message =>
    AIMessage.isInstance(message) ? (message.tool_calls ?? []).map(({ id }) => id ?? '') : [],
  )
  const answered = messages.flatMap(message =>
    ToolMessage.isInstance(message) ? [message.tool_call_id] : [],
  )
  return [
    ...asked.filter(id => !answered.includes(id)),
    ...answered.filter(id => !asked.includes(id)),
  ]
}

describe('a loop', () => {
  test('uses the smarter model with the finding for one turn, then the first model again', async () => {
    const model = asking(['search'], ['search'], ['search'], [], [])
    const smart = fakeModel().respond(
      new AIMessage({ content: '', tool_calls: [{ id: 's', name: 'archive', args: {} }] }),
    )
    const { agent, sent } = agentOf(
      { smart },
      { model, tools: [search, named('archive', () => 'found')] },
    )
    await agent.invoke(BEGIN, config)
    expect(sent.map(({ model: which }) => (which === smart ? 'smart' : 'fast'))).toEqual([
      'fast',
      'fast',
      'fast',
      'smart',
      'fast',
    ])
    expect(sent[3]?.last).toMatch(/^You are repeating yourself: search ran 3 times/)
    expect(sent[4]?.last).toBe('found')
  })

  test('that continues ends with the reason, in a history that a provider accepts', async () => {
    const { agent } = agentOf(
      {},
      { model: asking(...Array.from({ length: 12 }, () => ['search', 'search'])) },
    )
    const result = await agent.invoke(BEGIN, config)
    expect(result.watchdog?.ended).toBe('loop')
    expect(result.messages.at(-1)?.text).toMatch(/^Stopped by the watchdog \(loop\): search/)
    expect(strays(result.messages)).toEqual([])
  })

  test('is found across invocations of one thread; a new message after the end begins another round', async () => {
    const model = fakeModel()
    for (let turn = 0; turn < 6; turn++) model.respond(new AIMessage(`I will (${turn}).`))
    const { agent } = agentOf({ commandExpected: true }, { model })
    const first = await agent.invoke(BEGIN, config)
    expect(first.watchdog).toMatchObject({ turns: 1 })
    const second = await agent.invoke(BEGIN, config)
    // At the second answer without a tool call, the watchdog notes it to the model and calls it again; the framework would end.
    expect(second.watchdog).toMatchObject({ turns: 3 })
    expect(
      second.messages.filter(({ text }) => text.startsWith('You are repeating yourself')),
    ).toHaveLength(1)
    expect((await agent.invoke(BEGIN, config)).watchdog).toMatchObject({
      turns: 4,
      ended: 'noToolCall',
    })
    const fresh = await agent.invoke(BEGIN, config)
    expect([fresh.watchdog?.turns, fresh.watchdog?.ended]).toEqual([5, undefined])
  })
})

test('new questions of a person allow the same lookup each time', async () => {
  const questions = [
    'What have I ordered?',
    'Is it paid?',
    'When does it come?',
    'Can I send it back?',
    'How?',
    'Who pays for that?',
    'Thanks. And is it blue?',
  ]
  const model = fakeModel()
  for (const [turn] of questions.entries())
    model
      .respond(
        new AIMessage({ content: '', tool_calls: [{ id: `c${turn}`, name: 'order', args: {} }] }),
      )
      .respond(new AIMessage('done'))
  const { agent } = agentOf({}, { model, tools: [named('order', () => '1 clock, sent')] })
  for (const question of questions) {
    const { messages, watchdog } = await agent.invoke(
      { messages: [new HumanMessage(question)] },
      config,
    )
    expect([messages.at(-1)?.text, watchdog?.pendingEscape]).toEqual(['done', undefined])
  }
})

const PLACES = ['Rome', 'Oslo', 'Bern', 'Lima', 'Cairo', 'Paris', 'Quito', 'Delhi']

const picture = (turn: number, size: number) =>
  Buffer.from(Array.from({ length: size }, (_, index) => (index * 31 + turn * 97) % 256))

describe.each<[string, (data: string, turn: number) => object]>([
  ['an image', data => ({ type: 'image', mimeType: 'image/png', data })],
  [
    'an image of OpenAI',
    data => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }),
  ],
  ['a file', data => ({ type: 'file', source_type: 'base64', mime_type: 'application/pdf', data })],
  ['JSON', (_, turn) => ({ type: 'json', json: { row: `${turn} of ${PLACES[turn]}` } })],
])('a tool that answers with %s', (_, block) => {
  /** Eight calls of `look`, which answers with the picture of a turn. */
  async function looking(size: number, turnOf: (call: number) => number) {
    const model = asking(...PLACES.map(() => ['look']))
    let call = 0
    const look = named('look', () => {
      const turn = turnOf(call++)
      const content = [
        { type: 'text', text: 'Here it is.' },
        block(picture(turn, size).toString('base64'), turn),
      ]
      return content as never
    })
    const { watchdog } = await agentOf({}, { model, tools: [look] }).agent.invoke(BEGIN, config)
    return watchdog?.ended
  }

  test.each([60, 9_000, 200_000])('is not stopped if its content is new (%i bytes)', async size => {
    expect(await looking(size, call => call)).toBeUndefined()
  })

  test('is stopped if its content is the same', async () => {
    expect(await looking(9_000, () => 1)).toBe('loop')
  })
})

const long = 'x'.repeat(20_000)

test.each<[string, ConstructorParameters<typeof AIMessage>[0], number]>([
  ['reasoning in the content', { content: [{ type: 'reasoning', reasoning: long }] }, 5_000],
  [
    'reasoning in a field',
    { content: 'done', additional_kwargs: { reasoning_content: long } },
    5_001,
  ],
  ['a generated file', { content: [{ type: 'image', mimeType: 'image/png', data: long }] }, 1_250],
  ['a refusal', { content: '', additional_kwargs: { refusal: long } }, 5_000],
  [
    'an invalid call',
    {
      content: '',
      invalid_tool_calls: [{ id: 'c', name: 'search', args: long, type: 'invalid_tool_call' }],
    },
    5_000,
  ],
])('without a reported usage, %s is counted', async (_, answer, tokens) => {
  const { agent } = agentOf({}, { model: fakeModel().respond(new AIMessage(answer)) })
  const { watchdog } = await agent.invoke(BEGIN, config)
  expect(watchdog?.watch.account.spent.tokens).toBe(tokens)
})

describe('a tool with an open breaker', () => {
  test('is hidden from the model, and answers with a message if it is still called', async () => {
    const { agent, sent } = agentOf(
      { breakers: breakerCell() },
      {
        model: asking(['search'], ['search'], ['search'], ['search']),
        tools: [dead, named('archive', () => 'found')],
      },
    )
    const result = await agent.invoke(BEGIN, config)
    expect(sent.map(({ tools }) => tools.join())).toEqual([
      'search,archive',
      'search,archive',
      'search,archive',
      'archive',
      'archive',
    ])
    const refused = result.messages.findLast(message => ToolMessage.isInstance(message))
    expect(refused).toMatchObject({ status: 'error' })
    expect(refused?.text).toMatch(/^the circuit breaker of search is open; retry in 30 s$/)
    expect(strays(result.messages)).toEqual([])
  })

  test('is refused for all agents that share its breakers, and a substitute answers', async () => {
    const breakers = breakerCell()
    await agentOf(
      { breakers },
      { model: asking(['search'], ['search'], ['search']), tools: [dead] },
    ).agent.invoke(BEGIN, config)
    const rows: WatchdogRow[] = []
    const options = {
      breakers,
      substitutes: { search: 'archive' },
      record: (row: WatchdogRow) => void rows.push(row),
    }
    const { agent, sent } = agentOf(options, {
      model: asking(['search']),
      tools: [dead, named('archive', () => 'found')],
    })
    const result = await agent.invoke(BEGIN, config)
    expect(sent[0]?.tools).toEqual(['search', 'archive'])
    expect(result.messages.find(message => ToolMessage.isInstance(message))?.text).toBe('found')
    expect(rows.find(({ event }) => event.type === 'call.substituted')?.event).toMatchObject({
      subject: 'search',
      by: 'archive',
    })
    expect(strays(result.messages)).toEqual([])
  })

  test('is hidden if its substitute is not among the tools', async () => {
    const { agent, sent } = agentOf(
      { substitutes: { search: 'nope' } },
      { model: asking(['search'], ['search'], ['search']), tools: [dead] },
    )
    await agent.invoke(BEGIN, config)
    expect(sent.at(-1)?.tools).toEqual([])
  })

  test('is not assumed after invalid arguments, or after an interrupt inside it', async () => {
    const breakers = breakerCell()
    const strict = tool(() => 'ok', {
      name: 'strict',
      description: 'strict',
      schema: z.object({ n: z.number() }),
    })
    const careful = tool(() => String(interrupt('May I?')), {
      name: 'careful',
      description: 'careful',
      schema: z.object({}),
    })
    const { agent } = agentOf(
      { breakers },
      {
        model: asking(['strict', 'strict', 'strict', 'strict'], ['careful']),
        tools: [strict as never, careful as never],
      },
    )
    expect(await agent.invoke(BEGIN, config)).toMatchObject({
      __interrupt__: [{ value: 'May I?' }],
    })
    const result = await agent.invoke(new Command({ resume: 'yes' }), config)
    expect(result.messages.findLast(message => ToolMessage.isInstance(message))?.text).toBe('yes')
    expect(Object.values(breakers.table).filter(({ state }) => state !== 'closed')).toEqual([])
  })
})

/** The events of one kind, and of which tool or model they are. */
const subjectsOf = (rows: readonly WatchdogRow[], type: string) =>
  rows.flatMap(({ event }) => (event.type === type && 'subject' in event ? [event.subject] : []))

describe('a turn is recorded once', () => {
  test('after repeated rejections by a person', async () => {
    const rows: WatchdogRow[] = []
    const middleware = [
      watch({ record: row => void rows.push(row) }),
      humanInTheLoopMiddleware({ interruptOn: { search: true } }),
    ]
    const agent = createAgent({
      model: asking(...Array.from({ length: 9 }, () => ['search'])),
      tools: [search],
      middleware,
      checkpointer: new MemorySaver(),
    })
    let result = await agent.invoke(BEGIN, config)
    for (let turn = 0; turn < 9 && '__interrupt__' in result; turn++) {
      result = await agent.invoke(
        new Command({ resume: { decisions: [{ type: 'reject', message: 'Not that.' }] } }),
        config,
      )
    }
    expect(result.messages.at(-1)?.text).toMatch(/^Stopped by the watchdog \(loop\)/)
    expect([subjectsOf(rows, 'tool.failed').length, subjectsOf(rows, 'model.done').length]).toEqual(
      [6, 6],
    )
    expect(strays(result.messages)).toEqual([])
  })

  test('after a structured answer, and after invalid ones up to the limit', async () => {
    const [form] = toolStrategy(z.object({ found: z.string() }))
    const name = form?.name ?? ''
    const of = (args: object, model = fakeModel()) => {
      for (let turn = 0; turn < 9; turn++)
        model.respond(new AIMessage({ content: '', tool_calls: [{ id: `f${turn}`, name, args }] }))
      const rows: WatchdogRow[] = []
      const middleware = [
        watch({ policy: { limits: { modelCalls: 5 } }, record: row => void rows.push(row) }),
      ] as const
      return {
        model,
        rows,
        agent: createAgent({ model, tools: [search], responseFormat: form as never, middleware }),
      }
    }
    const good = of({ found: 'x' })
    const answer = await good.agent.invoke(BEGIN)
    expect([
      answer.structuredResponse,
      subjectsOf(good.rows, 'tool.done'),
      subjectsOf(good.rows, 'model.done').length,
    ]).toEqual([{ found: 'x' }, [name], 1])
    const bad = of({ lost: 'x' })
    const result = await bad.agent.invoke(BEGIN, config)
    expect([bad.model.callCount, result.watchdog?.ended]).toEqual([5, 'budget.modelCalls'])
  })

  test('after a tool that returns directly, and after one that adds its own message', async () => {
    const rows: WatchdogRow[] = []
    const record = (row: WatchdogRow) => void rows.push(row)
    const direct = tool(() => 'here', {
      name: 'direct',
      description: '',
      schema: z.object({}),
      returnDirect: true,
    })
    const one = createAgent({
      model: asking(['direct']),
      tools: [direct],
      middleware: [watch({ record })],
      checkpointer: new MemorySaver(),
    })
    await one.invoke(BEGIN, config)
    await one.invoke(BEGIN, config)
    expect(subjectsOf(rows, 'tool.done')).toEqual(['direct'])
    const noting = tool(
      (_: object, { toolCallId = '' }: { toolCallId?: string }) =>
        new Command({
          update: {
            messages: [
              new ToolMessage({ content: 'nothing', tool_call_id: toolCallId }),
              new HumanMessage('Noted.'),
            ],
          },
        }),
      { name: 'noting', description: '', schema: z.object({}) },
    )
    const model = asking(...Array.from({ length: 12 }, () => ['noting']))
    const other = await createAgent({ model, tools: [noting], middleware: [watch()] }).invoke(
      BEGIN,
      config,
    )
    expect(other.watchdog).toMatchObject({ ended: 'loop', turns: 6 })
  })

  test('without a tool call: the model receives one note', async () => {
    const { agent, sent } = agentOf(
      { commandExpected: true, policy: { detect: { noToolCall: { times: 1 } } } },
      { model: asking([], ['search']) },
    )
    await agent.invoke(BEGIN, config)
    const note = sent[1]?.last ?? ''
    expect(note).toMatch(/^You are repeating yourself: model answered once without a tool call/)
    expect(sent[1]?.messages.filter(text => text === note)).toHaveLength(1)
  })

  test('as separate threads if an agent is the tool of another', async () => {
    const threads = new Set<string>()
    const guard = watch({ record: ({ seq }, thread) => void (seq === 0 && threads.add(thread)) })
    const inner = createAgent({ model: asking(['search']), tools: [search], middleware: [guard] })
    const ask = tool(
      async (_, running) => (await inner.invoke(BEGIN, running)).messages.at(-1)?.text ?? '',
      { name: 'ask', description: '', schema: z.object({}) },
    )
    await createAgent({
      model: asking(['ask']),
      tools: [ask],
      middleware: [guard],
      checkpointer: new MemorySaver(),
    }).invoke(BEGIN, config)
    expect([...threads]).toEqual(['t', expect.stringMatching(/^t\/tools:/)])
  })
})

describe('a failure reaches the model or the caller as without a watchdog', () => {
  const strict = tool(() => 'ok', {
    name: 'search',
    description: '',
    schema: z.object({ n: z.number() }),
  })
  const aborted = tool(
    async (_, { signal }) => {
      await new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      )
      return ''
    },
    { name: 'search', description: '', schema: z.object({}) },
  )
  const forbids = createMiddleware({
    name: 'forbids',
    wrapToolCall: () => {
      throw new Error('forbidden')
    },
  })

  test.each([
    ['a tool', dead, [], undefined],
    ['its arguments', strict, [], undefined],
    ['another middleware', search, [forbids], undefined],
    ['a run that is aborted', aborted, [], 20],
  ])('%s', async (_, failing, others, timeout) => {
    const outcomeOf = async (middleware: readonly ReturnType<typeof createMiddleware>[]) => {
      const running = timeout === undefined ? {} : { signal: AbortSignal.timeout(timeout) }
      const run = createAgent({
        model: asking(['search']),
        tools: [failing as never],
        middleware: [...middleware, ...others] as never,
      }).invoke(BEGIN as never, running as never)
      return (run as Promise<{ messages: BaseMessage[] }>).then(
        ({ messages }) =>
          messages.map(({ text, type }) => `${type} ${text.replace(/\n +at .*/g, '')}`),
        error => `${error}`,
      )
    }
    const bare = await outcomeOf([])
    expect(await outcomeOf([watch() as never])).toEqual(bare)
    expect(await outcomeOf([watch({ policy: { mode: 'observe' } }) as never])).toEqual(bare)
  })
})

test('a call that fails because its run is aborted does not count against its tool', async () => {
  const options = { breakers: breakerCell(), policy: { breaker: { threshold: 1 } } }
  const stop = new AbortController()
  const ended = Promise.withResolvers<void>()
  // Unlike `tool`, it does not end with the signal itself.
  const cut = new DynamicStructuredTool({
    name: 'search',
    description: '',
    schema: z.object({}),
    func: async () => {
      stop.abort()
      setTimeout(ended.resolve, 20)
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    },
  })
  const first = agentOf(options, { model: asking(['search']), tools: [cut as never] })
  const aborted = first.agent.invoke(BEGIN, { ...config, signal: stop.signal })
  await expect(aborted).rejects.toThrow()
  await ended.promise
  const next = agentOf(options, { model: asking([]) })
  await next.agent.invoke(BEGIN, config)
  expect(next.sent[0]?.tools).toEqual(['search'])
})

test('applies a limit in the middle of a batch, before the call that would exceed it', async () => {
  let made = 0
  const counted = named('search', () => `answer ${++made}`)
  const { agent } = agentOf(
    { policy: { limits: { toolCalls: 2 } } },
    { model: asking(['search', 'search', 'search']), tools: [counted] },
  )
  const result = await agent.invoke(BEGIN, config)
  expect([made, result.watchdog?.ended]).toEqual([2, 'budget.toolCalls'])
  expect(strays(result.messages)).toEqual([])
})

let calls = 0
const CALLS = () => [{ id: `c${++calls}`, name: 'search', args: {} }]

describe.each([
  ['the same id', () => new AIMessage({ id: 'x', content: '', tool_calls: CALLS() })],
  [
    'the same message',
    (() => {
      const message = new AIMessage({ id: 'x', content: '', tool_calls: CALLS() })
      return () => message
    })(),
  ],
])('an endpoint that gives %s in each answer', (_, answer) => {
  const asked = () => {
    const model = fakeModel()
    for (let turn = 0; turn < 40; turn++) model.respond(answer())
    return model
  }

  test('reaches a limit of tool calls with each execution', async () => {
    let made = 0
    const counted = named('search', () => `answer ${++made}: ${crypto.randomUUID()}`)
    const { agent } = agentOf(
      { policy: { limits: { toolCalls: 5 } } },
      { model: asked(), tools: [counted] },
    )
    const result = await agent.invoke(BEGIN, { ...config, recursionLimit: 300 })
    expect([made, result.watchdog?.ended]).toEqual([5, 'budget.toolCalls'])
    expect(result.messages.filter(message => AIMessage.isInstance(message))).toHaveLength(7)
  })

  test('is observed in each turn: a loop is found', async () => {
    const { agent } = agentOf({}, { model: asked(), tools: [search] })
    const result = await agent.invoke(BEGIN, { ...config, recursionLimit: 300 })
    expect(result.watchdog?.ended).toBe('loop')
  })
})

describe('a person', () => {
  const stuck = () =>
    agentOf(
      { policy: REVIEW },
      { model: asking(['search'], ['search'], ['search'], ['search'], ['search'], ['search']) },
    ).agent

  test('is asked by an interrupt with the evidence, and continues the run', async () => {
    const agent = stuck()
    const asked = (await agent.invoke(BEGIN, config)) as unknown as {
      __interrupt__: { value: { question: string; because: unknown[] } }[]
    }
    expect(asked.__interrupt__[0]?.value.question).toMatch(
      /^The agent is stuck: search ran 3 times/,
    )
    expect(asked.__interrupt__[0]?.value.because).toHaveLength(1)
    expect(
      (await agent.invoke(new Command({ resume: 'dismiss' }), config)).messages.at(-1)?.text,
    ).toBe('done')
  })

  test('stops the run, or is asked again after an invalid answer', async () => {
    const agent = stuck()
    await agent.invoke(BEGIN, config)
    const again = await agent.invoke(new Command({ resume: 'hm' }), config)
    expect(again).toMatchObject({
      __interrupt__: [
        {
          value: {
            question: expect.stringMatching(
              /^Invalid answer "hm"; expected one of approved, dismiss, rejected, stop\. The agent/,
            ),
          },
        },
      ],
    })
    expect((await agent.invoke(new Command({ resume: 'rejected' }), config)).watchdog?.ended).toBe(
      'rejected',
    )
  })
})

test('in langchain, a thread of the checkpointer is a thread of the store, and repeated work after an interrupt is recorded once', async () => {
  const store = memoryStore()
  const { record, flush } = recorder(store)
  const model = fakeModel()
  for (let turn = 0; turn < 3; turn++)
    model.respond(
      new AIMessage({ content: '', tool_calls: [{ id: `c${turn}`, name: 'search', args: {} }] }),
    )
  model.respond(new AIMessage('done'))
  const agent = createAgent({
    model,
    tools: [tool(() => 'nothing', { name: 'search', description: 'search', schema: z.object({}) })],
    middleware: [
      watch({
        record,
        policy: {
          escape: {
            ladder: ['review', 'stop'],
            review: { deadline: 3_600_000, otherwise: 'stop' },
          },
        },
      }),
    ],
    checkpointer: new MemorySaver(),
  })
  const config = { configurable: { thread_id: 'ticket-7' }, recursionLimit: 100 }
  const asked = await agent.invoke({ messages: [{ role: 'user', content: 'Find it.' }] }, config)
  expect(asked).toHaveProperty('__interrupt__')
  await flush()
  expect((await store.thread('ticket-7'))?.status).toBe('waiting')
  const result = await agent.invoke(new Command({ resume: 'dismiss' }), config)
  expect(result.messages.at(-1)?.text).toBe('done')
  await flush()
  const rows = await store.rows('ticket-7')
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index))
  expect(rows.filter(({ event }) => event.type === 'resume')).toHaveLength(1)
  expect(rows.filter(({ event }) => event.type === 'tool.done')).toHaveLength(3)
})
