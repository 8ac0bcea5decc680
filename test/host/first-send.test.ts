/** Two messages at the same time to a thread that does not exist yet: one starts it, the other one is a message to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createAgent,
  createRuntime,
  memoryStore,
  type Runtime,
  type Settled,
  sqliteStore,
  type Store,
} from '../../src/index.ts'
import { modelOf, repeats, says } from '../../src/testing.ts'

const agentWith = (busy: 'reject' | 'queue') =>
  createAgent({ id: 'chat', model: modelOf([repeats(says('Hello.'))]), rounds: { busy } })

const folders: string[] = []
const open: Runtime[] = []
const stores: Store[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  for (const one of stores.splice(0)) await one.close()
  for (const one of folders.splice(0)) rmSync(one, { recursive: true, force: true })
})

/** Sends both at once, each through a runtime of its own if `apart`. */
async function sendBoth(store: () => Store, busy: 'reject' | 'queue', isApart = false) {
  const agent = agentWith(busy)
  const runtimeOf = () => {
    const of = store()
    stores.push(of)
    const runtime = createRuntime({ store: of, graphs: [agent] })
    open.push(runtime)
    return runtime
  }
  const one = runtimeOf()
  const other = isApart ? runtimeOf() : one
  const sent = await Promise.all(
    [one, other].map((runtime, at) => runtime.thread('new', agent).send({ goal: `goal ${at}` })),
  )
  return { sent, thread: one.thread('new', agent) }
}

const file = () => {
  if (folders.length === 0) folders.push(mkdtempSync(join(tmpdir(), 'first-send-')))
  return sqliteStore(join(`${folders[0]}`, 'threads.db'))
}

describe('the first message', () => {
  test.each([
    ['memory', memoryStore, false],
    ['SQLite', file, false],
    ['SQLite, of two connections', file, true],
  ])(
    'of two at once starts the thread, the other is refused or taken (%s)',
    async (_, store, isApart) => {
      const { sent, thread } = await sendBoth(store, 'reject', isApart)
      expect(sent).toContainEqual({ applied: true })
      const others = sent.filter(({ applied }: Settled) => !applied)
      for (const other of others) expect(other).toMatchObject({ code: 'thread-busy' })
      expect((await thread.result()).outcome).toBe('success')
      expect((await thread.state()).round).toBe(1 + (1 - others.length))
    },
  )

  test('of two at once starts the thread, the other one waits for its round', async () => {
    const { sent, thread } = await sendBoth(memoryStore, 'queue')
    expect(sent).toEqual([{ applied: true }, { applied: true }])
    await expect.poll(async () => await thread.state()).toMatchObject({ round: 2, status: 'ended' })
  })
})

test('the first message takes keys of scopes, and a later one leaves those of the thread', async () => {
  const agent = createAgent({
    id: 'chat',
    model: modelOf([repeats(says('Hello.'))]),
    limits: { scopes: { customer: { steps: 50 } } },
  })
  const runtime = createRuntime({ store: memoryStore(), graphs: [agent] })
  open.push(runtime)
  const thread = runtime.thread('new', agent)
  for (const customer of ['ada', 'bob']) {
    expect(await thread.send({ goal: 'x' }, { keys: { customer } })).toEqual({ applied: true })
    await thread.result()
  }
  expect((await runtime.scopes()).map(({ key }) => key)).toEqual(['ada'])
  // @ts-expect-error A handle without its graph starts no thread.
  void (() => runtime.thread('new').send({ goal: 'x' }, { keys: { customer: 'ada' } }))
})

test('a thread of a graph that the runtime does not hold is refused, and the message says where to add it', async () => {
  const agent = agentWith('reject')
  const other = createAgent({ id: 'other', model: modelOf([]) })
  const messagesWith = async (graphs: (typeof agent)[]) => {
    const runtime = createRuntime({ store: memoryStore(), graphs })
    open.push(runtime)
    const starts = [
      runtime.start(agent, { goal: 'x' }, { thread: 'new' }),
      runtime.thread('new', agent).send({ goal: 'x' }),
    ]
    const settled = await Promise.allSettled(starts)
    return settled.map(of => (of.status === 'rejected' ? `${of.reason}` : 'started'))
  }
  const without =
    /^WrongGraph: the runtime does not hold the graph 'chat' \(\w+\) of the new thread 'new'; held here: no graph\. Add it to `graphs` of the runtime\.$/
  for (const message of await messagesWith([])) expect(message).toMatch(without)
  for (const message of await messagesWith([other]))
    expect(message).toMatch(/'chat' \(\w+\) of the new thread 'new'; held here: 'other' \(/)
})
