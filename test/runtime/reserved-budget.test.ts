/** What a running child may still spend is reserved. A call beside it that finds nothing left says so. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, node, tool } from '../../src/index.ts'

const look = tool({
  name: 'look',
  description: 'Looks.',
  effects: 'read',
  inputSchema: z.object({}),
  execute: () => ({ seen: true }),
})

/** The end of a node that calls a tool while its child runs. `limits`: of the child. */
async function endBesideChild(limits: object) {
  const ended = Promise.withResolvers<null>()
  const child = defineGraph({
    id: 'child',
    start: 'wait',
    limits,
    nodes: { wait: { use: () => ended.promise, on: { done: 'end' } }, end: { final: 'success' } },
  } as never)
  const both = node({ tools: { look }, graphs: { child }, version: 1 }, async ({ call, run }) => {
    const running = run.child({})
    await new Promise(setImmediate)
    await call.look({}).finally(() => ended.resolve(null))
    await running
    return {}
  })
  const parent = defineGraph({
    id: 'parent',
    start: 'a',
    limits: { toolCalls: 20 },
    nodes: { a: { use: both, on: { done: 'end' } }, end: { final: 'success' } },
  } as never)
  const runtime = createRuntime({ store: memoryStore(), graphs: [parent] })
  const thread = await runtime.start(parent, {} as never)
  const { outcome, because } = await thread.result()
  ended.resolve(null)
  await runtime.close()
  return { outcome, because }
}

test('the limit names what children have reserved', async () => {
  expect(await endBesideChild({})).toEqual({
    outcome: 'stopped',
    because: 'the limit of 20 tool calls is reached, of which 20 are reserved for children',
  })
})

test('a child with limits of its own leaves the rest to the calls beside it', async () => {
  expect(await endBesideChild({ toolCalls: 5 })).toMatchObject({ outcome: 'success' })
})
