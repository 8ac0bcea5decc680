/** The options and tools in a real `run`: the input of the model, refused calls, and the end of the run. */
import {
  Agent,
  type AgentInputItem,
  handoff,
  type HandoffInputData,
  MaxTurnsExceededError,
  type Model,
  type ModelRequest,
  Runner,
  RunState,
  Usage,
} from '@openai/agents'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { LeftByWatchdog, watch } from '../../src/adapters/wrap/openai-agents.ts'
import { breakerCell, type WatchdogRow } from '../../src/watchdog.ts'
import { openAiAgents } from '../conformance/openai-agents.ts'
import { wrapSuite } from '../suites/wrap.ts'

wrapSuite(openAiAgents)

const REVIEW = {
  escape: { ladder: ['review', 'stop'], review: { deadline: 3_600_000, otherwise: 'stop' } },
} as const

let ids = 0

/** A model that asks for these calls in turn, and then is done; and what it was sent. */
function asking(
  ...turns: readonly (readonly (string | readonly [name: string, args: object])[])[]
): Model & { readonly sent: ModelRequest[] } {
  const sent: ModelRequest[] = []
  return {
    sent,
    async getResponse(request) {
      const asked = turns[sent.length] ?? []
      sent.push(request)
      const calls = asked.map(call => ({
        type: 'function_call' as const,
        callId: `c${ids++}`,
        name: typeof call === 'string' ? call : call[0],
        arguments: typeof call === 'string' ? '{}' : JSON.stringify(call[1]),
        status: 'completed' as const,
      }))
      const said = {
        type: 'message' as const,
        role: 'assistant' as const,
        status: 'completed' as const,
        content: [{ type: 'output_text' as const, text: 'done' }],
      }
      return {
        usage: new Usage({ requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 }),
        output: calls.length > 0 ? calls : [said],
      }
    },
    getStreamedResponse() {
      throw new Error('not streamed here')
    },
  }
}

const runner = new Runner({ tracingDisabled: true })
const shape = { description: '', parameters: z.object({}) }
const endless = () => asking(...Array.from({ length: 40 }, () => ['search']))

function lastOf({ sent }: { readonly sent: readonly ModelRequest[] }, call: number): string {
  const { input = '' } = sent[call] ?? {}
  return JSON.stringify(typeof input === 'string' ? input : input.at(-1))
}

const toolsOf = ({ sent }: { readonly sent: readonly ModelRequest[] }) =>
  sent.map(({ tools }) => tools.map(tool => ('name' in tool ? tool.name : '')).join())

test('without a reported usage, reasoning is counted', async () => {
  const model = asking(['search'])
  const answer = model.getResponse
  const reasoning: AgentInputItem = { type: 'reasoning', content: [], rawContent: [thought] }
  model.getResponse = async request => {
    const { output } = await answer(request)
    return { usage: new Usage(), output: [reasoning, ...output] }
  }
  const guard = watch()
  const tools = [guard.tool({ ...shape, name: 'search', execute: () => 'nothing' })]
  await runner.run(new Agent({ name: 'a', model, tools }), 'Find it.', guard.options)
  expect(guard.watchdog.state.watch.account.spent.tokens).toBe(5_002)
})

const thought = { type: 'reasoning_text', text: 'x'.repeat(20_000) } as const

