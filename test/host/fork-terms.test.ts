/** A fork that starts paused, with injected answers, edited channels or another input. */
import { expect, it } from 'vitest'
import { rowFault } from '../../src/runtime/store/row-schema.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { specOf } from '../graph/linted.ts'
import { chain, chains } from './chain.ts'
import { asking } from './graphs.ts'

const { open, runtimeOf } = chains()

it('starts paused in its first transaction, and answers calls with pasted results', async () => {
  let calls = 0
  const graph = chain({ b: async () => ++calls })
  const runtime = runtimeOf(graph)
  const thread = await runtime.start(graph, {}, { thread: 't' })
  await thread.result()
  const inject = [{ kind: 'tool', name: 'b', result: 'pasted' }] as const
  const fork = await thread.fork({ at: 0, effects: 'live', as: 'f', paused: true, inject })
  const rows = await fork.rows()
  expect(rows.map(({ event }) => event.type)).toEqual([
    'thread.started',
    'forked',
    'inject',
    'pause',
  ])
  expect(rows.map(rowFault).filter(Boolean)).toEqual([])
  await fork.drive()
  expect([(await fork.state()).status, calls]).toEqual(['waiting', 1])
  await fork.resume()
  const results = (await fork.rows()).flatMap(({ event }) =>
    event.type === 'tool.done' ? [event.result] : [],
  )
  expect([results, calls]).toEqual([['a', 'pasted', 'c'], 1])
})

it('refuses a pause after the end, and answers that do not fit the graph', async () => {
  const graph = chain()
  const runtime = runtimeOf(graph)
  const thread = await runtime.start(graph, {}, { thread: 't' })
  await thread.result()
  const effects = 'live'
  await expect(thread.fork({ effects, paused: true })).rejects.toThrow('ended at event')
  const unknown = [{ kind: 'tool', name: 'x', result: 1 }] as const
  await expect(thread.fork({ effects, at: 0, inject: unknown })).rejects.toThrow(
    "inject[0]: unknown tool 'x'; known tools: a, b, c",
  )
  expect((await runtime.threads()).threads).toHaveLength(1)
})

const writing = () =>
  bindGraph(
    specOf({
      id: 'writing',
      start: 'ask',
      channels: {
        count: { type: 'number', default: 1 },
        notes: { type: 'string', reducer: 'append' },
      },
      output: ['count', 'notes'],
      nodes: {
        ask: {
          use: 'human',
          question: 'Go on?',
          on: { 'human.approved': 'end', 'human.rejected': 'end' },
        },
        end: { final: 'success' },
      },
    }),
    { workspace: '.', model: () => ({}) as never },
  )

it('edits channels, and keeps them in its journal', async () => {
  const graph = writing()
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  open.push(runtime)
  const thread = await runtime.start(graph, {}, { thread: 't' })
  while ((await thread.state()).questions.length === 0) await new Promise(setImmediate)
  const channels = { count: 7, notes: ['first', 'second'] }
  const fork = await thread.fork({ effects: 'live', as: 'f', channels })
  expect((await fork.state()).channels).toEqual(channels)
  await fork.answer('ask#1', 'approved')
  await fork.drive()
  expect((await fork.result()).output).toEqual(channels)
  expect((await thread.state()).channels).toMatchObject({ count: 1 })
  const wrong = (of: Readonly<Record<string, never>>) =>
    thread.fork({ effects: 'live', channels: of })
  await expect(wrong({ cuont: 3 } as never)).rejects.toThrow('channels.cuont: unknown channel')
  await expect(wrong({ count: 'x' } as never)).rejects.toThrow('channels.count: expected number')
})

it('starts at event 0 with another input, which is checked as at a start', async () => {
  const graph = asking()
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  open.push(runtime)
  const thread = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
  while ((await thread.state()).questions.length === 0) await new Promise(setImmediate)
  const effects = 'live'
  const fork = await thread.fork({ effects, as: 'f', at: 0, input: { goal: 'h' } })
  expect((await fork.state()).channels).toMatchObject({ goal: 'h' })
  expect((await fork.rows())[0]?.event).toMatchObject({ input: { goal: 'h' } })
  await fork.drive()
  expect((await fork.state()).questions).toHaveLength(1)
  await expect(thread.fork({ effects, at: 0, input: { goal: 3 } })).rejects.toMatchObject({
    code: 'invalid-input',
  })
  await expect(thread.fork({ effects, at: 1, input: { goal: 'h' } })).rejects.toThrow(
    'input: expected a fork at event 0',
  )
})
