/** `escapement/testing`: plays of graphs on virtual time, and matchers for their results. */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { loadSpec } from '../../src/adapters/spec/library.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { createAgent } from '../../src/host/definition/create-agent.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { calls, fails, hangs, modelOf, play, repeats, returns, says } from '../../src/testing.ts'
import '../../src/testing/vitest.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A model that must be replaced. */
const none = () => modelOf([fails('no-model')])

async function shipped(name: string): Promise<Graph> {
  const { spec } = await loadSpec(`${ROOT}/graphs/${name}.yaml`)
  if (!spec) throw new Error(name)
  return bindGraph(spec, { workspace: ROOT, model: none })
}

const ask = calls('search_docs', { query: 'tests' })
const done = calls('attempt_completion', { result: 'npm test' })

describe('a model with a script', () => {
  test('runs its steps in order, and the run reaches its goal', async () => {
    const played = await play(await shipped('agent'), {
      input: {},
      model: [ask, { say: 'I look.', calls: [{ tool: 'list_dir', args: { path: '.' } }] }, done],
      tools: { search_docs: returns('nothing'), list_dir: returns(['README.md']) },
    })
    expect(played).toReachGoal()
    expect(played.output).toMatchObject({ answer: { result: 'npm test' } })
    expect(played.calls.map(({ tool }) => tool)).toEqual([
      'search_docs',
      'list_dir',
      'attempt_completion',
    ])
    expect(played.spent.modelCalls).toBe(3)
    expect(played).not.toFind('loop')
  })

  test('of one step answers every call with it', async () => {
    const lookUp = tool({
      description: 'Looks up.',
      inputSchema: z.object({}),
      effects: 'read',
      execute: () => 1,
    })
    for (const step of [says('Done.'), repeats(says('Done.'))]) {
      const agent = createAgent({ id: 'a', model: modelOf(step), tools: { lookUp } })
      for (const input of [{ goal: 'one' }, { goal: 'two' }])
        expect(await play(agent, { input })).toReachGoal()
    }
  })

  test('that repeats itself is found, and the run escapes', async () => {
    const played = await play(await shipped('agent'), {
      input: {},
      model: [{ ...done, when: { lesson: 'search_docs' } }, repeats(ask)],
      tools: { search_docs: returns('nothing') },
    })
    expect(played).toFind('loop')
    expect(played).toEscapeBy('alternative', { to: 'replan' })
    expect(played).toReachGoal()
  })

  test('fails as often as the script says in total, including retries', async () => {
    const played = await play(await shipped('agent'), {
      input: {},
      model: [fails(503, 2), ask, done],
      tools: { search_docs: returns('nothing') },
    })
    expect(played).toReachGoal()
    expect(played.events.filter(({ event }) => event.type === 'model.failed')).toHaveLength(2)
    expect(played.took).toBeGreaterThan(0)
  })

  test('without a step left reports how often each was used', async () => {
    const played = await play(await shipped('agent'), { input: {}, model: [ask] })
    expect(played.outcome).not.toBe('success')
    expect(JSON.stringify(played.events)).toContain(
      'the script has no turn for this request. Used so far: 1: 1/1.',
    )
    const none = await play(await shipped('agent'), { input: {}, model: [] })
    expect(JSON.stringify(none.events)).toContain('for this request. It is empty. Last message')
  })

  test('that is not configured opens no breaker', async () => {
    const noKey = async () => {
      throw Object.assign(new Error('the key is missing'), { name: 'AI_LoadAPIKeyError' })
    }
    for (const model of [
      { id: 'small', keyFrom: 'NO_SUCH_KEY' },
      { ...none(), ask: noKey },
    ]) {
      const played = await play(createAgent({ id: 'shop', model }), { input: { goal: 'Hello.' } })
      expect(played.events.some(({ event }) => event.type === 'model.failed')).toBe(true)
      expect(played.run.openBreakers).toEqual({})
    }
  })

  test('may answer with an empty text, as real models do', async () => {
    const agent = createAgent({ id: 'shop', model: none() })
    const script = { input: { goal: 'Hello.' }, model: [says(''), says('Hello.')] }
    expect((await play(agent, script)).output).toEqual({ answer: 'Hello.' })
  })

  test('is validated, with the path of a fault', async () => {
    const agent = await shipped('agent')
    await expect(play(agent, { input: {}, model: [{}] })).rejects.toThrow(
      '[0]: expected say, calls, fail or hang',
    )
  })
})

