/** A model that judges one item after the other may answer alike. An agent whose prompt differs only by what it said itself repeats itself. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bindGraph } from '../src/kit/bind/bind.ts'
import { parseSpec } from '../src/core/graph/spec/read.ts'
import type { ModelAnswer, Message } from '../src/runtime/model-message.ts'
import type { ModelRequest } from '../src/runtime/ports.ts'
import { node } from '../src/kit/nodes/node.ts'
import { tool } from '../src/kit/tool.ts'
import { play } from '../src/testing/play.ts'
import type { Json } from '../src/core/watch/data/json.ts'

const LAPS = 40
const WORDS = 'amber birch cedar dune ember fjord grove heath inlet jetty knoll ledge'.split(' ')
const comment = (n: number) => `I like the ${WORDS[n % 12]} and the ${WORDS[(n * 5) % 12]}, ${n}.`
const LONG = 'The comment is friendly, and it contains neither advertising nor an insult. '.repeat(
  5,
)

type Answer = (n: number, by: string) => string
type Ask = (request: Pick<ModelRequest, 'messages'> & Partial<ModelRequest>) => Promise<ModelAnswer>

/** The number of answers of `judge` at the first finding of a graph that only observes; `undefined` without a finding. */
async function foundAt(
  nodes: Readonly<Record<string, object>>,
  code: Readonly<Record<string, (ask: Ask) => Promise<Json>>>,
  answer: Answer,
  given = giving(comment),
): Promise<number | undefined> {
  const spec = parseSpec({
    ...{ escapement: 1, id: 'judging', start: Object.keys(nodes)[0], mode: 'observe' },
    models: { judge: { id: 'any' }, writer: { id: 'any' } },
    limits: { steps: 4 * LAPS },
    tools: { next: { use: 'code', effects: 'read' } },
    channels: {
      goal: { default: 'Judge the comments.' },
      messages: { reducer: 'append', type: 'object' },
      item: { default: null },
      verdict: { default: null },
      draft: { default: null },
    },
    nodes: { ...nodes, end: { final: 'success' } },
  })
  const asked: Record<string, number> = {}
  const model = (by: string) => ({
    ...{ id: by, timeout: 1_000 },
    async ask() {
      const times = (asked[by] ?? 0) + 1
      asked[by] = times
      return { text: answer(times, by), calls: [] }
    },
  })
  const bound = Object.entries(code).map(([name, run]) => [
    name,
    node({ models: ['judge', 'writer'] }, ({ ask }) =>
      run(request => ask.judge({ system: 'Is it spam?', tools: [], ...request })),
    ),
  ])
  const next = tool({
    ...{ description: 'Gives an item.', effects: 'read', inputSchema: z.looseObject({}) },
    execute: () => given(),
  })
  const own = { nodes: Object.fromEntries(bound), model, tools: { next } }
  const graph = bindGraph(spec, own)
  const { events } = await play(graph, { input: {} })
  let answers = 0
  for (const { event, findings } of events) {
    if (event.type === 'model.done' && event.subject === 'judge') answers++
    if (findings.some(({ kind }) => kind !== 'budget')) return answers
  }
  return undefined
}

/** A node in code that gives the next item, and then ends. */
const giving = (of: (n: number) => Json) => {
  let n = 0
  return async () => {
    n++
    return n > LAPS ? { item: null } : { item: of(n) }
  }
}
const NEXT = {
  ...{ use: 'code', out: { item: 'item' }, when: { empty: 'output.item == null' } },
  on: { done: 'judge', 'done.empty': 'end' },
}
const JUDGE = {
  ...{
    use: 'model',
    model: 'judge',
    prompt: 'Is it spam?',
    in: ['item'],
    out: { verdict: 'text' },
  },
  on: { done: 'next' },
}
const user = (content: string): Message => ({ role: 'user', content })

const VERDICTS: readonly (readonly [string, Answer])[] = [
  ['a label', () => 'harmless'],
  ['a sentence', () => 'The comment is harmless and contains no advertising.'],
  ['a long sentence', () => 'The comment is harmless, and it contains no advertising of any kind.'],
  ['a record', () => '{"spam":false}'],
  ['a paragraph', () => LONG],
  [
    'two sentences',
    n => (n % 4 ? 'The comment is harmless.' : 'The comment advertises a product.'),
  ],
]

const ITEMS: readonly (readonly [string, (n: number) => Json])[] = [
  ['texts', comment],
  ['records that differ in numbers', n => ({ amount: 1000 + ((n * 7919) % 977), currency: 'eur' })],
  ['records with counted ids', n => ({ id: 7000 + n, text: comment(n) })],
]

test.each(
  VERDICTS.flatMap(([shown, answer]) =>
    ITEMS.map(([items, of]) => [shown, items, answer, of] as const),
  ),
)('a judge that answers by %s to %s of a node in code is left alone', async (_, __, answer, of) => {
  expect(await foundAt({ next: NEXT, judge: JUDGE }, { next: giving(of) }, answer)).toBeUndefined()
})

test.each(VERDICTS)('a judge of what a tool returns is left alone: %s', async (_, answer) => {
  const nodes = { next: { ...NEXT, use: 'tool', tool: 'next' }, judge: JUDGE }
  expect(await foundAt(nodes, {}, answer)).toBeUndefined()
})