describe('a loop', () => {
  test('is described to the model for one turn', async () => {
    const guard = watch()
    const model = asking(['search'], ['search'], ['search'], ['archive'])
    const tools = [
      guard.tool({ ...shape, name: 'search', execute: () => 'nothing' }),
      guard.tool({ ...shape, name: 'archive', execute: () => 'found' }),
    ]
    const result = await runner.run(
      new Agent({ name: 'a', model, tools }),
      'Find it.',
      guard.options,
    )
    expect(lastOf(model, 3)).toContain('You are repeating yourself: search ran 3 times')
    expect(JSON.stringify(model.sent[4]?.input)).not.toContain('round in circles')
    expect([result.finalOutput, guard.watchdog.state.ended]).toEqual(['done', undefined])
  })

  test('that continues ends the run with the reason as final output', async () => {
    const guard = watch()
    const tools = [guard.tool({ ...shape, name: 'search', execute: () => 'nothing' })]
    const result = await runner.run(
      new Agent({ name: 'a', model: endless(), tools }),
      'Find it.',
      guard.options,
    )
    expect(result.finalOutput).toMatch(/^Stopped by the watchdog \(loop\): search ran 3 times/)
    const again = await runner.run(
      new Agent({ name: 'a', model: asking([]), tools }),
      [...result.history, { role: 'user', content: 'Once more.' }],
      guard.options,
    )
    expect([again.finalOutput, guard.watchdog.state.ended]).toEqual(['done', undefined])
  })

  test('ends the run with an output of the type of the agent, or with an error without a handler', async () => {
    const typed = watch({ finalOutput: reason => ({ found: null, reason }) })
    const execute = () => 'nothing'
    const outputType = z.object({ found: z.string().nullable(), reason: z.string() })
    const result = await runner.run(
      new Agent({
        name: 'a',
        model: endless(),
        outputType,
        tools: [typed.tool({ ...shape, name: 'search', execute })],
      }),
      'Find it.',
      typed.options,
    )
    expect(result.finalOutput).toMatchObject({
      found: null,
      reason: expect.stringMatching(/^Stopped/),
    })
    const bare = watch()
    const agent = new Agent({
      name: 'a',
      model: endless(),
      tools: [bare.tool({ ...shape, name: 'search', execute })],
    })
    await expect(
      runner.run(agent, 'Find it.', { callModelInputFilter: bare.options.callModelInputFilter }),
    ).rejects.toThrow(LeftByWatchdog)
  })

  test('is recorded with its tokens, which count toward a limit; the last answer of a run is recorded once at its end', async () => {
    const guard = watch({
      thread: 'ticket-44',
      price: { input: 1e6, output: 1e6 },
      policy: { limits: { usd: 70 } },
    })
    let made = 0
    const tools = [guard.tool({ ...shape, name: 'search', execute: () => `answer ${++made}` })]
    const first = await runner.run(
      new Agent({ name: 'a', model: asking(['search'], ['search']), tools }),
      'Find it.',
      guard.options,
    )
    expect([first.finalOutput, guard.watchdog.state.watch.account.spent.tokens]).toEqual([
      'done',
      45,
    ])
    const model = asking(['search'], ['search'], ['search'])
    const second = await runner.run(
      new Agent({ name: 'a', model, tools }),
      [...first.history, { role: 'user', content: 'And?' }],
      guard.options,
    )
    expect([
      second.finalOutput,
      model.sent.length,
      guard.watchdog.state.watch.account.spent,
    ]).toMatchObject([
      expect.stringMatching(/the limit of \$70 is reached/),
      2,
      { tokens: 75, usd: 75 },
    ])
  })

  test('keeps a limit of the SDK', async () => {
    const guard = watch()
    const agent = new Agent({
      name: 'a',
      model: endless(),
      tools: [guard.tool({ ...shape, name: 'search', execute: () => 'nothing' })],
    })
    await expect(runner.run(agent, 'Find it.', { ...guard.options, maxTurns: 2 })).rejects.toThrow(
      MaxTurnsExceededError,
    )
    expect(guard.watchdog.state.ended).toBeUndefined()
  })

  test('of two agents that hand off to each other is found', async () => {
    const rows: WatchdogRow[] = []
    const guard = watch({ record: row => rows.push(row) })
    const writer = new Agent({
      name: 'writer',
      model: asking(...Array.from({ length: 20 }, () => ['transfer_to_editor'])),
    })
    const editor = new Agent({
      name: 'editor',
      model: asking(...Array.from({ length: 20 }, () => ['transfer_to_writer'])),
      handoffs: [handoff(writer)],
    })
    writer.handoffs = [handoff(editor)]
    const result = await runner.run(writer, 'Which title?', { ...guard.options, maxTurns: 100 })
    expect(result.finalOutput).toMatch(/^Stopped by the watchdog/)
    const [found] = rows.flatMap(({ verdict }) =>
      verdict.kind === 'escape' ? verdict.because : [],
    )
    expect(found?.members).toEqual(['transfer_to_editor', 'transfer_to_writer'])
  })

  test('of two agents that hand off to each other with another reason each time is found', async () => {
    const guard = watch()
    const settings = { inputType: z.object({ reason: z.string() }), onHandoff: () => {} }
    const words = ['red', 'wide', 'old', 'late', 'calm', 'dear', 'fine', 'good', 'hard', 'iron']
    const turnsTo = (name: string) =>
      words.map(
        word => [[`transfer_to_${name}`, { reason: `The ${word} title is yours.` }]] as const,
      )
    const writer = new Agent({ name: 'writer', model: asking(...turnsTo('editor')) })
    const editor = new Agent({
      name: 'editor',
      model: asking(...turnsTo('writer')),
      handoffs: [handoff(writer, settings)],
    })
    writer.handoffs = [handoff(editor, settings)]
    const result = await runner.run(writer, 'Which title?', { ...guard.options, maxTurns: 100 })
    expect(result.finalOutput).toMatch(/^Stopped by the watchdog \(loop\)/)
  })
})

