/** What a step leaves in memory. Young objects cost little as long as the next minor collection frees them. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { computed } from '../../src/core/watch/data/computed.ts'
import { bindGraph, parseSpec, tool } from '../../src/index.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Run } from '../../src/core/run/run.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { z } from 'zod'

describe('computed fields', () => {
  const withLength = computed<{ text: string }, { readonly length: number }>({
    length: ({ text }) => text.length,
  })

  test('are computed when they are read', () => {
    const source = { text: 'a' }
    const object = withLength({ name: 'x' }, source)
    source.text = 'abc'
    expect(object.length).toBe(3)
  })

  test('are part of a copy', () => {
    expect({ ...withLength({ name: 'x' }, { text: 'ab' }) }).toEqual({ name: 'x', length: 2 })
  })
})

describe('a minor collection', () => {
  test('frees what the steps of a thread needed: the drive, its task and the calls of its tools', async () => {
    const steps = 400
    const look = tool({
      name: 'look',
      description: 'Looks, and holds a large value until its end.',
      inputSchema: z.strictObject({ nth: z.int() }),
      effects: 'read',
      async execute({ nth }, { signal }) {
        // Whatever keeps the signal keeps this call.
        const large = new Array(2_000).fill(nth)
        signal.addEventListener('abort', () => void large.push(nth))
        return nth
      },
    })
    const spec = parseSpec({
      escapement: 1,
      id: 'loop',
      start: 'look',
      channels: { nth: { type: 'integer', default: 0 } },
      nodes: {
        look: {
          use: './nodes.ts#look',
          in: ['nth'],
          out: { nth: 'nth' },
          when: { finished: `nth >= ${steps}` },
          on: { 'done.finished': 'end', done: 'look', error: 'end' },
        },
        end: { final: 'success' },
      },
      tools: { look: { use: './tools.ts#look' } },
      limits: { steps: steps + 1, toolCalls: steps + 1 },
      detect: { visits: false },
    })
    const graph = bindGraph(spec, {
      workspace: '.',
      tools: { look },
      nodes: {
        look: async task => {
          const { nth } = task.input as { readonly nth: number }
          await task.call('look', { nth })
          return { nth: nth + 1 }
        },
      },
    })
    const ports = nodePorts({ graph, store: memoryStore() })
    const begun = (thread: string) =>
      drive(ports, thread, { start: { input: {}, seed: 1 }, turns: 20 })
    const driven = async (thread: string, from: Run) => {
      let run = from
      while (!run.ended) run = await drive(ports, thread, { turns: 20, known: run })
      return run
    }
    // What is compiled and optimized meanwhile is not what the steps keep.
    for (const thread of ['a', 'b', 'c', 'd', 'e', 'f']) await driven(thread, await begun(thread))
    const start = await begun('t')
    const before = youngestHeap()
    const run = await driven('t', start)
    const held = youngestHeap() - before
    expect(run.ended).toMatchObject({ outcome: 'success' })
    expect(held / steps).toBeLessThan(4_600)
  })
})

/** The heap after minor collections only, in bytes. An object is freed or moved to the old generation by the second one. */
function youngestHeap(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void
  for (let times = 0; times < 3; times++) collect({ type: 'minor' })
  return process.memoryUsage().heapUsed
}
