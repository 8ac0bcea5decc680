/** A graph keeps its identity when it is loaded from the store. */
import { expect, it } from 'vitest'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { loadGraph, machineOfSource } from '../../src/host/load.ts'
import { unreachableThreads } from '../../src/host/stored.ts'
import { importThreads } from '../../src/runtime/drive/copy.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { archiveLines, parseArchive } from '../../src/runtime/store/archive.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
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
