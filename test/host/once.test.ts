/** A request with `once` has its effect once: also the message that starts its thread, in several processes, and while the thread is pruned. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import {
  createRuntime,
  defineGraph,
  memoryStore,
  type Runtime,
  sqliteStore,
  type Store,
  tool,
} from '../../src/index.ts'
import { newFolders } from '../durability/folders.ts'
import { newSchema, npmPostgres } from '../fixture/postgres.ts'

const newFolder = newFolders()
const url = await npmPostgres()

/** Makes the connections of several processes to one new store. */
const STORES: [string, () => () => Store][] = [
  [
    'memory',
    () => {
      const store = memoryStore()
      return () => store
    },
  ],
  [
    'SQLite',
    () => {
      const file = `${newFolder()}/threads.db`
      return () => sqliteStore(file)
    },
  ],
  [
    'Postgres',
    () => {
      const schema = newSchema()
      return () => postgresStore({ url, schema })
    },
  ],
]

const open: Runtime[] = []
const stores: Store[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
  for (const each of stores.splice(0)) await each.close()
})

const ONCE = { id: 'm1', once: 'queue/m1' }
const APPLIED = { applied: true }
const PRUNED = { name: 'ThreadPruned' }

/** A graph that pays once in each round. */
function shop(makeStore: () => Store) {
  const paid: string[] = []
  const pay = tool({
    description: 'Pays.',
    inputSchema: z.object({}),
    effects: 'write',
    execute: (_, { idempotencyKey }) => ({ nth: paid.push(idempotencyKey) }),
  })
  const graph = defineGraph({
    id: 'paying',
    start: 'pay',
    tools: { pay },
    nodes: {
      pay: { use: 'tool', tool: 'pay', args: {}, on: { done: 'end' } },
      end: { final: 'success' },
    },
  })
  /** A runtime of another process. `around` wraps its store. */
  const process = (around = (store: Store) => store) => {
    const store = makeStore()
    stores.push(store)
    const runtime = createRuntime({ store: around(store), graphs: [graph] })
    open.push(runtime)
    return {
      runtime,
      thread: (id: string) => runtime.thread(id, graph),
      start: (once?: string) =>
        runtime.start(graph, {}, { thread: 't', ...(once !== undefined && { once }) }),
      resume: (once: string) => runtime.start(graph, {}, { thread: 't', resume: true, once }),
      async prune() {
        await sleep(5)
        return runtime.prune({ keep: 0 })
      },
    }
  }
  return { paid, process }
}

/** Calls back once, after the checks of a request: before it leases its thread, or submits its command. */
const beforeEffect = (work: () => Promise<unknown>) => (store: Store) => {
  let isDone = false
  const first = async () => {
    if (isDone) return
    isDone = true
    await work()
  }
  return {
    ...store,
    async lease(...of: Parameters<Store['lease']>) {
      await first()
      return store.lease(...of)
    },
    async submit(...of: Parameters<Store['submit']>) {
      await first()
      await store.submit(...of)
    },
  }
}