test('finds two agents that hand off to each other, even if a filter removes each handoff from the history', async () => {
  const rows: WatchdogRow[] = []
  const guard = watch({ record: row => rows.push(row) })
  const tools = [guard.tool({ ...shape, name: 'search', execute: () => 'nothing' })]
  const inputFilter = (data: HandoffInputData) => ({ ...data, preHandoffItems: [], newItems: [] })
  const writer = new Agent({
    name: 'writer',
    model: asking(...Array.from({ length: 20 }, () => ['transfer_to_editor'])),
    tools,
  })
  const editor = new Agent({
    name: 'editor',
    model: asking(...Array.from({ length: 20 }, () => ['transfer_to_writer'])),
    tools,
    handoffs: [handoff(writer, { inputFilter })],
  })
  writer.handoffs = [handoff(editor, { inputFilter })]
  const result = await runner.run(writer, 'Which title?', { ...guard.options, maxTurns: 100 })
  expect(result.finalOutput).toMatch(/^Stopped by the watchdog \(loop\)/)
  const [found] = rows.flatMap(({ verdict }) => (verdict.kind === 'escape' ? verdict.because : []))
  expect(found?.members).toEqual(['transfer_to_editor', 'transfer_to_writer'])
})

describe('a tool', () => {
  const withDead = (options: Parameters<typeof watch>[0]) => {
    const guard = watch(options)
    const broken = () => {
      throw Object.assign(new Error('HTTP 503: no'), { status: 503 })
    }
    return {
      guard,
      tools: [
        guard.tool({ ...shape, name: 'search', execute: broken }),
        guard.tool({ ...shape, name: 'archive', execute: () => 'found' }),
      ],
    }
  }

  test('with an open breaker is hidden, answers with a message if it is still called, and is substituted if a substitute exists', async () => {
    const breakers = breakerCell()
    const first = withDead({ breakers })
    const model = asking(['search'], ['search'], ['search'], ['search'])
    await runner.run(
      new Agent({ name: 'a', model, tools: first.tools }),
      'Find it.',
      first.guard.options,
    )
    expect(toolsOf(model)).toEqual([
      'search,archive',
      'search,archive',
      'search,archive',
      'archive',
      'archive',
    ])
    expect(first.guard.watchdog.state.watch.account.spent.toolCalls).toBe(3)
    const other = withDead({ breakers, substitutes: { search: 'archive' } })
    const second = asking(['search'])
    await runner.run(
      new Agent({ name: 'b', model: second, tools: other.tools }),
      'Find it.',
      other.guard.options,
    )
    expect(lastOf(second, 1)).toContain('found')
  })

  test('is hidden if its substitute is not among the tools', async () => {
    const { guard, tools } = withDead({ substitutes: { search: 'nope' } })
    const model = asking(['search'], ['search'], ['search'])
    await runner.run(new Agent({ name: 'a', model, tools }), 'Find it.', guard.options)
    expect(toolsOf(model).at(-1)).toBe('archive')
  })

  test('is identified by the name that the model uses', async () => {
    const rows: WatchdogRow[] = []
    const guard = watch({ record: row => rows.push(row) })
    const broken = () => {
      throw Object.assign(new Error('HTTP 503: no'), { status: 503 })
    }
    const tools = [guard.tool({ ...shape, name: 'my search.v2', execute: broken })]
    await runner.run(
      new Agent({
        name: 'a',
        model: asking(...Array.from({ length: 4 }, () => ['my_search_v2'])),
        tools,
      }),
      'Find it.',
      guard.options,
    )
    expect(
      rows.flatMap(({ event }) =>
        event.type.startsWith('circuit.') && 'subject' in event
          ? [`${event.type} ${event.subject}`]
          : [],
      ),
    ).toEqual(['circuit.opened my_search_v2', 'circuit.refused my_search_v2'])
  })

  test('that is unknown fails as without a watchdog in observe mode', async () => {
    const of = (options: object) =>
      runner.run(new Agent({ name: 'a', model: asking(['nope']), tools: [] }), 'Find it.', options)
    const bare = await of({}).catch(String)
    expect(bare).toMatch(/nope/)
    expect(await of(watch({ policy: { mode: 'observe' } }).options).catch(String)).toBe(bare)
  })

  test('that times out has failed, and repeated timeouts open its breaker', async () => {
    const rows: WatchdogRow[] = []
    const guard = watch({ record: row => rows.push(row) })
    const tools = [
      guard.tool({ ...shape, name: 'search', timeoutMs: 1, execute: () => new Promise(() => {}) }),
    ]
    const model = asking(['search'], ['search'], ['search'], ['search'])
    await runner.run(new Agent({ name: 'a', model, tools }), 'Find it.', guard.options)
    expect(
      rows.flatMap(({ event }) => (event.type === 'tool.failed' ? [event.failure.rule] : [])),
    ).toEqual(['timeout', 'timeout', 'timeout'])
    expect(toolsOf(model).at(-1)).toBe('')
  })

  test('keeps its own `isEnabled`', async () => {
    const guard = watch()
    const model = asking([])
    const tools = [
      guard.tool({ ...shape, name: 'off', execute: () => '', isEnabled: false }),
      guard.tool({ ...shape, name: 'on', execute: () => '', isEnabled: () => true }),
    ]
    await runner.run(new Agent({ name: 'a', model, tools }), 'x', guard.options)
    expect(toolsOf(model)).toEqual(['on'])
  })

  test('over a limit is not called in the middle of a batch', async () => {
    let made = 0
    const guard = watch({ policy: { limits: { toolCalls: 2 } } })
    const tools = [guard.tool({ ...shape, name: 'search', execute: () => `answer ${++made}` })]
    const result = await runner.run(
      new Agent({ name: 'a', model: asking(['search', 'search', 'search']), tools }),
      'x',
      guard.options,
    )
    expect([made, guard.watchdog.state.ended]).toEqual([2, 'budget.toolCalls'])
    expect(JSON.stringify(result.history)).toContain('the limit of 2 tool calls is reached')
  })
})

