/** SQL over HTTP: who may read the store, what is refused, and how. */
import { expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { createApp, hashKey } from '../../src/http.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { askingThread, service } from './service.ts'

const sql = 'SELECT thread, graph, status FROM threads'

test('only an admin without a prefix of threads reads the store', async () => {
  const acme = { name: 'acme', role: 'admin', hash: hashKey('key-acme'), threads: 'acme/' } as const
  const keys = ['view', 'operate', 'admin'].map(role => {
    return { name: role, role: role as 'view', hash: hashKey(`key-${role}`) }
  })
  const of = await service({ keys: [...keys, acme] })
  await askingThread(of)
  const refusal = async (role: string) => {
    const { status, body } = await of.send('POST', '/v1/query', { sql }, { role })
    return [status, body.code]
  }
  expect(await refusal('none')).toEqual([401, 'not-authenticated'])
  expect(await refusal('view')).toEqual([403, 'role-too-low'])
  expect(await refusal('operate')).toEqual([403, 'role-too-low'])
  expect(await refusal('acme')).toEqual([403, 'shared-state'])
  const { status, body } = await of.send('POST', '/v1/query', { sql })
  expect([status, body]).toEqual([
    200,
    {
      columns: ['thread', 'graph', 'status'],
      rows: [['one', 'asking', 'waiting']],
      truncated: false,
    },
  ])
})

test('a wrong query is a problem with a code and the message of the database', async () => {
  const of = await service()
  const problem = async (body: object) => {
    const { status, body: problem } = await of.send('POST', '/v1/query', body)
    return [status, problem.code, problem.detail]
  }
  expect(await problem({ sql: 'SELECT tread FROM threads' })).toEqual([
    ...[422, 'invalid-query', 'SQLite: no such column: tread'],
  ])
  expect(await problem({ sql: 'DELETE FROM threads' })).toEqual([
    ...[422, 'invalid-query', "expected one SELECT, not 'delete'"],
  ])
  expect((await problem({ sql: 'SELECT 1', rows: 0 }))[1]).toBe('invalid-request')
  expect((await problem({ sql: 'SELECT 1', ms: 60_000 }))[1]).toBe('invalid-request')
  expect((await problem({ sql: 'x'.repeat(20_001) }))[1]).toBe('invalid-request')
})

test('a client queries as a runtime does, and each query is in the audit log', async () => {
  const lines: object[] = []
  const of = await service({ log: line => void lines.push(line) })
  await askingThread(of)
  lines.length = 0
  const client = createClient(of.url, { key: 'key-admin' })
  const text = 'SELECT seq FROM events ORDER BY seq'
  expect(await client.query(text, { rows: 1 })).toEqual({
    ...{ columns: ['seq'], rows: [[0]], truncated: true },
  })
  expect(await client.query(text)).toEqual(await of.runtime.query(text))
  expect(lines).toMatchObject([
    { audit: 'query', who: 'the admin', status: 200, sql: text },
    { audit: 'query', who: 'the admin', status: 200, sql: text },
  ])
})

test('four queries run at once, and a store in memory takes none', async () => {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const answer = { columns: ['a'], rows: [[1]], truncated: false }
  const served = (store: Store) => {
    const { fetch } = createApp(createRuntime({ store, graphs: [] }), { anonymous: 'admin' })
    return () =>
      fetch(
        new Request('http://localhost/v1/query', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ sql: 'SELECT 1 AS a' }),
        }),
      )
  }
  const ask = served({ ...memoryStore(), query: () => ended.then(() => answer) })
  const four = Array.from({ length: 4 }, ask)
  await new Promise(resolve => setTimeout(resolve, 20))
  const fifth = await ask()
  expect([fifth.status, ((await fifth.json()) as { code: string }).code]).toEqual([
    ...[429, 'too-many-queries'],
  ])
  end()
  expect((await Promise.all(four)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await ask()).status).toBe(200)
  const without = (await (await served(memoryStore())()).json()) as { detail: string }
  expect(without.detail).toBe('a store in memory takes no queries: use a SQLite file or Postgres')
})
