/** What the watchdog did, as numbers: counted from the events of threads, and from their state. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import type { Escape } from '../../src/core/run/view.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { tool } from '../../src/kit/tool.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'

function graphOf(id: string, nodes: object) {
  const { spec, faults } = readSpec({
    escapement: 1,
    id,
    start: 'first',
    nodes: { ...nodes, end: { final: 'success' } },
    tools: { search: { use: './search.ts#search' } },
  })
  if (!spec) throw new Error(JSON.stringify(faults))
  const search = tool({
    name: 'search',
    description: 'Searches.',
    inputSchema: z.looseObject({}),
    effects: 'read',
    execute: async () => 'nothing',
  })
  return bindGraph(spec, { tools: { search } })
}

const call = (on: object) => ({ use: 'tool', tool: 'search', args: { q: 'x' }, on })

/** The findings by detector and the escapes by rung: of the states of all threads, and of their events. */
async function triggersOf(graph: ReturnType<typeof graphOf>, threads: readonly string[]) {
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const states: Record<string, number> = {}
  const events: Record<string, number> = {}
  const count = (
    counts: Record<string, number>,
    { route, because }: Pick<Escape, 'route' | 'because'>,
  ) => {
    const names = [route.rung, ...because.map(({ detector }) => detector)]
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  }
  await Promise.all(
    threads.map(async thread => {
      const handle = await runtime.start(graph, {}, { thread })
      for await (const event of handle.events()) {
        if (event.type === 'escape') count(events, event)
        if (event.type === 'ended') break
      }
      for (const escape of (await handle.state()).escapes) count(states, escape)
    }),
  )
  await runtime.close()
  return { states, events }
}

test('triggers are counted by detector and by rung, from the states or the events of all threads', async () => {
  const looping = graphOf('looping', {
    first: call({ done: 'first', loop: 'other' }),
    other: { use: 'pass', on: { done: 'end' } },
  })
  const counts = { sequence: 3, alternative: 3 }
  expect(await triggersOf(looping, ['a', 'b', 'c'])).toEqual({ states: counts, events: counts })
  const stopping = graphOf('stopping', { first: call({ done: 'first' }) })
  expect((await triggersOf(stopping, ['a', 'b'])).states).toEqual({ sequence: 2, stop: 2 })
})

test('concurrent threads that each make the same two calls share no history', async () => {
  const healthy = graphOf('healthy', {
    first: call({ done: 'second' }),
    second: call({ done: 'end' }),
  })
  const threads = Array.from({ length: 20 }, (_, nth) => `t${nth}`)
  expect(await triggersOf(healthy, threads)).toEqual({ states: {}, events: {} })
})
