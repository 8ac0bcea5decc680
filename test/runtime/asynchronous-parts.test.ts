/** Custom code that should be synchronous and is not: it decides nothing, and its rejection ends no process. */
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import {
  createRuntime,
  defineClassifier,
  defineDetector,
  defineGraph,
  defineRung,
  memoryStore,
  node,
  tool,
} from '../../src/index.ts'

/** A rejection after its call. */
const late = (async () => {
  throw new Error('late')
}) as never

function rejections(): readonly unknown[] {
  const seen: unknown[] = []
  const note = (reason: unknown) => void seen.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return seen
}

/** Five failing calls, with custom parts. */
async function drivenWith(parts: object, escape: object = {}) {
  const look = tool({
    name: 'look',
    description: 'Looks.',
    effects: 'read',
    inputSchema: z.object({}),
    async execute() {
      throw new Error('nothing here')
    },
  })
  const work = node({ version: 1, tools: { look } }, async ({ call }) => {
    for (let calls = 0; calls < 5; calls++) await call.look({}).catch(() => {})
    return {}
  })
  const graph = defineGraph({
    ...{ id: 'asynchronous', start: 'a', parts, escape },
    nodes: { a: { use: work, on: { done: 'end', error: 'end' } }, end: { final: 'success' } },
  } as never)
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const state = await (await runtime.start(graph, {} as never, { thread: 't' })).drive()
  await runtime.close()
  return state
}

it.each([
  [
    'detector',
    {
      detectors: [
        defineDetector({
          name: 'd',
          version: 1,
          start: 0,
          sees: ['answered'],
          observe: late,
        } as never),
      ],
    },
    {},
  ],
  ['classifier', { classifier: defineClassifier({ name: 'c', version: 1, classify: late }) }, {}],
  [
    'rung',
    { rungs: [defineRung({ name: 'r', version: 1, choose: late })] },
    { ladder: ['r', 'stop'] },
  ],
])('a %s', async (_, parts, escape) => {
  const seen = rejections()
  expect((await drivenWith(parts, escape)).status).toBe('ended')
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(seen).toEqual([])
})

it('`confirm` of a tool: a person is asked', async () => {
  const seen = rejections()
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effects: 'write',
    inputSchema: z.object({}),
    confirm: late,
    execute: async () => 'paid',
  })
  const graph = defineGraph({
    id: 'shop',
    start: 'a',
    nodes: { a: { use: 'tool', tool: 'pay', on: { done: 'end' } }, end: { final: 'success' } },
    tools: { pay },
  })
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const state = await (await runtime.start(graph, {}, { thread: 't' })).drive()
  await runtime.close()
  expect(state.status).toBe('waiting')
  expect(state.questions).toHaveLength(1)
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(seen).toEqual([])
})

const rejects = async () => {
  throw new Error('late')
}

it.each([
  ['refinement', z.object({ a: z.string().refine(rejects) })],
  ['check of the whole', z.object({ a: z.string() }).superRefine(rejects)],
  ['transform', z.object({ a: z.string().transform(rejects) })],
  [
    'codec',
    z.object({ a: z.codec(z.string(), z.string(), { decode: rejects, encode: value => value }) }),
  ],
  ['schema of another library', { '~standard': { version: 1, vendor: 'v', validate: rejects } }],
])('a schema with an asynchronous %s', async (_, inputSchema) => {
  const seen = rejections()
  const pay = tool({
    ...{ name: 'pay', description: 'Pays.', effects: 'write', inputSchema: inputSchema as never },
    ...{ parameters: { type: 'object' } },
    execute: async () => 'paid',
  })
  const graph = defineGraph({
    id: 'shop',
    start: 'a',
    nodes: {
      a: { use: 'tool', tool: 'pay', args: { a: 'x' }, on: { done: 'end', error: 'failed' } },
      end: { final: 'success' },
      failed: { final: 'failure' },
    },
    tools: { pay },
  } as never)
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const state = await (await runtime.start(graph, {} as never, { thread: 't' })).drive()
  await runtime.close()
  expect(JSON.stringify(state)).toContain('validates asynchronously')
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(seen).toEqual([])
})
