/** `createAgent` and `extends: agent`: the same graph, from TypeScript and from YAML. */
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import {
  createAgent,
  createRuntime,
  type InputOf,
  lint,
  memoryStore,
  type OutputOf,
  parseSpec,
  safeParseSpec,
  type SpecGraph,
  tool,
  virtualClock,
} from '../../src/index.ts'
import type { Model, ModelReply, ModelRequest } from '../../src/runtime/ports.ts'
import { stock } from '../types/shop.ts'

type Say = (request: ModelRequest, nth: number) => Partial<ModelReply>

/** A model that answers by a function, and keeps what it was asked. */
function modelThat(say: Say, id = 'scripted') {
  const asked: ModelRequest[] = []
  const model: Model = {
    id,
    timeout: 60_000,
    ask: async request => {
      asked.push(request)
      return { text: '', calls: [], ...say(request, asked.length) }
    },
  }
  return { model, asked }
}

const calls = (tool: string, args: object, nth: number) => ({
  calls: [{ id: `c${nth}`, tool, args: args as never }],
})

function runtimeOf(graph: SpecGraph) {
  return createRuntime({ store: memoryStore(), graphs: [graph], clock: virtualClock() })
}

const looksUp: Say = ({ messages }, nth) =>
  messages.at(-1)?.role === 'tool' ? { text: 'Three.' } : calls('stock', { article: 'clock' }, nth)

describe('an agent', () => {
  test('calls its tools and answers; its input is a goal, its output an answer', async () => {
    const { model, asked } = modelThat(looksUp)
    const shop = createAgent({ id: 'shop', model, tools: { stock }, instructions: 'Be brief.' })
    expectTypeOf<InputOf<typeof shop>>().toEqualTypeOf<{ goal: string }>()
    expectTypeOf<OutputOf<typeof shop>>().toEqualTypeOf<{ answer: string }>()
    const thread = await runtimeOf(shop).start(shop, { goal: 'How many?' })
    expect(await thread.result()).toMatchObject({
      outcome: 'success',
      output: { answer: 'Three.' },
    })
    expect(asked[0]?.system).toMatch(/^Be brief\.\n\nHow you use your tools:/)
  })

  test('goes on with the conversation in each round', async () => {
    const { model, asked } = modelThat((_, nth) => ({ text: `Answer ${nth}.` }))
    const chat = createAgent({ id: 'chat', model })
    const thread = await runtimeOf(chat).start(chat, { goal: 'Hello.' })
    await thread.result()
    await thread.send({ goal: 'And now?' })
    expect(await thread.result()).toMatchObject({ output: { answer: 'Answer 2.' } })
    expect(asked[1]?.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: Hello.',
      'assistant: Answer 1.',
      'user: And now?',
    ])
  })

  test('with schemas is told its input and ends with a result that fits', async () => {
    const wrong = { title: 'Clocks' }
    const { model, asked } = modelThat((_, nth) =>
      calls('attempt_completion', nth === 1 ? wrong : { ...wrong, pages: 3 }, nth),
    )
    const input = z.object({ topic: z.string() })
    const output = z.object({ title: z.string(), pages: z.number() })
    const author = createAgent({ id: 'author', model, input, output })
    expectTypeOf<InputOf<typeof author>>().toEqualTypeOf<{ topic: string }>()
    expectTypeOf<OutputOf<typeof author>>().toEqualTypeOf<{ title: string; pages: number }>()
    const thread = await runtimeOf(author).start(author, { topic: 'clocks' })
    expect(await thread.result()).toMatchObject({
      outcome: 'success',
      output: { title: 'Clocks', pages: 3 },
    })
    expect(asked[0]?.messages).toEqual([{ role: 'user', content: 'topic: clocks' }])
    expect(JSON.stringify(asked[1]?.messages)).toContain('pages: is missing; expected number')
  })

  test('that repeats itself takes its alternative, with the same task', async () => {
    const { model, asked } = modelThat(({ system }, nth) =>
      system.includes('What you tried before did not work')
        ? { text: 'I cannot tell.' }
        : calls('stock', { article: 'clock' }, nth),
    )
    const shop = createAgent({ id: 'shop', model, tools: { stock } })
    const thread = await runtimeOf(shop).start(shop, { goal: 'How many?' })
    expect(await thread.result()).toMatchObject({ output: { answer: 'I cannot tell.' } })
    expect(asked.at(-1)?.messages[0]).toMatchObject({ content: 'How many?' })
  })

  test('has its smart model think once before that', async () => {
    const { model } = modelThat((_, nth) => calls('stock', { article: 'clock' }, nth))
    const { model: smart, asked } = modelThat(() => ({ text: 'Three.' }), 'smart')
    const shop = createAgent({ id: 'shop', model, smart, tools: { stock } })
    const thread = await runtimeOf(shop).start(shop, { goal: 'How many?' })
    expect(await thread.result()).toMatchObject({ output: { answer: 'Three.' } })
    expect(asked).toHaveLength(1)
  })

  test('asks a person before a call that must be confirmed, with its question', async () => {
    const pays = tool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ amount: z.coerce.number() }),
      effects: 'write',
      confirm: ({ amount }) => amount > 100 && `Pay ${amount}?`,
      execute: ({ amount }) => ({ paid: amount }),
    })
    const { model } = modelThat(({ messages }, nth) =>
      messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : calls('pay', { amount: '450' }, nth),
    )
    const desk = createAgent({ id: 'desk', model, tools: { pay: pays } })
    const thread = await runtimeOf(desk).start(desk, { goal: 'Pay.' })
    for await (const event of thread.events())
      if (event.type === 'question') {
        expect(event.questions).toMatchObject([{ question: 'Pay 450?' }])
        return
      }
    expect.fail('no question was asked')
  })
})

