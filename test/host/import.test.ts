/** A long import shares the process with all other work of a runtime, and ends with it. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { asking, parentOf } from './graphs.ts'

const graph = parentOf(asking())
const CHILDREN = 400

/** The archive of a thread that has started many children. */
async function longArchive(): Promise<readonly string[]> {
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
  for await (const _ of thread.events({ until: 'waiting' }));
  const written: string[] = []
  for await (const line of thread.archive()) written.push(line.trimEnd())
  const [header = '', ...lines] = written
  await runtime.close()
  const { threads, ...rest } = JSON.parse(header)
  const rows = await thread.rows()
  const at = rows.findIndex(({ event }) => event.type === 'child.started')
  const children = Array.from({ length: CHILDREN }, (_, index) => {
    const of = { call: `child#1/${index + 1}`, thread: `t/child#1/${index + 1}`, reserved: {} }
    return { ...rows[at], seq: at + index, event: { ...rows[at]?.event, ...of } }
  })
  const all = [...rows.slice(0, at), ...children].map(row => JSON.stringify(row))
  const graphs = lines.filter(line => line.startsWith(`{"kept":"${threads[0].source}"`))
  const listed = { ...rest, threads: [{ ...threads[0], rows: all.length }] }
  const body = [JSON.stringify(listed), ...graphs, ...all]
  const text = body.map(line => `${line}\n`).join('')
  return [...body, JSON.stringify({ sha256: createHash('sha256').update(text).digest('hex') })]
}

async function* streamed(lines: readonly string[]) {
  yield* lines
}

const lines = await longArchive()

const turn = () => new Promise(resolve => setImmediate(resolve))

test('other work goes on during an import', async () => {
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  let isOver = false
  const imported = runtime.importThread(streamed(lines)).finally(() => {
    isOver = true
  })
  let turns = 0
  while (!isOver) {
    await turn()
    turns++
  }
  expect(await imported).toBe('t')
  expect(turns).toBeGreaterThan(CHILDREN / 20)
  await runtime.close()
})

test('an import stores nothing once its runtime closes', async () => {
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph] })
  const imported = runtime.importThread(streamed(lines))
  const refused = expect(imported).rejects.toThrow('the runtime was closed')
  await turn()
  await runtime.close()
  await refused
  expect(await store.threads()).toEqual([])
})
