/** A graph keeps its identity when it is loaded from the store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { createAgent } from '../../src/host/definition/create-agent.ts'
import { defineGraph } from '../../src/host/definition/define-graph.ts'
import { loadGraph, machineOfSource } from '../../src/host/drive/load.ts'
import { unreachableThreads } from '../../src/host/drive/stored.ts'
import { importThreads } from '../../src/runtime/drive/copy.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { getSource, startOf } from '../../src/runtime/store/source.ts'
import { modelOf, says, virtualClock } from '../../src/testing.ts'
import { archiveLines } from '../../src/runtime/store/archive.ts'
import { parseArchive } from '../../src/runtime/store/archive-parser.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { ORDER } from '../attack/kills/graphs.ts'

async function waiting() {
  const store = memoryStore()
  const ports = nodePorts({ graph: await loadGraph(ORDER), store })
  const leave = new AbortController()
  leave.abort(new Error('left'))
  await drive(ports, 't', {
    start: { input: { goal: 'x' }, seed: 1 },
    leave: leave.signal,
  }).catch(() => {})
  return { store, ports }
}

it('an open thread of a graph with child graphs is reachable', async () => {
  const { store, ports } = await waiting()
  const { hash } = await machineOfSource(ports.graph.source)
  expect(hash).toBe(ports.graph.machine.hash)
  expect(await unreachableThreads(store, await store.threads())).toEqual(new Set())
})

it('an open thread of an older version is unreachable, also in a part of the list', async () => {
  const asking = (deadline: string) =>
    defineGraph({
      id: 'asking',
      start: 'ask',
      nodes: {
        ask: {
          use: 'human',
          question: 'Go on?',
          deadline,
          on: { 'human.approved': 'end', 'human.rejected': 'end', 'human.expired': 'end' },
        },
        end: { final: 'success' },
      },
    } as never)
  const store = memoryStore()
  const start = { input: {}, seed: 1 }
  for (const [at, deadline] of ['1h', '2h'].entries()) {
    const clock = virtualClock(at)
    const ports = nodePorts({ graph: asking(deadline), store, clock })
    await drive(ports, deadline, { start, turns: 0 })
  }
  const [old, newer] = await store.threads()
  expect(await unreachableThreads(store, [old as never])).toEqual(new Set(['1h']))
  expect(await unreachableThreads(store, [newer as never])).toEqual(new Set())
})

it('an imported thread of a graph with child graphs is due for a service that holds the graph', async () => {
  const { store, ports } = await waiting()
  const archive = await parseArchive(withoutBreaks(archiveLines(store, 't')))
  const other = memoryStore()
  await importThreads({ ...ports, store: other, machineOf: machineOfSource }, archive)
  const [before] = await store.threads()
  const [after] = await other.threads()
  expect(after?.specHash).toBe(before?.specHash)
  const { id: graph, hash: specHash } = ports.graph.machine
  expect(await other.due(Date.now(), { graphs: [{ graph, specHash }] })).toEqual(['t'])
})

async function* withoutBreaks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield line.slice(0, -1)
}

const model = modelOf([says('Three.')])
const lacking: Record<string, Graph> = {
  'an agent with only the required options': createAgent({ id: 'shop', model }),
  'an agent with options that are undefined': createAgent({
    id: 'shop',
    model,
    smarter: undefined,
    preamble: undefined,
    output: undefined,
    review: undefined,
    limits: { usd: undefined, steps: 9 },
  } as never),
  'a graph with keys that are undefined': defineGraph({
    id: 'shop',
    start: 'say',
    description: undefined,
    nodes: {
      say: { use: 'model', model: 'm', prompt: undefined, on: { done: 'end' } },
      end: { final: 'success' },
    },
    models: { m: { model, price: undefined } },
    channels: {
      note: { type: 'string', default: undefined },
      goal: {},
      messages: { reducer: 'append' },
    },
    input: ['goal'],
  } as never),
}

for (const [name, graph] of Object.entries(lacking))
  it(`${name} keeps its identity in a store on disk`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'identity-'))
    const store = sqliteStore(join(folder, 'threads.db'))
    try {
      await drive(nodePorts({ graph, store }), 't', { start: { input: { goal: 'x' }, seed: 1 } })
      const { started } = await startOf(store, 't')
      const { hash } = await machineOfSource(await getSource(store, 't', started))
      expect(hash).toBe(graph.machine.hash)
      expect(await unreachableThreads(store, await store.threads())).toEqual(new Set())
    } finally {
      await store.close()
      rmSync(folder, { recursive: true })
    }
  })
