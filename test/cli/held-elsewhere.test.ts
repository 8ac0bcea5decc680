/** Commands without `--graph` to threads of a program: one that has ended, and one that another process drives. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { createRuntime, type Runtime } from '../../src/host/runtime.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { asking } from '../host/graphs.ts'
import { expectRefused, newDesks } from './desk.ts'

const newDesk = newDesks()
const STORE = ['--store', 'own.db']
const GRAPHS = fileURLToPath(new URL('../host/graphs.ts', import.meta.url))

const open: { readonly runtime: Runtime; readonly store: Store }[] = []
afterEach(async () => {
  for (const { runtime, store } of open.splice(0)) {
    await runtime.close()
    await store.close()
  }
})

/** A program with the thread `t`, whose store the command line opens, too. */
async function programWith(graph: ReturnType<typeof asking>) {
  const desk = newDesk()
  desk.file('agent.ts', `import { asking } from '${GRAPHS}'\nexport const support = asking()\n`)
  const store = sqliteStore(join(desk.folder, 'own.db'))
  const runtime = createRuntime({ store, graphs: [graph] })
  open.push({ runtime, store })
  return { desk, store, thread: await runtime.start(graph, { goal: 'x' }, { thread: 't' }) }
}

const COMMANDS = [
  ['cancel', 't'],
  ['stop', 't'],
  ['pause', 't'],
  ['step', 't'],
  ['escape', 't', '--rung', 'rethink'],
]

describe('a thread that has ended', () => {
  it('refuses what only an open thread takes, with and without its graph', async () => {
    const { desk, store, thread } = await programWith(asking())
    for await (const _ of thread.events({ until: 'waiting' }));
    await thread.answer('ask#1', 'approved')
    await thread.result()
    const { length } = await store.rows('t')
    for (const command of COMMANDS)
      for (const graph of [[], ['--graph', './agent.ts#support']])
        expectRefused(
          await desk.type(...command, ...STORE, ...graph),
          'refused: the thread has ended (goal)',
        )
    expect(await store.rows('t')).toHaveLength(length)
    expect(await store.inbox('t')).toEqual([])
    const sent = await desk.type('send', 't', '--input', '{"goal":"y"}', ...STORE)
    expect(sent).toMatchObject({ code: 5, err: expect.stringContaining("queued for 't'") })
    // The message may begin a round, which the next command is for.
    expect(await desk.type('stop', 't', ...STORE)).toMatchObject({ code: 5 })
    expect(await desk.type('cancel', 't', ...STORE)).toMatchObject({
      ...{ code: 130, out: '' },
      err: "cancelled the messages that were queued for 't'\n",
    })
    expect(await store.inbox('t')).toEqual([])
  })
})

describe('a thread that another process drives', () => {
  it('is cancelled by that process, which takes the edges', async () => {
    const entered = Promise.withResolvers<void>()
    const graph = asking(({ signal }) => {
      entered.resolve()
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
    })
    const { desk, thread } = await programWith(graph)
    await entered.promise
    expect(await desk.type('cancel', 't', ...STORE)).toMatchObject({
      ...{ code: 0, out: '' },
      err: "applied by the process that drives 't'\n",
    })
    expect(await thread.result()).toMatchObject({ outcome: 'cancelled' })
    const cancel = (await thread.rows()).find(({ event }) => event.type === 'cancel')
    expect(cancel?.event).not.toHaveProperty('without')
  })
})
