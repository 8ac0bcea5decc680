/** A store on Postgres meets its server: old, foreign, unreachable, restarting, and shared with other stores. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { PostgresOptions } from '../../src/adapters/store/postgres/options.ts'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import { MIGRATIONS, prepareSchema } from '../../src/adapters/store/postgres/schema.ts'
import { tripBreaker } from '../../src/core/watch/failure/breaker.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { newDatabase, newSchema, npmPostgres, sql } from '../fixture/postgres.ts'
import { type Proxy, proxyTo, through } from '../fixture/tcp-proxy.ts'
import { batch, begun, cancel, row, rowsBetween, seqs, terms } from './batches.ts'

const url = await npmPostgres()
const opened: Store[] = []
const proxies: Proxy[] = []

function open(options: Partial<PostgresOptions> = {}): Store {
  const store = postgresStore({ url, schema: newSchema(), ...options })
  opened.push(store)
  return store
}

async function proxied(): Promise<Proxy> {
  const proxy = await proxyTo(url)
  proxies.push(proxy)
  return proxy
}

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  for (const proxy of proxies.splice(0)) await proxy.close()
})

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => error as Error & { isTemporary?: boolean; code?: string },
  )

describe('the schema of a store', () => {
  it('is created once, although many stores open it at the same time', async () => {
    const schema = newSchema()
    const stores = Array.from({ length: 6 }, () => open({ schema }))
    await Promise.all(stores.map((store, index) => begun(store, `t${index}`)))
    expect(await stores[0]?.threads()).toHaveLength(6)
    expect(await sql(url, `SELECT version FROM ${schema}.escapement_schema`)).toEqual([
      { version: MIGRATIONS.length },
    ])
  })

  it('can be named by the URL', async () => {
    const schema = newSchema()
    const store = postgresStore(`${url}?schema=${schema}`)
    opened.push(store)
    await begun(store, 't')
    expect(await sql(url, `SELECT name FROM ${schema}.threads`)).toEqual([{ name: 't' }])
  })

  it('is used by a role that may not create schemas', async () => {
    const [schema, role] = [newSchema(), newSchema()]
    await sql(url, `CREATE ROLE ${role} LOGIN; CREATE SCHEMA ${schema} AUTHORIZATION ${role}`)
    const store = open({ url: Object.assign(new URL(url), { username: role }).href, schema })
    await begun(store, 't')
    expect(await seqs(store, 't')).toEqual([0])
  })

  it('of a newer escapement is rejected with both versions, and not changed', async () => {
    const schema = newSchema()
    await begun(open({ schema }), 't')
    await sql(url, `UPDATE ${schema}.escapement_schema SET version = 99`)
    expect(await failureOf(open({ schema }).threads())).toMatchObject({
      name: 'StoreUnavailable',
      isTemporary: false,
      message: expect.stringMatching(
        `^Postgres at 127.0.0.1:\\d+/postgres has schema version 99, and this escapement knows versions up to ${MIGRATIONS.length}: use a newer escapement$`,
      ),
    })
    expect(await sql(url, `SELECT version FROM ${schema}.escapement_schema`)).toEqual([
      { version: 99 },
    ])
  })

  it('of an older escapement is migrated', async () => {
    const schema = newSchema()
    await begun(open({ schema }), 't')
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: url })
    const client = await pool.connect()
    const migrations = [...MIGRATIONS, 'CREATE TABLE @later (id integer)']
    await prepareSchema(client, { place: 'Postgres', schema, migrations })
    await prepareSchema(client, { place: 'Postgres', schema, migrations })
    client.release()
    await pool.end()
    expect(await sql(url, `SELECT * FROM ${schema}.later`)).toEqual([])
  })

  it('that holds the tables of another program is not changed', async () => {
    const schema = newSchema()
    await sql(url, `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.orders (id integer)`)
    expect(await failureOf(open({ schema }).threads())).toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringContaining(
        `has a schema '${schema}' that is not a store of escapement: name another schema`,
      ),
    })
    const tables = 'SELECT tablename FROM pg_tables WHERE schemaname = $1'
    expect(await sql(url, tables, [schema])).toEqual([{ tablename: 'orders' }])
  })

  it.each([
    [{ server: 140_012, named: '14.12' }, 'has version 14.12; expected Postgres 15 or newer'],
    [{ server: 180_000, encoding: 'SQL_ASCII' }, 'has the encoding SQL_ASCII; expected UTF8'],
  ])('is not created on a server with %o', async (answer, message) => {
    const client = { query: async () => ({ rows: [{ encoding: 'UTF8', ...answer }] }) }
    const place = { place: 'Postgres at db:5432/app', schema: 'escapement' }
    expect(await failureOf(prepareSchema(client as never, place))).toMatchObject({
      name: 'StoreUnavailable',
      message: `Postgres at db:5432/app ${message}`,
    })
  })
})

describe('a server that cannot be used is named, without the password', () => {
  const withPassword = (parts: object) => Object.assign(new URL(url), parts).href

  it.each([
    [
      'not a URL',
      'db.example.com/app',
      "'db.example.com/app' is not the URL of a Postgres database",
    ],
    [
      'a URL without a host',
      'postgres://agent:s3cr3t-value@:bad/app',
      "'postgres://agent:***@:bad/app' is not the URL",
    ],
  ])('%s', (_, given, message) => {
    expect(() => postgresStore(given)).toThrow(message)
  })

  it('a port without a server, at once', async () => {
    const proxy = await proxied()
    await proxy.refuse()
    const given = through(proxy, withPassword({ password: 's3cr3t-value' }))
    const failure = await failureOf(open({ url: given }).threads())
    expect(failure).toMatchObject({
      name: 'StoreUnavailable',
      isTemporary: true,
      message: expect.stringMatching(
        /^Postgres at 127.0.0.1:\d+\/postgres is unreachable \(connect ECONNREFUSED/,
      ),
    })
    expect(String(failure)).not.toContain('s3cr3t')
  })

  it.each([
    [
      'a wrong password',
      { username: 'guarded', password: 'wrong-password' },
      'the password is wrong',
    ],
    [
      'no password',
      { username: 'guarded', password: '' },
      'requires a password: add it to the URL',
    ],
    ['a missing database', { pathname: '/missing' }, 'does not have this database'],
  ])('%s', async (_, parts, message) => {
    const failure = await failureOf(open({ url: withPassword(parts) }).threads())
    expect(failure).toMatchObject({
      name: 'StoreUnavailable',
      isTemporary: false,
      message: expect.stringContaining(message),
    })
    expect(String(failure)).not.toContain('wrong-password')
  })
})

describe('a connection that breaks', () => {
  it('is replaced: the next call succeeds', async () => {
    const proxy = await proxied()
    const store = open({ url: through(proxy, url) })
    const lease = await begun(store, 't')
    proxy.cut()
    await store.append(batch(lease, [row(1)]))
    proxy.cut()
    expect(await seqs(store, 't')).toEqual([0, 1])
  })

  it('while an append is stored does not store it twice', async () => {
    const proxy = await proxied()
    const store = open({ url: through(proxy, url) })
    const lease = await begun(store, 't')
    proxy.loseAnswerTo('the lost answer')
    await store.append(batch(lease, [row(1, 'the lost answer')]))
    await store.append(batch(lease, [row(2)]))
    expect(await store.rows('t')).toEqual([row(0), row(1, 'the lost answer'), row(2)])
  })

  it('while several threads are created does not create them twice', async () => {
    const proxy = await proxied()
    const store = open({ url: through(proxy, url) })
    const leases = [await begun(store, 't'), await begun(store, 'u')]
    proxy.loseAnswerTo('COMMIT')
    await store.append(...leases.map(lease => batch(lease, [row(1)])))
    expect([await seqs(store, 't'), await seqs(store, 'u')]).toEqual([
      [0, 1],
      [0, 1],
    ])
  })

  it('does not hide that another process wrote another row', async () => {
    const proxy = await proxied()
    const schema = newSchema()
    const store = open({ url: through(proxy, url), schema })
    const lease = await begun(store, 't')
    await proxy.refuse()
    const late = failureOf(store.append(batch(lease, [row(1, 'mine')])))
    const other = open({ schema })
    const theirs = await other.lease('t', terms('host/2/b', { now: 5_000, until: 9_000 }))
    await other.append(batch(theirs, [row(1, 'theirs')]))
    await proxy.open()
    expect(await late).toMatchObject({ name: 'Conflict' })
    expect(await other.rows('t')).toEqual([row(0), row(1, 'theirs')])
  })

  it('for longer than the patience is a temporary error, and nothing is lost', async () => {
    const proxy = await proxied()
    const store = open({ url: through(proxy, url), patience: 300 })
    const lease = await begun(store, 't')
    await proxy.refuse()
    expect(await failureOf(store.append(batch(lease, [row(1)])))).toMatchObject({
      name: 'StoreUnavailable',
      isTemporary: true,
      message: expect.stringContaining('is unreachable'),
    })
    await proxy.open()
    await store.append(batch(lease, [row(1)]))
    expect(await seqs(store, 't')).toEqual([0, 1])
  })

  it('by the server itself is survived, with idle and with busy connections', async () => {
    const own = await newDatabase(url)
    const store = open({ url: own })
    const lease = await begun(store, 't')
    const busy = Array.from({ length: 40 }, (_, index) =>
      store.append(batch(lease, [row(index + 1)])),
    )
    await sql(
      own,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    await Promise.all(busy)
    expect(await store.rows('t')).toEqual(rowsBetween(0, 40))
  })

  it('by a statement that takes too long is a temporary error', async () => {
    const schema = newSchema()
    const store = open({ schema, statementTimeout: 100, patience: 0 })
    const lease = await begun(store, 't')
    const { default: pg } = await import('pg')
    const locker = new pg.Client({ connectionString: url })
    await locker.connect()
    await locker.query(`BEGIN; LOCK TABLE ${schema}.threads`)
    expect(await failureOf(store.append(batch(lease, [row(1)])))).toMatchObject({
      name: 'StoreUnavailable',
      isTemporary: true,
    })
    await locker.end()
    expect(await seqs(store, 't')).toEqual([0])
  })
})

describe('a closed store', () => {
  it('rejects all calls, and may be closed twice', async () => {
    const store = open()
    await begun(store, 't')
    await store.close()
    await store.close()
    expect(await failureOf(store.threads())).toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringContaining('has been closed'),
    })
  })
})

describe('two stores on one schema', () => {
  it('report to each other which threads have new rows and commands, and not their own', async () => {
    const schema = newSchema()
    const [writer, reader] = [open({ schema }), open({ schema })]
    const lease = await begun(writer, 't')
    const seen = { writer: [] as string[], reader: [] as string[] }
    writer.onChange?.(thread => seen.writer.push(thread))
    const end = reader.onChange?.(thread => seen.reader.push(thread))
    await pause(300)
    seen.reader.length = 0
    await writer.append(batch(lease, [row(1)]))
    await expect.poll(() => seen.reader).toEqual(['t'])
    await reader.submit('t', 'c1', cancel('enough'))
    await expect.poll(() => seen.writer).toEqual(['t'])
    await pause(200)
    expect(seen.reader).toEqual(['t'])
    end?.()
    await writer.append(batch(lease, [row(2)]))
    await pause(200)
    expect(seen.reader).toEqual(['t'])
  })

  it('report to each other, and to themselves, which breakers have another state', async () => {
    const schema = newSchema()
    const [writer, reader] = [open({ schema }), open({ schema })]
    await writer.threads()
    const seen = { writer: [] as string[], reader: [] as string[], threads: [] as string[] }
    writer.onBreakerChange?.(resource => seen.writer.push(resource))
    reader.onBreakerChange?.(resource => seen.reader.push(resource))
    reader.onChange?.(thread => seen.threads.push(thread))
    await pause(300)
    await writer.changeBreaker('counted', before => ({ ...before, failures: 1 }) as never)
    await writer.changeBreaker('opened', before => tripBreaker(before, 0, 1_000))
    await expect.poll(() => seen.reader).toEqual(['opened'])
    expect(seen).toEqual({ writer: ['opened'], reader: ['opened'], threads: [] })
  })

  it('report many threads with long names at once', async () => {
    const schema = newSchema()
    const [writer, reader] = [open({ schema }), open({ schema })]
    await writer.threads()
    const seen = new Set<string>()
    reader.onChange?.(thread => seen.add(thread))
    await pause(300)
    const names = Array.from({ length: 30 }, (_, index) => `${index} ${'ü'.repeat(1_000)}`)
    await Promise.all(names.map(name => begun(writer, name)))
    await expect.poll(() => [...seen].toSorted()).toEqual(names.toSorted())
  })

  it('listen again after their connection broke', async () => {
    const schema = newSchema()
    const proxy = await proxied()
    const [writer, reader] = [open({ schema }), open({ schema, url: through(proxy, url) })]
    const lease = await begun(writer, 't')
    const seen: string[] = []
    reader.onChange?.(thread => seen.push(thread))
    await pause(300)
    proxy.cut()
    await pause(600)
    seen.length = 0
    await writer.append(batch(lease, [row(1)]))
    await expect.poll(() => seen).toEqual(['t'])
  })
})

describe('the size of a name', () => {
  it('is limited, with an error that names the limit', async () => {
    expect(await failureOf(open().lease('x'.repeat(2_601), terms()))).toMatchObject({
      name: 'ReservedName',
      message: expect.stringContaining('has 2601 bytes; on Postgres, a name has at most 2600'),
    })
    const random = Array.from({ length: 3_000 }, () => String.fromCharCode(97 + Math.random() * 26))
    const store = open()
    await begun(store, 't')
    expect(await failureOf(store.submit('t', random.join(''), cancel('enough')))).toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringContaining('cannot index a name or key of more than 2,600 bytes'),
    })
  })
})