describe('the end of a run is recorded', () => {
  const typesOf = (rows: readonly WatchdogRow[]) => rows.map(({ event }) => event.type)

  test('also after a run that was aborted during a call', async () => {
    const rows: WatchdogRow[] = []
    const guard = watch({ thread: 'ticket-44', record: row => rows.push(row) })
    let calls = 0
    const untilAborted = (signal?: AbortSignal) =>
      new Promise<string>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      )
    const execute = (_: unknown, __: unknown, details?: { signal?: AbortSignal }) =>
      calls++ === 0 ? untilAborted(details?.signal) : 'found'
    const tools = [guard.tool({ ...shape, name: 'search', execute })]
    const agentOf = () => new Agent({ name: 'a', model: asking(['search']), tools })
    await expect(
      runner.run(agentOf(), 'Find it.', { ...guard.options, signal: AbortSignal.timeout(10) }),
    ).rejects.toThrow()
    await runner.run(agentOf(), 'Find it.', guard.options)
    expect(typesOf(rows)).toEqual([
      'thread.started',
      'model.called',
      'model.called',
      'model.done',
      'tool.called',
      'tool.done',
      'model.called',
      'model.done',
    ])
  })

  test('for an agent with another one as its tool, but not for the inner one', async () => {
    const rows: WatchdogRow[] = []
    const guard = watch({ record: row => rows.push(row) })
    const search = guard.tool({ ...shape, name: 'search', execute: () => 'found' })
    const inner = new Agent({ name: 'inner', model: asking(['search']), tools: [search] })
    const ask = inner.asTool({ toolName: 'ask', toolDescription: '' })
    const model = asking(['ask'])
    const getResponse: Model['getResponse'] = async request => {
      const { output, ...rest } = await model.getResponse(request)
      return {
        ...rest,
        output: output.map(item =>
          item.type === 'function_call' ? { ...item, arguments: '{"input":"x"}' } : item,
        ),
      }
    }
    await runner.run(
      new Agent({ name: 'outer', model: { ...model, getResponse }, tools: [ask, search] }),
      'Find it.',
      guard.options,
    )
    expect(typesOf(rows)).toEqual([
      'thread.started',
      'model.called',
      'model.done',
      'tool.called',
      'tool.done',
      'model.called',
      'model.done',
    ])
    expect(
      rows.flatMap(({ event }) => (event.type === 'tool.called' ? [event.subject] : [])),
    ).toEqual(['ask'])
  })
})