describe.each(STORES)('on %s', (_, makeStores) => {
  test.each([
    ['with an id', { id: 'm1' }],
    ['with `once`', { once: 'queue/m1' }],
    ['with both', ONCE],
  ])('the message that starts its thread is taken once: %s', async (_, options) => {
    const of = shop(makeStores())
    const [one, other] = [of.process(), of.process()]
    for (const { thread } of [one, one, other])
      expect(await thread('t').send({}, options)).toEqual(APPLIED)
    await one.thread('t').result()
    expect(await other.thread('t').send({}, options)).toEqual(APPLIED)
    await sleep(20)
    expect(of.paid).toHaveLength(1)
    expect(await one.thread('t').state()).toMatchObject({ round: 1, status: 'ended' })
  })

  test('two such messages at once start it once', async () => {
    const of = shop(makeStores())
    const all = [of.process(), of.process()].flatMap(({ thread }) => [thread('t'), thread('t')])
    const sent = await Promise.all(all.map(handle => handle.send({}, ONCE)))
    expect(sent).toEqual([APPLIED, APPLIED, APPLIED, APPLIED])
    await all[0]?.result()
    await sleep(20)
    expect(of.paid).toHaveLength(1)
  })

  test('it is not sent again after the thread was pruned', async () => {
    const of = shop(makeStores())
    const [one, other] = [of.process(), of.process()]
    await one.thread('t').send({}, ONCE)
    await one.thread('t').result()
    expect(await one.prune()).toEqual(['t'])
    for (const { thread } of [one, other])
      await expect(thread('t').send({}, ONCE)).rejects.toMatchObject(PRUNED)
    expect(of.paid).toHaveLength(1)
    expect(await one.thread('t').send({}, { id: 'm2', once: 'queue/m2' })).toEqual(APPLIED)
    await one.thread('t').result()
    await expect(other.thread('t').send({}, ONCE)).rejects.toMatchObject(PRUNED)
    expect(of.paid).toHaveLength(2)
  })

  test('a start that an existing thread answers is not made after that was pruned', async () => {
    const of = shop(makeStores())
    const [one, other] = [of.process(), of.process()]
    const resume = async ({ resume: join }: ReturnType<typeof of.process>) =>
      (await join('queue/m1')).result()
    await (await one.start()).result()
    for (const each of [one, other]) await resume(each)
    expect(await one.prune()).toEqual(['t'])
    for (const each of [one, other]) await expect(resume(each)).rejects.toMatchObject(PRUNED)
    expect(of.paid).toHaveLength(1)
    await (await one.start()).result()
    await resume(other)
    expect(of.paid).toHaveLength(2)
  })

  test('a start with `resume` whose thread is pruned before it is answered starts a new one', async () => {
    const of = shop(makeStores())
    const first = of.process()
    await (await first.start()).result()
    const late = of.process(store => ({
      ...store,
      async join(...of: Parameters<Store['join']>) {
        expect(await first.prune()).toEqual(['t'])
        return store.join(...of)
      },
    }))
    await (await late.resume('queue/m1')).result()
    expect(of.paid).toHaveLength(2)
    expect(await first.prune()).toEqual(['t'])
    await expect(first.resume('queue/m1')).rejects.toMatchObject(PRUNED)
  })

  test('a message of a caller that has seen an event starts no thread', async () => {
    const of = shop(makeStores()).process()
    const sent = of.thread('t').send({}, { id: 'm1', expectSeq: 3 })
    await expect(sent).rejects.toMatchObject({ name: 'UnknownThread' })
  })

  test.each(['start', 'send', 'fork'] as const)(
    'a %s that was made and pruned since the checks is not made again',
    async how => {
      const of = shop(makeStores())
      const first = of.process()
      const made = how === 'fork' ? 'f' : 't'
      const make = async ({ start, thread }: ReturnType<typeof of.process>) => {
        if (how === 'start') await start('queue/m1')
        else if (how === 'send') await thread('t').send({}, ONCE)
        else await thread('t').fork({ effects: 'live', at: 0, as: 'f', once: 'queue/m1' })
      }
      if (how === 'fork') await (await first.start()).result()
      const late = of.process(
        beforeEffect(async () => {
          await make(first)
          await first.thread(made).drive()
          await sleep(5)
          const terms = { before: Number.MAX_SAFE_INTEGER, now: Number.MAX_SAFE_INTEGER }
          expect(await stores[0]?.remove([[made]], terms)).toEqual([made])
        }),
      )
      const before = of.paid.length
      await expect(make(late)).rejects.toMatchObject(PRUNED)
      await sleep(20)
      expect(of.paid).toHaveLength(before + 1)
      expect(await stores[0]?.thread(made)).toBeUndefined()
    },
  )

  test('a command that was applied and pruned since the checks is not sent to the thread that has taken the name', async () => {
    const of = shop(makeStores())
    const first = of.process()
    await (await first.start()).result()
    const late = of.process(
      beforeEffect(async () => {
        await first.thread('t').send({}, ONCE)
        await first.thread('t').result()
        expect(await first.prune()).toEqual(['t'])
        await (await first.start()).result()
      }),
    )
    await expect(late.thread('t').send({}, ONCE)).rejects.toMatchObject(PRUNED)
    expect(of.paid).toHaveLength(3)
  })
})
