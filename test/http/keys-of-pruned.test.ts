/** A repeated request with its Idempotency-Key, after its thread was pruned: nothing is made again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { createApp } from '../../src/http.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { newFolders } from '../durability/folders.ts'
import { asking } from '../host/graphs.ts'

const newFolder = newFolders()
const STORES = [
  ['memory', () => memoryStore()],
  ['SQLite', () => sqliteStore(`${newFolder()}/threads.db`)],
] as const
const CHAT = '/chat'
const COMMANDS = '/v1/threads/one/commands'
const START = { graph: 'asking', input: { goal: 'g' }, thread: 'one' }
const CANCEL = { do: 'cancel' }
const PRUNED = [410, 'thread-pruned']

describe.each(STORES)('on %s', (_, newStore) => {
  function service() {
    const store = newStore()
    let writes = 0
    const graph = asking(async () => `write ${++writes}`)
    const runtime = createRuntime({ store, graphs: [graph] })
    const app = createApp(runtime, { anonymous: 'admin' })
    const post = async (path: string, body: object, key?: string) => {
      const headers = {
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      }
      const request = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await app.fetch(new Request(`http://localhost${path}`, request))
      const answer = (await response.json()) as { code?: string; thread?: string }
      return [response.status, answer.code ?? answer.thread]
    }
    const chat = async (body: object) => {
      const headers = { 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await app.fetch(new Request(`http://localhost${CHAT}`, request))
      await response.body?.cancel()
      return response.status
    }
    return {
      post,
      chat,
      runtime,
      writes: () => writes,
      cancel: (thread: string) => post(`/v1/threads/${thread}/commands`, CANCEL),
      async asked(thread: string) {
        while ((await runtime.thread(thread).state()).questions.length === 0) await sleep(5)
      },
      async prune() {
        await sleep(5)
        return runtime.prune({ keep: 0 })
      },
      async close() {
        await runtime.close()
        await store.close()
      },
    }
  }

  test.each([
    ['a name of its own', START],
    ['the name of its key', { graph: 'asking', input: { goal: 'g' } }],
  ])('a start with %s starts no second thread', async (_, start) => {
    const of = service()
    const [status, thread = ''] = await of.post('/v1/threads', start, 'k')
    await of.asked(`${thread}`)
    await of.cancel(`${thread}`)
    expect([status, await of.prune()]).toEqual([201, [thread]])
    expect(await of.post('/v1/threads', start, 'k')).toEqual(PRUNED)
    const other = { ...start, input: { goal: 'h' } }
    expect(await of.post('/v1/threads', other, 'k')).toEqual([422, 'key-reused'])
    expect([of.writes(), (await of.runtime.threads()).threads]).toEqual([1, []])
    expect((await of.post('/v1/threads', start, 'k2'))[0]).toBe(201)
    await of.close()
  })

  test.each([
    ['a name of its own', { as: 'copy' }],
    ['the name of its key', {}],
  ])('a fork with %s makes its writes once', async (_, name) => {
    const of = service()
    await of.post('/v1/threads', START)
    await of.asked('one')
    const fork = { do: 'fork', effects: 'live', at: 0, ...name }
    const [, copy] = await of.post(COMMANDS, fork, 'k')
    await of.asked(`${copy}`)
    expect(await of.post(COMMANDS, fork, 'k')).toEqual([200, copy])
    await of.cancel(`${copy}`)
    expect(await of.prune()).toEqual([copy])
    expect(await of.post(COMMANDS, fork, 'k')).toEqual(PRUNED)
    expect((await of.runtime.threads()).threads.map(({ thread }) => thread)).toEqual(['one'])
    await of.close()
  })

  test('a start and a fork that an existing thread answers are not made after that was pruned', async () => {
    const of = service()
    await of.post('/v1/threads', START, 'k1')
    await of.asked('one')
    const fork = { do: 'fork', effects: 'live', at: 0, as: 'copy' }
    for (const key of ['f1', 'f2', 'f2'])
      expect(await of.post(COMMANDS, fork, key)).toEqual([200, 'copy'])
    await of.asked('copy')
    await of.cancel('copy')
    expect(await of.prune()).toEqual(['copy'])
    for (const key of ['f1', 'f2']) expect(await of.post(COMMANDS, fork, key)).toEqual(PRUNED)
    for (const key of ['k2', 'k2'])
      expect(await of.post('/v1/threads', START, key)).toEqual([201, 'one'])
    await of.cancel('one')
    expect(await of.prune()).toEqual(['one'])
    for (const key of ['k1', 'k2']) expect(await of.post('/v1/threads', START, key)).toEqual(PRUNED)
    expect((await of.runtime.threads()).threads).toEqual([])
    await of.close()
  })

  test('a start that was refused has made nothing: its repetition is made once the name is free', async () => {
    const of = service()
    const other = { ...START, input: { goal: 'h' } }
    await of.post('/v1/threads', START)
    await of.asked('one')
    expect(await of.post('/v1/threads', other, 'k')).toEqual([409, 'thread-exists'])
    await of.cancel('one')
    await of.prune()
    expect(await of.post('/v1/threads', START, 'k')).toEqual([422, 'key-reused'])
    expect(await of.post('/v1/threads', other, 'k')).toEqual([201, 'one'])
    await of.asked('one')
    await of.close()
  })

  test('a message is not sent to the thread that has taken the name', async () => {
    const of = service()
    const send = { do: 'send', input: { goal: 'again' } }
    await of.post('/v1/threads', START)
    await of.asked('one')
    await of.cancel('one')
    expect(await of.post(COMMANDS, send, 'k')).toEqual([200, 'one'])
    expect(await of.post(COMMANDS, send, 'k')).toEqual([200, 'one'])
    await of.asked('one')
    await of.cancel('one')
    expect(await of.prune()).toEqual(['one'])
    expect(await of.post(COMMANDS, send, 'k')).toEqual([404, 'unknown-thread'])
    await of.post('/v1/threads', START)
    await of.asked('one')
    await of.cancel('one')
    const { seq } = await of.runtime.thread('one').summary()
    expect(await of.post(COMMANDS, send, 'k')).toEqual(PRUNED)
    expect((await of.runtime.thread('one').summary()).seq).toBe(seq)
    expect(await of.post(COMMANDS, send, 'k2')).toEqual([200, 'one'])
    await of.close()
  })

  test('the message of a chat that has started a thread starts no second one', async () => {
    const of = service()
    const messages = (id?: string) => [{ role: 'user', parts: [{ type: 'text', text: 'g' }], id }]
    const send = (id?: string) => of.chat({ id: 'one', messages: messages(id), graph: 'asking' })
    expect(await send('m1')).toBe(200)
    await of.asked('one')
    await of.cancel('one')
    expect(await of.prune()).toEqual(['one'])
    expect(await send('m1')).toBe(410)
    expect([of.writes(), (await of.runtime.threads()).threads]).toEqual([1, []])
    expect(await send('m2')).toBe(200)
    await of.asked('one')
    await of.close()
  })

  test('a request that had no effect is made when it is repeated', async () => {
    const of = service()
    const send = { do: 'send', input: { goal: 'again' }, expectSeq: 0 }
    await of.post('/v1/threads', START)
    await of.asked('one')
    expect(await of.post(COMMANDS, send, 'k')).toEqual([409, 'stale-seq'])
    await of.cancel('one')
    await of.prune()
    await of.post('/v1/threads', START)
    await of.asked('one')
    expect(await of.post(COMMANDS, send, 'k')).toEqual([409, 'stale-seq'])
    await of.close()
  })
})