test('continues in another process with the stored state, and does not record earlier events again', async () => {
  const agentOf = (guard: ReturnType<typeof watch>) =>
    new Agent({
      name: 'a',
      model: asking(['search'], ['search']),
      tools: [guard.tool({ ...shape, name: 'search', execute: () => 'nothing' })],
    })
  const first = watch({
    policy: { detect: { repetition: { times: 5 }, sequence: { repeats: 5 } } },
  })
  const { history } = await runner.run(agentOf(first), 'Find it.', first.options)
  const rows: WatchdogRow[] = []
  const second = watch({
    state: JSON.parse(JSON.stringify(first.watchdog.state)),
    record: row => rows.push(row),
  })
  await runner.run(
    agentOf(second),
    [...history, { role: 'user', content: 'Go on.' }],
    second.options,
  )
  expect(rows.filter(({ event }) => event.type === 'tool.done')).toHaveLength(2)
  expect(rows.slice(0, 2).map(({ event }) => event.type)).toEqual(['message', 'model.called'])
})

test('a call that a person allows in another process is recorded in the watch of its thread', async () => {
  const rows: WatchdogRow[] = []
  const agentOf = (guard: ReturnType<typeof watch>, model: Model) => {
    const pay = { ...shape, name: 'pay', needsApproval: true, execute: () => 'paid' }
    return new Agent({ name: 'a', model, tools: [guard.tool(pay)] })
  }
  const first = watch()
  const asked = await runner.run(
    agentOf(first, asking(['pay'])),
    'Pay.',
    first.optionsFor('ticket'),
  )
  const second = watch({ record: row => void rows.push(row) })
  const agent = agentOf(second, asking([]))
  const state = await RunState.fromString(agent, asked.state.toString())
  for (const question of state.getInterruptions()) state.approve(question)
  const result = await runner.run(agent, state, second.optionsFor('ticket'))
  expect(result.finalOutput).toBe('done')
  expect(rows.flatMap(({ event }) => (event.type === 'tool.done' ? [event.subject] : []))).toEqual([
    'pay',
  ])
})

