/** `createAgent` and `extends: agent`: one graph, written in TypeScript or YAML. */
import { ChatOpenAI } from '@langchain/openai'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { lint } from '../../src/core/graph/lint/lint.ts'
import { parseSpec, safeParseSpec } from '../../src/core/graph/spec/read.ts'
import { createAgent } from '../../src/host/definition/create-agent.ts'
import { type AnyModel, UnknownModel } from '../../src/host/definition/model-from.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { tool } from '../../src/kit/tool.ts'
import type { InputOf, OutputOf } from '../../src/runtime/ports.ts'
import { calls, fails, modelOf, play, says } from '../../src/testing.ts'

const stock = tool({
  name: 'stock',
  description: 'How many of an article are left.',
  effects: 'read',
  inputSchema: z.object({ article: z.string() }),
  execute: async ({ article }) => ({ article, left: 3 }),
})
const shop = createAgent({
  id: 'shop',
  model: modelOf([says('unused')]),
  instructions: 'You answer questions about a shop for clocks.',
  tools: { stock },
})

describe('an agent', () => {
  test('plans, acts, observes and answers', async () => {
    const played = await play(shop, {
      input: { goal: 'How many clocks are left?' },
      model: [calls('stock', { article: 'clock' }), says('Three.')],
    })
    expect(played.outcome).toBe('success')
    expect(played.output).toEqual({ answer: 'Three.' })
  })

  test.each([['gpt-4o'], [undefined], [{}], [null]])('rejects the model %j', value => {
    const model = value as unknown as AnyModel
    expect(() => createAgent({ id: 'shop', model })).toThrow(UnknownModel)
    expect(() => createAgent({ id: 'shop', model, smarter: modelOf([]) })).toThrow(UnknownModel)
    const smarter = value as unknown as AnyModel
    if (value)
      expect(() => createAgent({ id: 'shop', model: modelOf([]), smarter })).toThrow(UnknownModel)
  })

  test.each([3, undefined])('sends the model at most `history` messages (%j)', async history => {
    const counts: number[] = []
    const model = {
      ...{ id: 'm', timeout: 60_000 },
      async ask({ messages }: { messages: readonly unknown[] }) {
        counts.push(messages.length)
        return { text: 'Three.', calls: [] }
      },
    }
    const agent = createAgent({ id: 'a', model, ...(history && { history }) })
    const runtime = createRuntime({ store: memoryStore(), graphs: [agent] })
    const thread = await runtime.start(agent, { goal: 'one' })
    for (const goal of ['two', 'three', 'four']) {
      await thread.result()
      await thread.send({ goal })
    }
    await thread.result()
    await runtime.close()
    expect(counts).toEqual(history ? [1, 3, 3, 3] : [1, 3, 5, 7])
  })

  test.each([1, 2.5, '10', null])('rejects the history %j', history => {
    const agent = () => createAgent({ id: 'a', model: modelOf([]), history: history as number })
    expect(agent).toThrow('history: expected a whole number of at least 2')
  })

  test.each(['nodes', 'start', 'machine', 'channels', 'models'])('rejects the key %s', key => {
    const more = { [key]: { plan: { history: 100 } } } as object
    expect(() => createAgent({ id: 'a', model: modelOf([]), ...more })).toThrow(
      `${key}: comes from createAgent; remove it, or use defineGraph`,
    )
  })

  test('takes a model of LangChain and a smarter one', () => {
    const model = new ChatOpenAI({ model: 'gpt-4o-mini', apiKey: 'sk-test' })
    const smarter = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'sk-test' })
    const { spec } = createAgent({ id: 'shop', model, smarter })
    expect(spec.models.model).toMatchObject({ id: 'gpt-4o-mini', smarter: 'smarter' })
  })

  test('rejects a limit of money without a price', () => {
    const model = modelOf([])
    const limited = (more: object) =>
      createAgent({ id: 'shop', model, limits: { usd: 1 }, ...more })
    expect(() => limited({})).toThrow(
      "limits.usd: has no effect, because the model 'model' has no price: pass modelFrom(",
    )
    expect(() => limited({ limits: { round: { usd: 1 } } })).toThrow(/^limits\.round\.usd: has no/)
    const scopes = { customer: { usd: 1 } }
    expect(() => limited({ limits: { scopes } })).toThrow(/^limits\.scopes\.customer\.usd: has no/)
    const price = { input: 1, output: 1 }
    expect(() => limited({ model: { ...model, price } })).not.toThrow()
    expect(() => limited({ model: { model, price } })).not.toThrow()
    expect(() => limited({ accept: ['unused limits.usd'] })).not.toThrow()
  })

  test('has typed input and output', () => {
    expectTypeOf<InputOf<typeof shop>>().toEqualTypeOf<{ readonly goal: string }>()
    expectTypeOf<OutputOf<typeof shop>>().toEqualTypeOf<{ readonly answer: string }>()
  })

  test('answers without tools after it repeats itself', async () => {
    const played = await play(shop, {
      input: { goal: 'How many clocks are left?' },
      model: [
        calls('stock', { article: 'clock' }),
        calls('stock', { article: 'clock' }),
        calls('stock', { article: 'clock' }),
        says('I could not find out.'),
      ],
      tools: { stock: fails(503) },
    })
    expect(played.escapes[0]).toMatchObject({ rung: 'alternative', to: 'conclude' })
    expect(played.output).toEqual({ answer: 'I could not find out.' })
    expect(played.outcome).toBe('failure')
    expect(played.because).toBe(
      'the graph ended in a failure state: stock failed 3 times: HTTP 503',
    )
  })

  test('names its first error if the way out meets the same one', async () => {
    const unknown = { name: 'APICallError', message: 'Cannot connect to API: bad port' }
    const input = { goal: 'How many clocks are left?' }
    const down = await play(shop, { input, model: fails(unknown, 'always') })
    expect([down.outcome, down.because]).toEqual([
      ...['stopped', "node 'plan' failed: Cannot connect to API: bad port"],
    ])
    const other = await play(shop, {
      input,
      model: [{ fail: unknown }, { fail: { name: 'APICallError', message: 'no tools here' } }],
    })
    expect(other.because).toBe("node 'conclude' failed: no tools here")
    const loop = [1, 2, 3].map(() => calls('stock', { article: 'clock' }))
    const stuck = await play(shop, {
      input,
      model: [...loop, { fail: unknown }],
      tools: { stock: fails(503) },
    })
    expect(stuck.because).toBe("node 'conclude' failed: Cannot connect to API: bad port")
  })

  test('returns a structured result', async () => {
    const judge = createAgent({
      id: 'judge',
      model: modelOf([says('unused')]),
      output: z.object({ verdict: z.enum(['good', 'bad']), score: z.number() }),
    })
    const played = await play(judge, {
      input: { goal: 'Judge it.' },
      model: [calls('submit_result', { verdict: 'good', score: 3 })],
    })
    expect(played.output).toEqual({ verdict: 'good', score: 3 })
  })

  test('accepts a conversation in the format of a chat API', async () => {
    const requests: string[][] = []
    const scripted = modelOf([says('one'), says('two'), says('three')])
    const chat = createAgent({
      id: 'chat',
      model: {
        ...scripted,
        ask: (request, call) => {
          requests.push(request.messages.map(({ role, content }) => `${role}: ${content}`))
          return scripted.ask(request, call)
        },
      },
    })
    const runtime = createRuntime({ store: memoryStore(), graphs: [chat] })
    const thread = await runtime.start(chat, { goal: 'First?' })
    expect((await thread.result()).output).toEqual({ answer: 'one' })
    for (const [goal, answer] of [
      ['Second?', 'two'],
      ['Third?', 'three'],
    ] as const) {
      await thread.send({ goal })
      expect((await thread.result()).output).toEqual({ answer })
    }
    expect(requests.at(-1)).toEqual([
      'user: First?',
      'assistant: one',
      'user: Second?',
      'assistant: two',
      'user: Third?',
    ])
    await runtime.close()
  })

  test('in YAML is the same graph', () => {
    const { models, tools, description, ...spec } = parseSpec({
      escapement: 1,
      extends: 'agent',
      id: 'shop',
      instructions: 'You answer questions about a shop for clocks.',
      models: { model: { id: 'scripted' } },
      tools: { stock: { use: './tools.ts#stock' } },
    })
    expect(shop.spec).toMatchObject(JSON.parse(JSON.stringify(spec)))
  })

  test('in YAML takes `history` for both of its model nodes', () => {
    const { nodes } = parseSpec({
      ...{ escapement: 1, extends: 'agent', id: 'shop', history: 200 },
      models: { model: { id: 'scripted' } },
    })
    expect(nodes).toMatchObject({ plan: { history: 200 }, conclude: { history: 200 } })
  })

  test('plans once with its smarter model when it repeats itself', async () => {
    const asked: string[] = []
    const model = modelOf(Array.from({ length: 9 }, () => calls('stock', { article: 'clock' })))
    const smarter = modelOf([says('Three.')])
    const ask: typeof smarter.ask = (request, call) => {
      asked.push('smarter')
      return smarter.ask(request, call)
    }
    const twice = createAgent({
      id: 'twice',
      model,
      smarter: { ...smarter, id: 'smarter', ask },
      tools: { stock },
    })
    const runtime = createRuntime({ store: memoryStore(), graphs: [twice] })
    const thread = await runtime.start(twice, { goal: 'How many clocks are left?' })
    expect((await thread.result()).output).toEqual({ answer: 'Three.' })
    expect(asked).toEqual(['smarter'])
    await runtime.close()
  })

  test('asks a person with the question of the tool if the coerced arguments require it', async () => {
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      effects: 'write',
      inputSchema: z.object({ amount: z.coerce.number() }),
      confirm: ({ amount }) => amount > 100 && `Pay ${amount}?`,
      execute: ({ amount }) => ({ paid: amount }),
    })
    const model = modelOf([calls('pay', { amount: '450' }), says('Done.')])
    const desk = createAgent({ id: 'desk', model, tools: { pay } })
    const runtime = createRuntime({ store: memoryStore(), graphs: [desk] })
    const thread = await runtime.start(desk, { goal: 'Pay it.' })
    const questions: string[] = []
    for await (const event of thread.events())
      if (event.type === 'question') {
        questions.push(...event.questions.map(({ question }) => question))
        break
      }
    expect(questions).toEqual(['Pay 450?'])
    await runtime.close()
  })

  test('sends its model the built-in rules, custom rules, or none', async () => {
    const systemWith = async (options: { preamble?: string | false }) => {
      const systems: string[] = []
      const scripted = modelOf([says('Yes.')])
      const ask: typeof scripted.ask = (request, call) => {
        systems.push(request.system)
        return scripted.ask(request, call)
      }
      const model = { ...scripted, ask }
      const agent = createAgent({ id: 'rules', model, instructions: 'Help.', ...options })
      const runtime = createRuntime({ store: memoryStore(), graphs: [agent] })
      await (await runtime.start(agent, { goal: 'Is it?' })).result()
      await runtime.close()
      return systems[0]
    }
    expect(await systemWith({})).toMatch(/^Help\.\n\nRules that always apply/)
    expect(await systemWith({ preamble: 'My rules.' })).toBe('Help.\n\nMy rules.')
    expect(await systemWith({ preamble: false })).toBe('Help.')
  })

  test.each([
    [{ extends: 'agnt' }, 'extends'],
    [{ nodes: { a: { final: 'success' } } }, 'nodes'],
    [{ start: 'plan' }, 'start'],
    [{ instructions: 7 }, 'instructions'],
    [{ preamble: true }, 'preamble'],
    [{ tools: ['stock'] }, 'tools'],
    [{ models: {} }, 'models'],
    [{ model: 'slow' }, 'model'],
    [{ output: ['answer'] }, 'output'],
    [{ history: 1 }, 'history'],
  ])('in YAML names the path of a fault: %j', (wrong, path) => {
    const parsed = safeParseSpec({
      escapement: 1,
      extends: 'agent',
      id: 'shop',
      models: { fast: { id: 'm' } },
      ...wrong,
    })
    expect(parsed.success ? [] : parsed.error.issues.map(issue => issue.path)).toEqual([path])
  })

  test('has no lint errors', () => {
    expect(lint(shop.spec).filter(({ severity }) => severity === 'error')).toEqual([])
  })
})
