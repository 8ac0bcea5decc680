/** The conversation that a model receives over several rounds is what a chat API would send. */
import { expect, test } from 'vitest'
import { bindGraph, createRuntime, memoryStore, type Model, parseSpec } from '../../src/index.ts'

const CHAT = {
  escapement: 1,
  id: 'chat',
  start: 'plan',
  channels: { goal: { type: 'string' }, messages: { reducer: 'append', type: 'object' } },
  input: ['goal'],
  models: { fast: { id: 'fast' } },
  tools: { look: { use: 'list_dir' } },
  nodes: {
    plan: {
      use: 'model',
      model: 'fast',
      tools: ['look'],
      in: ['goal', 'messages'],
      out: { messages: 'message' },
      on: { 'done.command': 'act', 'done.answer': 'end' },
    },
    act: { use: 'tools', in: ['messages'], out: { messages: 'messages' }, on: { done: 'plan' } },
    end: { final: 'success' },
  },
} as const

async function conversation(questions: readonly string[], spec: object = CHAT) {
  const sent: (readonly string[])[] = []
  const fast: Model = {
    id: 'fast',
    timeout: 1_000,
    ask: async ({ messages }) => {
      sent.push(
        messages.map(({ role, content }) => (role === 'tool' ? role : `${role}: ${content}`)),
      )
      const call = { id: `c${sent.length}`, tool: 'look', args: {} }
      return sent.length % 2
        ? { text: 'Looking.', calls: [call] }
        : { text: `answer ${sent.length / 2}`, calls: [] }
    },
  }
  const graph = bindGraph(parseSpec(spec as unknown), { models: { fast } })
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph, { goal: questions[0] ?? '' })
  await thread.result()
  for (const goal of questions.slice(1)) {
    await thread.send({ goal })
    await thread.result()
  }
  await runtime.close()
  return sent
}

const lap = (n: number, question: string) => [
  `user: ${question}`,
  'assistant: Looking.',
  'tool',
  `assistant: answer ${n}`,
]

test('each question stands before its answers, in the order of the rounds', async () => {
  const sent = await conversation(['first', 'second', 'third'])
  expect(sent[4]).toEqual([...lap(1, 'first'), ...lap(2, 'second'), 'user: third'])
  expect(sent[5]).toEqual([...lap(1, 'first'), ...lap(2, 'second'), ...lap(3, 'third').slice(0, 3)])
})

test('the same question again is asked again', async () => {
  const sent = await conversation(['first', 'first'])
  expect(sent[2]).toEqual([...lap(1, 'first'), 'user: first'])
})

test('a short history keeps the question of the round', async () => {
  const nodes = { ...CHAT.nodes, plan: { ...CHAT.nodes.plan, history: 3 } }
  const sent = await conversation(['first', 'second', 'third'], { ...CHAT, nodes })
  expect(sent[5]).toEqual(['user: first', 'user: third', 'assistant: Looking.', 'tool'])
})
