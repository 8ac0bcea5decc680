/** A child thread that has ended keeps its end. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, node } from '../../src/index.ts'

test('a message to an ended child is refused, and its success stays', async () => {
  const kid = defineGraph({
    id: 'kid',
    start: 'w',
    input: z.object({ goal: z.string() }),
    nodes: {
      w: { use: node({}, async () => ({})), on: { done: 'end' } },
      end: { final: 'success' },
    },
  })
  const parent = defineGraph({
    id: 'parent',
    start: 'a',
    nodes: {
      a: {
        use: node({ graphs: { kid } }, ({ run }) => run.kid({ goal: 'x' })),
        on: { done: 'end' },
      },
      end: { final: 'success' },
    },
  })
  const runtime = createRuntime({ store: memoryStore(), graphs: [parent, kid] })
  await (await runtime.start(parent, {}, { thread: 'p' })).result()
  const child = runtime.thread('p/a#1/1')
  expect(await child.send({ goal: 'y' })).toMatchObject({ applied: false, code: 'child-ended' })
  await child.drive()
  expect((await child.summary()).status).toBe('ended')
  expect(await child.result()).toMatchObject({ outcome: 'success' })
  await runtime.close()
})
