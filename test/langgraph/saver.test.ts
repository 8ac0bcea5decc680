/** LangGraph's own tests of checkpointers, for checkpoints in our stores. */
import { Annotation, Command, interrupt, START, StateGraph } from '@langchain/langgraph'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { memoryStore, sqliteStore, type Store } from '../../src/index.ts'
import { EscapementSaver } from '../../src/langgraph.ts'
import { postgresStore } from '../../src/postgres.ts'
import { newFolders } from '../durability/folders.ts'
import { newSchema, npmPostgres } from '../fixture/postgres.ts'

// The suite takes the functions of the test runner from the global object.
Object.assign(globalThis, {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  test,
})
/** Not imported by name: without the package, this file alone fails. */
const SUITE: string = '@langchain/langgraph-checkpoint-validation'
const { validate } = await import(SUITE)

const newFolder = newFolders()
const postgres = await npmPostgres()
const opened: Store[] = []

afterAll(async () => {
  for (const store of opened) await store.close()
})

const newPostgresStore = (): Store => {
  const store = postgresStore(`${postgres}?schema=${newSchema()}`)
  opened.push(store)
  return store
}

const STORES: readonly (readonly [string, () => Store])[] = [
  ['memory', memoryStore],
  ['SQLite', () => sqliteStore({ file: `${newFolder()}/checkpoints.db` })],
  ['Postgres', newPostgresStore],
]

for (const [name, store] of STORES)
  validate({
    checkpointerName: `EscapementSaver on ${name}`,
    createCheckpointer: () => new EscapementSaver(store()),
  })

const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
})
const THREAD = { configurable: { thread_id: 'one' } }

describe.each(STORES)('on %s', (_, open) => {
  test('a graph that waits for a person is resumed by another process', async () => {
    const store = open()
    const graph = () =>
      new StateGraph(State)
        .addNode('ask', () => ({ log: [`said ${interrupt('Well?')}`] }))
        .addEdge(START, 'ask')
        .compile({ checkpointer: new EscapementSaver(store) })
    await graph().invoke({ log: ['asked'] }, THREAD)
    const { log } = await graph().invoke(new Command({ resume: 'yes' }), THREAD)
    expect(log).toEqual(['asked', 'said yes'])
  })

  test('the checkpoints of a thread that grows take linear space', async () => {
    const bytesAfter = async (steps: number) => {
      const store = open()
      const graph = new StateGraph(State)
        .addNode('add', ({ log }) => ({ log: [`${log.length}`.padStart(500, '.')] }))
        .addEdge(START, 'add')
        .compile({ checkpointer: new EscapementSaver(store) })
      for (let step = 0; step < steps; step++) await graph.invoke({ log: [] }, THREAD)
      return JSON.stringify(await store.rows('langgraph:one')).length
    }
    const [some, many] = [await bytesAfter(10), await bytesAfter(40)]
    expect(many / some).toBeLessThan(4.5)
  })

  test('prune deletes the checkpoints of a thread that is no longer used', async () => {
    const store = open()
    const saver = new EscapementSaver(store)
    const graph = new StateGraph(State)
      .addNode('add', () => ({ log: ['x'] }))
      .addEdge(START, 'add')
      .compile({ checkpointer: saver })
    await graph.invoke({ log: [] }, THREAD)
    await saver.deleteThread('one')
    expect(await store.threads()).toEqual([])
    expect(await saver.getTuple(THREAD)).toBeUndefined()
  })
})

test('a config without a thread is refused by its path', async () => {
  const saver = new EscapementSaver(memoryStore())
  await expect(saver.putWrites({ configurable: {} }, [], 'task')).rejects.toThrow(
    'configurable.thread_id is missing; pass { configurable: { thread_id } }',
  )
})