describe('a tool with a script', () => {
  test('keeps its schema: invalid arguments never reach the script', async () => {
    const played = await play(await shipped('agent'), {
      input: {},
      model: [calls('list_dir', { path: 7 }), done],
      tools: { list_dir: [] },
    })
    expect(played.calls).toMatchObject([
      { tool: 'list_dir', args: { path: 7 }, attempts: 0, failure: { name: 'InvalidArguments' } },
      { tool: 'attempt_completion', attempts: 1 },
    ])
    expect(played).not.toHaveCalled('list_dir')
  })

  test('that hangs times out without real time', async () => {
    const began = performance.now()
    const played = await play(await shipped('agent'), {
      input: {},
      model: [ask, done],
      tools: { search_docs: [hangs(3)] },
    })
    expect(played).toHaveCalled('search_docs', { times: 1, with: { query: 'tests' } })
    expect(played.calls[0]).toMatchObject({
      attempts: 3,
      failure: { name: 'TimeoutError', message: 'no answer within 30000 ms' },
    })
    expect(played.took).toBeGreaterThan(90_000)
    expect(performance.now() - began).toBeLessThan(20_000)
  })

  test('that its breaker refuses is a call without an attempt', async () => {
    const look = tool({
      description: 'Looks.',
      inputSchema: z.object({ at: z.number() }),
      effects: 'read',
      breaker: { threshold: 1, reset: '1h' },
      execute: async () => 'seen',
    })
    const refused = await play(createAgent({ id: 'looking', model: none(), tools: { look } }), {
      input: { goal: 'Look.' },
      model: [calls('look', { at: 1 }), calls('look', { at: 2 }), says('It is away.')],
      tools: { look: fails(503) },
    })
    expect(refused.calls.at(-1)).toMatchObject({
      ...{ tool: 'look', args: { at: 2 }, attempts: 0 },
      failure: { message: expect.stringContaining('breaker of look is open') },
    })
  })

  test('may be a function, and fails after its steps are used up', async () => {
    const played = await play(await shipped('agent'), {
      input: {},
      model: [ask, ask, done],
      tools: { search_docs: [fails(503, 2), returns('found')] },
    })
    expect(played.calls[0]).toMatchObject({ attempts: 3, result: 'found' })
    expect(played.calls[1]?.failure?.message).toContain(
      "the script of the tool 'search_docs' is used up after 3 calls",
    )
    const echoed = await play(await shipped('agent'), {
      input: {},
      model: [ask, done],
      tools: { search_docs: async args => args },
    })
    expect(echoed.calls[0]?.result).toEqual({ query: 'tests' })
  })
})

test('a play spends in the scopes of its keys', async () => {
  const scopes = { customer: { per: '1h', steps: 9 } }
  const value = { nodes: { A: { use: 'pass', on: { done: 'E' } }, E: { final: 'success' } } }
  const { spec } = readSpec({ escapement: 1, id: 'shop', start: 'A', ...value, limits: { scopes } })
  const graph = bindGraph(spec as NonNullable<typeof spec>, { workspace: ROOT, model: none })
  const played = await play(graph, { input: {}, keys: { customer: 'Ada' } })
  expect(played.run.policy.limits.scopes?.customer?.key).toBe('Ada')
})

