/** A long import shares the process with all other work of a runtime, and ends with it. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { NOTHING_SPENT } from '../../src/core/watch/event/call-event.ts'
import { digest } from '../../src/core/watch/data/json.ts'
import type { Stamped } from '../../src/core/watch/event/event.ts'
import { type OpenBreakers, openBreakersAfter, openUntil } from '../../src/core/watch/retries.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { importThreads } from '../../src/runtime/drive/copy.ts'
import { parseArchive } from '../../src/runtime/store/archive-parser.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { asking, parentOf } from './graphs.ts'

const graph = parentOf(asking())
const CHILDREN = 400

/** The archive of a thread that has started many children. `ended`: each ends before the next one starts. */
async function longArchive(count = CHILDREN, ended = false): Promise<readonly string[]> {
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
  const done = { type: 'child.done', outcome: 'success', reason: 'goal', result: null }
  const end = { ...done, spent: NOTHING_SPENT, digest: digest(null), effects: 'read' }
  const events = Array.from({ length: count }, (_, index) => {
    const of = { call: `child#1/${index + 1}`, thread: `t/child#1/${index + 1}` }
    const start = { ...rows[at]?.event, ...of, reserved: {} }
    return ended ? [start, { ...start, ...end }] : [start]
  })
  const children = events.flat().map((event, index) => ({ ...rows[at], seq: at + index, event }))
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

const opened = (subject: string, at: number) =>
  ({
    ...{ type: 'circuit.opened', effect: 'a#1', region: '', call: `a#1/${at}` },
    ...{ kind: 'tool', subject, failures: 5, retryAt: at + 1_000, at },
  }) as Stamped

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

/** Imports an archive, and counts the pages of rows that it folds. */
async function pagesOf(archive: readonly string[]): Promise<[pages: number, error: unknown]> {
  let pages = 0
  const pause = async () => pages++
  const owner = { owner: 'test', wall: () => 0, isOwnerDead: () => false }
  const ports = { ...owner, store: memoryStore(), machineOf: async () => graph.machine, pause }
  const error = await importThreads(ports, await parseArchive(streamed(archive))).catch(e => e)
  return [pages, error instanceof Error ? error : undefined]
}

test('an import stops at 1,000 open children, whatever the number of rows', async () => {
  for (const count of [1_100, 3_000]) {
    const [pages, error] = await pagesOf(await longArchive(count))
    expect(pages).toBeLessThan(70)
    expect(error).toMatchObject({
      name: 'BadArchive',
      message: expect.stringMatching(
        /^thread 't' cannot be replayed: row \d+ leaves 10\d\d children, messages and writes open; expected at most 1000$/,
      ),
    })
  }
})

test('an import of many children that have ended holds none of them', async () => {
  const [pages, error] = await pagesOf(await longArchive(1_100, true))
  expect(error).toBe(undefined)
  expect(pages).toBeGreaterThan(130)
})

test('a thread with breakers of any number of tools keeps the latest', () => {
  let circuits: OpenBreakers = {}
  for (let at = 0; at < 1_000; at++)
    circuits = openBreakersAfter(circuits, opened(`tool-${at}`, at))
  expect(Object.keys(circuits)).toHaveLength(64)
  expect(openUntil(circuits, 'tool:tool-999', 999)).toBe(1_999)
})

test('a breaker that is refused again stays known longer than those before it', () => {
  let circuits: OpenBreakers = openBreakersAfter({}, opened('first', 0))
  for (let at = 1; at < 64; at++) circuits = openBreakersAfter(circuits, opened(`tool-${at}`, at))
  circuits = openBreakersAfter(circuits, {
    ...opened('first', 64),
    type: 'circuit.refused',
  } as Stamped)
  circuits = openBreakersAfter(circuits, opened('last', 65))
  expect(openUntil(circuits, 'tool:first', 65)).toBe(1_064)
  expect(openUntil(circuits, 'tool:tool-1', 65)).toBe(undefined)
})