test('a judge whose verdicts are stored by a node in code is left alone', async () => {
  const nodes = {
    next: NEXT,
    judge: { ...JUDGE, on: { done: 'save' } },
    save: { use: 'code', in: ['item', 'verdict'], on: { done: 'next' } },
  }
  const code = { next: giving(comment), save: async () => ({}) }
  expect(await foundAt(nodes, code, () => 'The comment is harmless.')).toBeUndefined()
})

const ALL = { all: { use: 'code', on: { done: 'end' } } }
const each = (ask: (n: number) => Promise<unknown>) => async () => {
  for (let n = 1; n <= LAPS; n++) await ask(n)
  return {}
}

test.each(VERDICTS)(
  'a node in code that asks about many items is left alone: %s',
  async (_, answer) => {
    const one = (ask: Ask) => (n: number) => ask({ messages: [user(comment(n))] })
    const all = async (ask: Ask) => each(one(ask))()
    expect(await foundAt(ALL, { all }, answer)).toBeUndefined()
  },
)

test.each<[name: string, all: (ask: Ask) => Promise<Json>]>([
  [
    'at once',
    async ask => {
      const items = Array.from({ length: LAPS }, (_, n) => ask({ messages: [user(comment(n))] }))
      await Promise.all(items)
      return {}
    },
  ],
  [
    'in its system prompt',
    ask => each(n => ask({ system: `Is it spam? ${comment(n)}`, messages: [user('Judge.')] }))(),
  ],
  [
    'before a last instruction',
    ask => each(n => ask({ messages: [user(comment(n)), user('Answer in one word.')] }))(),
  ],
  [
    'in one conversation',
    ask => {
      const messages: Message[] = []
      return each(async n => {
        messages.push(user(comment(n)))
        const { text } = await ask({ messages: [...messages] })
        messages.push({ role: 'assistant', content: text, calls: [] })
      })()
    },
  ],
])('a node in code that asks about many items %s is left alone', async (_, all) => {
  expect(await foundAt(ALL, { all }, () => 'The comment is harmless.')).toBeUndefined()
})

test('a node in code that asks about one item each time it is entered is left alone', async () => {
  let n = 0
  const next = async (ask: Ask) => {
    n++
    if (n <= LAPS) await ask({ messages: [user(comment(n))] })
    return { item: n > LAPS ? null : 'done' }
  }
  const nodes = { next: { ...NEXT, on: { done: 'next', 'done.empty': 'end' } } }
  expect(await foundAt(nodes, { next }, () => 'The comment is harmless.')).toBeUndefined()
})

const SAME: Answer = () => 'I will look at the plan once more.'
const HISTORY = {
  ...{ use: 'model', model: 'judge', in: ['goal', 'messages'], out: { messages: 'message' } },
}

test.each<
  [
    name: string,
    nodes: Readonly<Record<string, object>>,
    code: Readonly<Record<string, (ask: Ask) => Promise<Json>>>,
    at: number,
  ]
>([
  ['whose history grows by it', { judge: { ...HISTORY, on: { done: 'judge' } } }, {}, 3],
  [
    'beside a node in code that returns the same',
    { judge: { ...HISTORY, on: { done: 'next' } }, next: NEXT },
    { next: giving(() => 'go on') },
    3,
  ],
  [
    'beside a node in code that counts',
    { judge: { ...HISTORY, on: { done: 'next' } }, next: NEXT },
    { next: giving(n => n) },
    3,
  ],
  [
    'beside a node in code that returns the time',
    { judge: { ...HISTORY, on: { done: 'next' } }, next: NEXT },
    { next: giving(n => new Date(1.77e12 + n * 61_000).toISOString()) },
    3,
  ],
  [
    'in a node in code, whose history grows by it',
    ALL,
    {
      all: ask => {
        const messages: Message[] = [user('Make a plan.')]
        return each(async () => {
          const { text } = await ask({ messages: [...messages] })
          messages.push({ role: 'assistant', content: text, calls: [] }, user('Go on.'))
        })()
      },
    },
    // Its second prompt is the first with another message.
    4,
  ],
  [
    'in a node in code that counts its attempts',
    ALL,
    { all: ask => each(n => ask({ messages: [user(`Attempt ${n}: make a plan.`)] }))() },
    3,
  ],
  [
    'in a node in code that sends it back',
    ALL,
    {
      all: ask => {
        let last = 'Make a plan.'
        return each(async () => {
          last = (await ask({ messages: [user(last)] })).text
        })()
      },
    },
    3,
  ],
])('an agent that says the same is found %s', async (_, nodes, code, at) => {
  expect(await foundAt(nodes, code, SAME)).toBe(at)
})

test('a critic that says the same about each draft of a writer is found', async () => {
  const nodes = {
    write: {
      ...{ use: 'model', model: 'writer', in: { goal: 'verdict' }, out: { draft: 'text' } },
      on: { done: 'judge' },
    },
    judge: { ...JUDGE, in: { goal: 'draft' }, on: { done: 'write' } },
  }
  const answer: Answer = (n, by) => (by === 'writer' ? comment(n) : 'Please shorten it.')
  expect(await foundAt(nodes, {}, answer)).toBe(5)
})
