/** Commands over HTTP: each answers after it is applied, or is refused with a code. */
import { expect, test } from 'vitest'
import { createApp } from '../../src/http.ts'
import { asking } from '../host/graphs.ts'
import { askingThread, type Served, service } from './service.ts'

const command = (of: Served, body: object, headers: Readonly<Record<string, string>> = {}) =>
  of.send('POST', '/v1/threads/one/commands', body, { headers })

test('a resume answers after the pause is lifted, once for each key', async () => {
  const of = await service()
  const { state } = await askingThread(of)
  const paused = await command(of, { do: 'pause' })
  const key = { 'idempotency-key': 'k' }
  const stale = await command(of, { do: 'resume', expectSeq: state.seq })
  expect([stale.status, stale.body.code, stale.body.seq]).toEqual([
    ...[409, 'stale-seq'],
    paused.body.seq,
  ])
  const resume = { do: 'resume', expectSeq: paused.body.seq }
  const resumed = await command(of, resume, key)
  expect(resumed.body.seq).toBeGreaterThan(paused.body.seq)
  expect((await of.runtime.thread('one').state()).paused).toBeUndefined()
  await command(of, { do: 'pause' })
  expect((await command(of, resume, key)).status).toBe(200)
  expect((await of.runtime.thread('one').state()).paused).toBeDefined()
})

test('a resume of an ended thread is refused, and one of a thread that is not paused drives it', async () => {
  const of = await service()
  await askingThread(of)
  expect((await command(of, { do: 'resume' })).status).toBe(200)
  await command(of, { do: 'cancel' })
  const refused = await command(of, { do: 'resume' })
  expect([refused.status, refused.body.code]).toEqual([409, 'thread-ended'])
})

test('a drive in the background that fails is logged with its thread', async () => {
  const of = await service()
  await askingThread(of)
  const lines: object[] = []
  const handle = of.runtime.thread('one')
  const drive = () => Promise.reject(new Error('disk failed'))
  const broken = { ...of.runtime, thread: () => ({ ...handle, drive }) }
  const log = (line: object) => void lines.push(line)
  const { fetch } = createApp(broken as never, { anonymous: 'operate', log })
  const response = await fetch(
    new Request('http://localhost/v1/threads/one/commands', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"do":"resume"}',
    }),
  )
  expect(response.status).toBe(200)
  expect(lines).toContainEqual(
    expect.objectContaining({ thread: 'one', error: expect.stringContaining('disk failed') }),
  )
})

test('a thread whose graph is gone is cancelled with 200', async () => {
  const before = await service()
  const { state } = await askingThread(before)
  await before.stop()
  const of = await service({ file: before.file, graphs: [asking(undefined, { start: 'ask' })] })
  expect((await command(of, { do: 'pause' })).body.code).toBe('wrong-graph')
  const cancelled = await command(of, { do: 'cancel' })
  expect([cancelled.status, cancelled.body.thread]).toEqual([200, 'one'])
  expect(cancelled.body.seq).toBeGreaterThan(state.seq)
})

test('a dismissal with a stale expectSeq is refused as stale', async () => {
  const of = await service()
  const { state } = await askingThread(of)
  const { status, body } = await command(of, { do: 'dismiss', expectSeq: 0 })
  expect([status, body.code, body.seq]).toEqual([409, 'stale-seq', state.seq])
})

test('requests that cannot be repeated safely refuse an Idempotency-Key', async () => {
  const of = await service()
  const headers = { 'idempotency-key': 'k' }
  const ndjson = { ...headers, 'content-type': 'application/x-ndjson' }
  const refused = [
    await of.send('POST', '/v1/import', 'x', { headers: ndjson }),
    await of.send('POST', '/v1/breakers/asking%2Ftool:work/commands', { do: 'open' }, { headers }),
    await of.send(
      'POST',
      '/v1/breakpoints',
      { do: 'set', graph: 'asking', node: 'work' },
      { headers },
    ),
    await of.send('POST', '/v1/scopes/release', { scope: 'job', key: '1' }, { headers }),
  ]
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    Array(4).fill([422, 'key-not-supported']),
  )
  expect(await of.runtime.breakpoints()).toEqual([])
})