test('new questions of a person allow the same lookup each time', async () => {
  const guard = watch({ thread: 'ticket-44' })
  const tools = [guard.tool({ ...shape, name: 'order', execute: () => '1 clock, sent' })]
  let input: AgentInputItem[] = []
  for (const question of QUESTIONS) {
    const result = await runner.run(
      new Agent({ name: 'a', model: asking(['order']), tools }),
      [...input, { role: 'user', content: question }],
      guard.options,
    )
    expect([result.finalOutput, guard.watchdog.pendingEscape]).toEqual(['done', undefined])
    input = result.history
  }
})

const QUESTIONS = [
  'What have I ordered?',
  'Is it paid?',
  'When does it come?',
  'Can I send it back?',
  'How?',
  'Who pays for that?',
  'Thanks. And is it blue?',
]

describe('one agent of several users', () => {
  const shared = (guard: ReturnType<typeof watch>, model: Model = asking(['search'])) =>
    new Agent({
      name: 'a',
      model,
      tools: [guard.tool({ ...shape, name: 'search', execute: () => 'nothing' })],
    })

  test('watches each run separately, also with one `options`, and stops only the run that loops', async () => {
    const guard = watch({ policy: { limits: { toolCalls: 20 } } })
    const { options } = guard
    const ask = async (agent: ReturnType<typeof shared>, more: object = {}) =>
      (await runner.run(agent, 'Find it.', { ...options, maxTurns: 50, ...more })).finalOutput
    const answers = []
    for (let user = 0; user < 12; user++)
      answers.push(await ask(shared(guard), { context: { user } }))
    const deps = { db: 'shared' }
    for (let user = 0; user < 8; user++) answers.push(await ask(shared(guard), { context: deps }))
    const [looped, ...others] = await Promise.all([
      ask(shared(guard, endless())),
      ...Array.from({ length: 10 }, () => ask(shared(guard))),
    ])
    expect(new Set([...answers, ...others])).toEqual(new Set(['done']))
    expect(looped).toMatch(/^Stopped by the watchdog \(loop\)/)
  })

  test('watches each run separately without a tool of the watchdog', async () => {
    const guard = watch()
    for (let user = 0; user < 8; user++) {
      const agent = new Agent({ name: 'a', model: asking() })
      expect(
        (await runner.run(agent, 'Hello.', { ...guard.options, context: 'x' })).finalOutput,
      ).toBe('done')
      expect(guard.watchdog.state.turns).toBe(1)
    }
  })

  test('shares a watch between the runs of one thread', async () => {
    const guard = watch()
    const ask = async (thread: string) =>
      (await runner.run(shared(guard), 'Find it.', guard.optionsFor(thread))).finalOutput
    for (let round = 0; round < 5; round++) await ask('anna')
    expect(await ask('ben')).toBe('done')
    expect(await ask('anna')).toMatch(/^Stopped by the watchdog \(loop\)/)
    expect([guard.watchdogOf('anna'), guard.watchdogOf('ben')].map(of => of?.state.ended)).toEqual([
      'loop',
      undefined,
    ])
  })
})

test('a person is asked outside the run, which continues with the answer', async () => {
  const guard = watch({ thread: 'ticket-44', policy: REVIEW })
  const tools = [guard.tool({ ...shape, name: 'search', execute: () => 'nothing' })]
  const model = asking(['search'], ['search'], ['search'], ['search'])
  const agent = new Agent({ name: 'a', model, tools })
  const asked = await runner.run(agent, 'Find it.', guard.options)
  expect(guard.question).toMatch(/^The agent is stuck: search ran 3 times/)
  expect(asked.finalOutput).toBe(guard.question)
  guard.watchdog.resolveReview('dismiss', Date.now())
  const input: AgentInputItem[] = [...asked.history, { role: 'user', content: 'Go on.' }]
  expect((await runner.run(agent, input, guard.options)).finalOutput).toBe('done')
  expect(guard.question).toBeUndefined()
})
