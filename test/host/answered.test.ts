/** Answered questions: who decided what, and when, from the journals of every store. */
import { afterAll, describe, expect, test } from 'vitest'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import { createRuntime, memoryStore, sqliteStore } from '../../src/index.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { newSchema, postgresUrl } from '../fixture/postgres.ts'
import { newFiles } from '../store/folder.ts'
import { asking } from './graphs.ts'

const newFile = newFiles()
const url = await postgresUrl()
const open: Store[] = []
afterAll(async () => {
  for (const store of open) await store.close()
})

const STORES: readonly (readonly [name: string, make: () => Promise<Store>])[] = [
  ['memory', async () => memoryStore()],
  ['SQLite', async () => sqliteStore({ file: newFile() })],
  ...(url === undefined
    ? []
    : ([['Postgres', async () => postgresStore({ url, schema: newSchema() })]] as const)),
]

/** A runtime with threads that ask. */
async function desk(make: () => Promise<Store>, threads: readonly string[]) {
  const store = await make()
  open.push(store)
  const graph = asking()
  const runtime = createRuntime({ store, graphs: [graph] })
  for (const name of threads) {
    const thread = await runtime.start(graph, { goal: 'g' }, { thread: name })
    for await (const _ of thread.events({ until: 'waiting' }));
  }
  return runtime
}

describe.each(STORES)('answered questions in %s', (_, make) => {
  test('have the person, the decision, the note and the thread now, latest first', async () => {
    const runtime = await desk(make, ['one', 'two', 'three'])
    await runtime.thread('two').answer('ask#1', { decision: 'rejected', note: 'no', by: 'Ada' })
    await runtime.thread('two').result()
    await runtime.thread('one').answer('ask#1', 'approved')
    await runtime.thread('one').result()
    const found = await runtime.answered()
    expect(found).toMatchObject([
      { thread: 'one', decision: 'approved', status: 'ended', outcome: 'success' },
      {
        ...{ thread: 'two', graph: 'asking', id: 'ask#1', question: 'Go on?', about: 'node' },
        ...{ decision: 'rejected', note: 'no', by: 'Ada', status: 'ended', outcome: 'failure' },
      },
    ])
    expect(found[0]).not.toHaveProperty('by')
    const [, { asked = 0, seq = 0 } = {}] = found
    const rows = await runtime.thread('two').rows()
    expect(rows[seq]?.event.type).toBe('resume')
    expect(asked).toBeLessThan(seq)
    expect(await runtime.answered({ limit: 1 })).toEqual(found.slice(0, 1))
    expect(await runtime.answered({ prefix: 'tw' })).toEqual(found.slice(1))
    // A fork has the answer of its parent in its journal. It is not listed twice.
    await runtime.thread('two').fork({ as: 'copy', effects: 'refuse' })
    expect((await runtime.answered()).map(({ thread }) => thread)).toEqual(['one', 'two'])
    await runtime.close()
  })
})