describe('the spec of an agent', () => {
  const { model } = modelThat(() => ({}))

  test.each([
    ['that answers', createAgent({ id: 'a', model, tools: { stock } })],
    ['that has a result', createAgent({ id: 'a', model, output: z.object({ x: z.string() }) })],
    [
      'with review',
      createAgent({ id: 'a', model, review: { deadline: '4h' }, limits: { usd: 1 } }),
    ],
  ])('%s is clean', (_, graph) => {
    expect(lint(graph.spec)).toEqual([])
  })

  test('is the same in YAML', () => {
    const written = {
      escapement: 1,
      extends: 'agent',
      id: 'shop',
      instructions: 'Be brief.',
      model: 'scripted',
      tools: { read_file: { use: 'read_file' } },
      limits: { usd: 1 },
      review: { deadline: '4h', otherwise: 'continue' },
      preamble: false,
    }
    const { escapement: _, extends: __, model: ___, ...options } = written
    const graph = createAgent({
      ...options,
      model,
      preamble: false,
      review: { deadline: '4h', otherwise: 'continue' },
    })
    expect(parseSpec(written as unknown)).toEqual(graph.spec)
  })

  test('names what is wrong in YAML at its path', () => {
    const wrong = {
      escapement: 1,
      extends: 'agent',
      id: 'a',
      modle: 'x',
      output: { type: 'string' },
    }
    const parsed = safeParseSpec(wrong as unknown)
    expect(parsed.success ? [] : parsed.error.issues.map(({ path }) => path)).toEqual([
      'model',
      'output.type',
      'output.properties',
      'modle',
    ])
  })
})

test('the preamble of an agent can be replaced or switched off', async () => {
  const systemWith = async (preamble?: false | string) => {
    const { model, asked } = modelThat(() => ({ text: 'Yes.' }))
    const options = preamble === undefined ? {} : { preamble }
    const agent = createAgent({ id: 'a', model, instructions: 'Help.', ...options })
    await (await runtimeOf(agent).start(agent, { goal: 'x' })).result()
    return asked[0]?.system
  }
  expect(await systemWith()).toMatch(/^Help\.\n\nWhat holds always/)
  expect(await systemWith('My rules.')).toBe('Help.\n\nMy rules.')
  expect(await systemWith(false)).toBe('Help.')
})
