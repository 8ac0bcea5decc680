/** The client has the interface of a handle, over real HTTP. */
import { expect, test } from 'vitest'
import { createClient, ServiceError } from '../../src/client.ts'
import type { ThreadEvent } from '../../src/host/thread.ts'
import { service } from './service.ts'

test('a client starts a thread, answers its question, and waits for the result', async () => {
  const of = await service()
  const client = createClient(of.url, { key: 'key-admin' })
  const thread = await client.start('asking', { goal: 'g' }, { thread: 'one' })
  const events: ThreadEvent[] = []
  for await (const event of thread.events({ until: 'waiting' })) events.push(event)
  const [asked] = events.flatMap(event => (event.type === 'question' ? event.questions : []))
  expect(asked?.question).toBe('Go on?')
  expect(await client.questions()).toMatchObject([{ thread: 'one', id: asked?.id }])

  const { seq } = await thread.state()
  const stale = thread.answer(asked?.id ?? '', 'approved', { expectSeq: seq - 1 })
  await expect(stale).rejects.toMatchObject({ code: 'stale-seq', problem: { seq } })
  const result = thread.result()
  expect(await thread.answer(asked?.id ?? '', 'approved', { expectSeq: seq, id: 'a1' })).toEqual({
    applied: true,
  })
  expect(await result).toEqual(await of.runtime.thread('one').result())

  const rows = await thread.rows({ after: 1 })
  expect(rows).toEqual(await of.runtime.thread('one').rows({ after: 1 }))
  expect((await thread.fork({ effects: 'refuse', at: 0, as: 'two' })).id).toBe('two')
  expect((await client.threads({ limit: 1 })).next).toBe('one')
  await expect(client.thread('none').state()).rejects.toThrow(ServiceError)
})

test('a client controls a thread as a handle does', async () => {
  const of = await service()
  const client = createClient(of.url, { key: 'key-admin' })
  await client.changeBreakpoint({ graph: 'asking', node: 'work' })
  expect(await client.breakpoints()).toEqual([{ graph: 'asking', node: 'work' }])
  const thread = await client.start('asking', { goal: 'g' }, { thread: 'one' })
  while (!(await thread.state()).paused) await new Promise(resolve => setTimeout(resolve, 5))
  expect(await thread.inject({ kind: 'tool', name: 'work' })).toEqual({ applied: true })
  await expect(thread.rollback()).rejects.toMatchObject({ code: 'no-savepoint' })
  await expect(thread.escape({ rung: 'rethink' })).rejects.toMatchObject({
    code: 'no-smarter-model',
  })
  await expect(thread.dismiss()).rejects.toMatchObject({ code: 'unknown-finding' })
  await expect(thread.pause()).rejects.toMatchObject({ code: 'already-paused' })
  expect(await thread.step()).toEqual({ applied: true })
  expect(await thread.stop('enough')).toEqual({ applied: true })
  expect(await thread.result()).toMatchObject({ outcome: 'stopped', because: 'enough' })
})