describe('questions', () => {
  const draft = says('We are out.')

  test('are answered in order', async () => {
    const played = await play(await shipped('approval'), {
      input: { topic: 'a release' },
      model: draft,
      answers: [{ decision: 'rejected', output: { notes: 'shorter' } }, 'approved'],
    })
    expect(played).toReachGoal()
    expect(played.spent.modelCalls).toBe(2)
  })

  for (const [name, answers] of [
    ['no answers', undefined],
    ['an empty list', []],
    ['a function without an answer', () => undefined],
  ] as const)
    test(`end the play with ${name}`, async () => {
      const played = await play(await shipped('approval'), {
        input: { topic: 'a release' },
        model: draft,
        ...(answers && { answers }),
      })
      expect(played.outcome).toBeUndefined()
      expect(played.questions).toMatchObject([{ about: 'node' }])
      expect(played.because).toContain('waits in approve: ')
      expect(played.took).toBeLessThan(60_000)
    })

  test('about calls end the play: an approval, and a write with an unknown result', async () => {
    const pay = (more: object) =>
      createAgent({
        id: 'shop',
        model: none(),
        tools: {
          pay: tool({
            description: 'Pays.',
            inputSchema: z.object({ amount: z.number() }),
            effects: 'write',
            execute: async () => 'paid',
            ...more,
          }),
        },
      })
    const script = {
      input: { goal: 'Pay.' },
      model: [calls('pay', { amount: 450 }), says('Paid.')],
    }
    const approval = await play(pay({ confirm: () => 'Pay?' }), script)
    expect([approval.outcome, approval.questions[0]?.question]).toEqual([undefined, 'Pay?'])
    expect(approval.calls).toEqual([])
    expect(approval.because).toMatch(/^waits in act: /)
    const rejected = await play(pay({ confirm: () => 'Pay?' }), {
      ...script,
      answers: ['rejected'],
    })
    expect(rejected.calls).toMatchObject([
      {
        args: { amount: 450 },
        attempts: 0,
        failure: { name: 'NotAllowed', message: 'a person rejected this call of pay' },
      },
    ])
    expect(rejected).not.toHaveCalled('pay')
    const nameless = await play(pay({}), { ...script, model: [calls('nope'), says('Paid.')] })
    expect(nameless.calls).toMatchObject([
      { tool: 'nope', attempts: 0, failure: { message: "unknown tool 'nope'; known tools: pay" } },
    ])
    const wrong = await play(pay({}), { ...script, model: [calls('pay'), says('Paid.')] })
    expect(wrong.calls[0]?.failure?.message).toMatch(/^pay: amount: /)
    expect(() => expect(wrong).toHaveCalled('pay')).toThrow(
      /\nCalls: none\.\nNot made: pay \{\} \(pay: amount: .+\)\.\nEscapes: /,
    )
    const unknown = await play(pay({}), { ...script, tools: { pay: hangs() } })
    expect([unknown.outcome, unknown.questions[0]?.about]).toEqual([undefined, 'call'])
  })

  test.each([[['applied']], [() => 'applied' as const]])(
    'with an answer that does not fit are an error',
    async answers => {
      const options = { input: { topic: 'a release' }, model: draft, answers } as const
      await expect(play(await shipped('approval'), options as never)).rejects.toThrow(
        /^answers: "applied" does not fit the question '.+': question 'approve#1' expects one of: approved, rejected, /,
      )
    },
  )

  test("with the answer 'expired' wait for their deadline", async () => {
    const played = await play(await shipped('approval'), {
      input: { topic: 'a release' },
      model: draft,
      answers: ['expired'],
    })
    expect([played.outcome, played.because]).toEqual([
      'failure',
      'the review expired without an answer',
    ])
    expect(played.took).toBe(86_400_000)
  })

  test('of a child graph are answered by the script of the play', async () => {
    const bound = (value: object, graphs: Readonly<Record<string, Graph>> = {}) => {
      const { spec, faults } = readSpec(value)
      if (!spec) throw new Error(JSON.stringify(faults))
      return bindGraph(spec, { workspace: ROOT, model: none, graphs })
    }
    const below = bound({
      escapement: 1,
      id: 'below',
      start: 'look',
      channels: { found: { default: null } },
      tools: { look: { use: 'flaky' } },
      nodes: {
        look: {
          use: 'tool',
          tool: 'look',
          args: {},
          out: { found: 'article' },
          on: { done: 'ask' },
        },
        ask: {
          use: 'human',
          question: 'Good?',
          deadline: '1h',
          on: { 'human.approved': 'end', 'human.rejected': 'no', 'human.edited': 'end' },
        },
        end: { final: 'success' },
        no: { final: 'failure' },
      },
      output: ['found'],
    })
    const above = {
      escapement: 1,
      id: 'above',
      start: 'run',
      graphs: { below: './below.yaml' },
      channels: { found: { default: null } },
      nodes: {
        run: { use: 'graph', graph: 'below', out: ['found'], on: { done: 'end' } },
        end: { final: 'success' },
      },
      output: ['found'],
    }
    const script = { input: {}, tools: { look: returns({ article: 'a clock' }) } }
    const open = await play(bound(above, { below }), script)
    expect([open.outcome, open.questions[0]?.question]).toEqual([undefined, 'Good?'])
    const played = await play(bound(above, { below }), {
      ...script,
      answers: question => (question.question === 'Good?' ? 'approved' : undefined),
    })
    expect(played).toReachGoal()
    expect(played.output).toEqual({ found: 'a clock' })
  })

  test('without a deadline stay open', async () => {
    const { spec } = readSpec({
      escapement: 1,
      id: 'ask',
      start: 'ask',
      nodes: {
        ask: {
          use: 'human',
          question: 'Go on?',
          deadline: 'none',
          on: { 'human.approved': 'end', 'human.rejected': 'end', 'human.edited': 'end' },
        },
        end: { final: 'success' },
      },
    })
    if (!spec) return
    const played = await play(bindGraph(spec, { workspace: ROOT, model: none }), { input: {} })
    expect(played.outcome).toBeUndefined()
    expect(played.questions).toMatchObject([{ question: 'Go on?' }])
    expect(() => expect(played).toReachGoal()).toThrow('It is open: waits in ask: Go on?.')
  })
})

describe('matchers', () => {
  test('describe the result in their message', async () => {
    const played = await play(await shipped('agent'), {
      input: {},
      model: [{ ...done, when: { lesson: 'search_docs' } }, repeats(ask)],
      tools: { search_docs: returns('nothing') },
    })
    expect(() => expect(played).toHaveCalled('search_docs', { times: 1 })).toThrow(
      /expected the run to call search_docs 1 times; it did \d+ times\nIt ended with success: the goal is reached\.\nCalls: search_docs × \d+, attempt_completion × 1\.\nEscapes: alternative to replan\.\nFindings: loop \(/,
    )
    expect(() => expect(played).not.toReachGoal()).toThrow('expected the run not to reach its goal')
  })

  test('reject anything but the result of a play', () => {
    for (const value of [{}, undefined, play])
      for (const matcher of ['toReachGoal', 'toFind', 'toHaveCalled', 'toEscapeBy'] as const)
        expect(() => (expect(value)[matcher] as (of?: string) => void)('loop')).toThrow(
          'expected the result of a play: expect(await play(graph, …))',
        )
  })

  test('reject names that the graph lacks', async () => {
    const agent = await shipped('agent')
    await expect(play(agent, { input: {}, tools: { serch: returns(1) } })).rejects.toThrow(
      'tools.serch: the graph has no tool of this name; expected one of list_dir, read_file, grep',
    )
  })
})
