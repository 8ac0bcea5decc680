/** SQL over a store: what it reads on every store, and what it refuses, whatever the text. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import type { Row } from '../../src/core/run/run.ts'
import { edgesOf, NAMED_QUERIES } from '../../src/runtime/store/query/named-queries.ts'
import type { QueryLimits, QueryResult } from '../../src/runtime/store/query/query.ts'
import { QUERY_TABLES } from '../../src/runtime/store/query/tables.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { tripBreaker } from '../../src/core/watch/failure/breaker.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { newSchema, npmPostgres, postgresUrl, sql } from '../fixture/postgres.ts'
import { batch, begun, row, terms } from './batches.ts'
import { newFiles } from './folder.ts'

const newFile = newFiles()

/** A recursive query that never ends. */
const ENDLESS =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'

const call = (seq: number, type: string, more: object): Row =>
  ({
    ...row(seq),
    event: { at: seq * 10, effect: 'act#1', region: '', call: 'act#1/1', type, ...more },
  }) as unknown as Row

const usage = { input: 100, output: 7, cached: 0, usd: 0.25 }
const failure = { class: 'transient', message: 'search is down' }
const finding = {
  ...{ kind: 'loop', detector: 'sequence', id: 'sequence search', period: 1, repeats: 3 },
  reason: { code: 'same-answers', params: {} },
}

/** A thread with calls, a loop and an escape. */
const EVENTS: readonly Row[] = [
  call(0, 'model.done', { subject: 'fast', usage, text: 'ä "quoted" \0 \ud800 \u0007' }),
  call(1, 'tool.failed', { subject: 'search', failure }),
  call(2, 'tool.done', { subject: 'search', result: 'x' }),
  {
    ...row(3),
    findings: [finding],
    verdict: { kind: 'escape', route: { rung: 'alternative' }, because: [finding], considered: [] },
  } as unknown as Row,
]

async function fill(store: Store): Promise<void> {
  const lease = await store.lease('looped', terms())
  await store.append(
    batch(lease, EVENTS, { summary: { status: 'ended', outcome: 'stopped', graph: 'agent' } }),
  )
  await begun(store, 'plain', 2)
  await store.changeBreaker('agent/tool:search', before => tripBreaker(before, 0, 5_000))
  await store.changeBreaker('agent/tool:other', before => ({ ...before, failures: 1 }) as never)
}

/** Attacks that never reach a database. */
const REFUSED: readonly (readonly [name: string, sql: string])[] = [
  ['an empty text', ' -- nothing\n ; '],
  ['a statement that writes', "UPDATE threads SET outcome = 'success'"],
  ['PRAGMA', 'PRAGMA journal_mode = DELETE'],
  ['ATTACH', "ATTACH DATABASE 'other.db' AS other"],
  ['SET', 'SET statement_timeout = 0'],
  ['COPY', "COPY (SELECT 1) TO PROGRAM 'id'"],
  ['EXPLAIN', 'EXPLAIN ANALYZE SELECT 1'],
  ['two statements', 'SELECT 1; DROP TABLE threads'],
  ['two statements after a comment', 'SELECT 1 -- first\n; SELECT 2'],
  ['a parenthesis that ends the subquery', 'SELECT 1) AS a, (SELECT 2'],
  ['a parenthesis that stays open', 'SELECT (1'],
  ['a comment that one database nests', 'SELECT 1 /* /* */ */'],
  ['the rest of the query in a comment', 'SELECT 1 /*'],
  ['a text with backslashes', "SELECT E'\\'; DROP TABLE threads --'"],
  ['a quote of dollars', 'SELECT $a$;$a$'],
  ['escapes in a name', 'SELECT U&"pg\\005fsleep"(9)'],
  ['a text with a NUL', "SELECT 'a\0b'"],
  ['a space of Unicode', 'SELECT\u00a01'],
  ['pg_sleep', 'SELECT pg_sleep(60)'],
  ['pg_sleep with a comment in it', 'SELECT pg_sleep --\n(60)'],
  ['pg_sleep in quotes', 'SELECT "pg_sleep"(60)'],
  ['pg_sleep in capitals', 'SELECT PG_SLEEP (60)'],
  ['pg_read_file', "SELECT * FROM pg_read_file('/etc/passwd')"],
  ['a sequence that moves', "SELECT nextval('s')"],
  ['a large object', "SELECT lo_import('/etc/passwd')"],
  ['a setting', "SELECT set_config('statement_timeout', '0', false)"],
  ['a setting that is read', "SELECT current_setting('data_directory')"],
  ['a lock', 'SELECT pg_advisory_lock(1)'],
  ['the end of a connection', 'SELECT pg_terminate_backend(1)'],
  ['another server', "SELECT * FROM dblink('host=h', 'SELECT 1') AS t(a int)"],
  ['a table by its name', "SELECT table_to_xml('threads', true, false, '')"],
  ['a query in a text', "SELECT query_to_xml('SELECT 1', true, false, '')"],
  ['a function after AS of a column', 'SELECT 1 AS a, lo_get(1)'],
  ['a function with columns', 'SELECT * FROM json_to_x(a) AS (a int)'],
  ['load_extension', "SELECT load_extension('x.so')"],
  ['a file of SQLite', "SELECT readfile('/etc/passwd')"],
  ['memory', 'SELECT zeroblob(1000000000)'],
  ['a text that grows', "SELECT repeat('x', 1000000000)"],
  ['users', 'SELECT * FROM pg_authid'],
  ['users in quotes', 'SELECT * FROM "PG_SHADOW"'],
  ['the catalog', 'SELECT * FROM pg_catalog.pg_class'],
  ['the schema of SQLite', 'SELECT * FROM sqlite_schema'],
  ['a PRAGMA as a table', 'SELECT * FROM pragma_database_list'],
  ['more text than the maximum', `SELECT 1 -- ${'x'.repeat(20_000)}`],
]

/** Attacks that only the database recognizes. */
const REJECTED: readonly (readonly [name: string, sql: string])[] = [
  [
    'a write in a common table',
    'WITH gone AS (DELETE FROM threads RETURNING 1) SELECT * FROM gone',
  ],
  ['a new table', 'SELECT 1 AS a INTO made'],
  ['an unknown table', 'SELECT * FROM missing'],
  ['a table of the store', 'SELECT body FROM chunks'],
  ['the rows of a table of the store', 'SELECT count(*) FROM kept'],
  ['whether a table of the store has rows', 'SELECT EXISTS (SELECT 1 FROM inbox) AS any_command'],
  ['a join with a table of the store', 'SELECT thread FROM threads, "CHUNKS"'],
  ['a syntax error', 'SELECT thread FORM threads'],
]

interface Kind {
  readonly name: string
  open(): Promise<Store>
}

const stores: Store[] = []
afterAll(async () => {
  for (const store of stores) await store.close()
})

const onPostgres = (url: string) => async () => {
  const store = postgresStore({ url, schema: newSchema() })
  stores.push(store)
  return store
}

const system = await postgresUrl('15')
const KINDS: readonly Kind[] = [
  {
    name: 'a SQLite file',
    open: async () => {
      const store = sqliteStore({ file: newFile(), synchronous: 'NORMAL' })
      stores.push(store)
      return store
    },
  },
  { name: 'Postgres 18', open: onPostgres(await npmPostgres()) },
  ...(system === undefined ? [] : [{ name: 'Postgres 15', open: onPostgres(system) }]),
]

describe.each(KINDS)('SQL over $name', ({ open }) => {
  const filled = (async () => {
    const store = await open()
    await fill(store)
    return store
  })()
  const query = async (text: string, limits?: QueryLimits): Promise<QueryResult> => {
    const { query } = await filled
    if (!query) throw new Error('expected a store with queries')
    return query(text, limits)
  }
  const rows = async (text: string) => (await query(text)).rows

  it('has the columns of each table', async () => {
    for (const [table, { columns }] of Object.entries(QUERY_TABLES))
      expect([table, (await query(`SELECT * FROM ${table}`)).columns]).toEqual([
        table,
        Object.keys(columns),
      ])
  })

  it('reads threads, events, calls, edges, findings, escapes and breakers', async () => {
    expect(
      await rows('SELECT thread, graph, status, outcome, seq, at FROM threads ORDER BY 1'),
    ).toEqual([
      ['looped', 'agent', 'ended', 'stopped', 3, 30],
      ['plain', 'ring', 'active', null, 2, 20],
    ])
    expect(await rows('SELECT type, count(*) FROM events GROUP BY type ORDER BY type')).toEqual([
      ['model.done', 1],
      ['node.done', 4],
      ['tool.done', 1],
      ['tool.failed', 1],
    ])
    expect(await rows('SELECT kind, subject, ok, class, usd FROM calls ORDER BY seq')).toEqual([
      ['model', 'fast', 1, null, 0.25],
      ['tool', 'search', 0, 'transient', null],
      ['tool', 'search', 1, null, null],
    ])
    expect(await rows('SELECT thread, seq, kind, repeats, reason FROM findings')).toEqual([
      ['looped', 3, 'loop', 3, 'same-answers'],
    ])
    expect(await rows('SELECT thread, rung, kind FROM escapes')).toEqual([
      ['looped', 'alternative', 'loop'],
    ])
    expect(
      await rows(
        "SELECT edge, count(*), max(seq), max(at) FROM edges WHERE thread = 'plain' GROUP BY edge",
      ),
    ).toEqual([['act.done', 3, 2, 20]])
    expect(
      await rows("SELECT resource, state, retry_at FROM breakers WHERE state = 'open'"),
    ).toEqual([['agent/tool:search', 'open', 5_000]])
  })

  it('counts the edges that the threads of a graph took, and the threads', async () => {
    const counts = async (graph: string) =>
      new Map((await rows(edgesOf(graph))) as [string, number][])
    expect(await counts('ring')).toEqual(
      new Map([
        ['act.done', 3],
        [null, 1],
      ]),
    )
    expect(await counts("o'ring")).toEqual(new Map([[null, 0]]))
  })

  it('runs every named query', async () => {
    const found = new Map<string, QueryResult['rows']>()
    for (const { name, sql } of NAMED_QUERIES) found.set(name, await rows(sql))
    expect(Object.fromEntries(found)).toMatchObject({
      'Calls by tool and failure class': [
        ['search', 'answered', 1],
        ['search', 'transient', 1],
      ],
      'Error rate by tool and model': [
        ['tool', 'search', 2, 1, 50],
        ['model', 'fast', 1, 0, 0],
      ],
      'Cost per thread': [['looped', 1, 100, 7, 0.25]],
      'Threads that looped': [['looped', 'stopped', 1, 3, 3]],
      'Escapes by rung and outcome': [['alternative', 'loop', 'stopped', 1]],
      'Latest failures': [['looped', 1, 'search', 'transient', 'search is down']],
      'Open breakers': [['agent/tool:search', 'open', 0, 5_000]],
    })
  })

  it('takes common tables, windows, comments, quoted names and two columns of one name', async () => {
    const text = `-- the longest threads
      WITH sizes(thread, size) AS (SELECT thread, count(*) FROM events GROUP BY thread),
        names (thread) AS (SELECT thread FROM sizes)
      SELECT sizes.thread, 'it''s; (' AS "a "" ( name", rank() OVER (ORDER BY size DESC) AS place, names.thread
      FROM sizes JOIN names ON names.thread = sizes.thread ORDER BY place;`
    const { columns, rows } = await query(text)
    expect(columns.slice(0, 3)).toEqual(['thread', 'a " ( name', 'place'])
    expect(rows).toEqual([
      ['looped', "it's; (", 1, 'looped'],
      ['plain', "it's; (", 2, 'plain'],
    ])
  })

  it('reads no event of the checkpoints of LangGraph, which are not redacted', async () => {
    const store = await open()
    await begun(store, 'langgraph:chat', 2)
    await begun(store, 'langgraph', 1)
    const found = async (text: string) => (await store.query?.(text))?.rows
    expect(await found('SELECT DISTINCT thread FROM events')).toEqual([['langgraph']])
    expect(await found('SELECT count(*) FROM threads')).toEqual([[2]])
  })

  it('keeps numbers that JSON cannot hold as texts', async () => {
    expect(
      await rows('SELECT 9007199254740993 AS big, 12 AS small, 0.5 AS half, NULL AS absent'),
    ).toEqual([['9007199254740993', 12, 0.5, null]])
  })

  it('says that it has more rows than the limit', async () => {
    const text = 'SELECT seq FROM events ORDER BY thread, seq'
    expect(await query(text, { rows: 2 })).toEqual({
      columns: ['seq'],
      rows: [[0], [1]],
      truncated: true,
    })
    expect((await query(text, { rows: 7 })).truncated).toBe(false)
  })

  it('refuses a result with more bytes than the limit, in one row or in many', async () => {
    const limits = { bytes: 100 }
    const long = `SELECT '${'x'.repeat(200)}' AS a`
    const many = `SELECT '${'x'.repeat(30)}' AS a FROM events`
    for (const text of [long, many])
      await expect(query(text, limits)).rejects.toMatchObject({
        name: 'QueryStopped',
        message: expect.stringContaining('more than 100 bytes'),
      })
    expect((await query("SELECT 'short' AS a", limits)).rows).toEqual([['short']])
  })

  it('ends a query that never ends, and takes the next one', async () => {
    await expect(query(ENDLESS, { ms: 1_500 })).rejects.toMatchObject({ name: 'QueryStopped' })
    expect(await rows('SELECT 1 AS one')).toEqual([[1]])
  })

  it.each(REFUSED)('refuses %s', async (_, text) => {
    await expect(query(text)).rejects.toMatchObject({ name: 'InvalidQuery' })
  })

  it('names the place of what it refuses', async () => {
    await expect(query('SELECT 1,\n  pg_sleep(9)')).rejects.toThrow(
      'line 2, column 3: pg_sleep cannot be used',
    )
    await expect(query('SELECT count(*), lo_get(9)')).rejects.toThrow(
      'line 1, column 18: the function lo_get cannot be used in a query',
    )
  })

  it.each(REJECTED)('rejects %s with the message of the database', async (_, text) => {
    await expect(query(text)).rejects.toMatchObject({
      name: 'InvalidQuery',
      message: expect.stringMatching(/^(SQLite|Postgres): .{10}/),
    })
  })

  it('has changed nothing', async () => {
    const store = await filled
    expect((await store.rows('looped')).length).toBe(4)
    expect((await store.threads()).map(({ thread }) => thread)).toEqual(['looped', 'plain'])
    expect((await store.load('looped'))?.rows.length).toBe(4)
  })
})

describe('a query on Postgres', () => {
  it('needs no more than the right to read the schema', async () => {
    const url = await npmPostgres()
    const schema = newSchema()
    const role = `reader_${schema}`
    const store = postgresStore({ url, schema })
    stores.push(store)
    await begun(store, 't')
    await sql(
      url,
      `CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${role};
       GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
    )
    const reader = postgresStore({ url: url.replace('postgres@', `${role}@`), schema })
    stores.push(reader)
    expect((await reader.query?.('SELECT thread, seq FROM events'))?.rows).toEqual([['t', 0]])
  })

  it('reads no other schema, leaves no connection, and says where an error is', async () => {
    const url = await npmPostgres()
    const [schema, other] = [newSchema(), newSchema()]
    const { query } = await onPostgres(url)().then(async store => {
      await store.counts()
      return store
    })
    await sql(url, `CREATE SCHEMA ${other}; CREATE TABLE ${other}.users (password text)`)
    for (const text of [
      `SELECT * FROM ${other}.users`,
      `SELECT * FROM "${other}" . users`,
      `SELECT * FROM postgres.${other}.users`,
      `SELECT ${other}.users.password FROM threads`,
      'SELECT * FROM information_schema.tables',
    ])
      await expect(query?.(text)).rejects.toMatchObject({
        name: 'InvalidQuery',
        message: expect.stringContaining('only the tables for queries'),
      })
    await expect(query?.('SELECT 1,\n  tread FROM threads')).rejects.toThrow(
      'Postgres: line 2, column 3: column "tread" does not exist',
    )
    await expect(query?.(ENDLESS, { ms: 500 })).rejects.toMatchObject({ name: 'QueryStopped' })
    const left = await sql(
      url,
      `SELECT query FROM pg_stat_activity WHERE query LIKE '%"the result"%' AND query NOT LIKE '%pg_stat_activity%'`,
    )
    expect([left, schema.length]).toEqual([[], other.length])
  })

  it('waits for a lock no longer than for a statement', async () => {
    const url = await npmPostgres()
    const schema = newSchema()
    const store = postgresStore({ url, schema })
    stores.push(store)
    await store.counts()
    const locked = sql(
      url,
      `BEGIN; LOCK ${schema}.events IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(2); COMMIT`,
    )
    await pause(200)
    const asked = store.query?.('SELECT count(*) FROM events', { ms: 300 })
    await expect(asked).rejects.toMatchObject({ name: 'QueryStopped' })
    await locked
  })
})

describe('a query on a SQLite file', () => {
  it.skipIf(!existsSync('/proc/self/task'))(
    'ends with the process that asked for it',
    async () => {
      const file = newFile()
      await sqliteStore(file).close()
      const store = join(import.meta.dirname, '../../src/adapters/store/sqlite/sqlite-store.ts')
      const program = `const { sqliteStore } = await import(${JSON.stringify(store)})
        sqliteStore(${JSON.stringify(file)}).query(${JSON.stringify(ENDLESS)}, { ms: 60000 })`
      const asking = spawn(process.execPath, ['--input-type=module', '-e', program])
      const childrenOf = (pid = 0) =>
        readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
      await expect.poll(() => childrenOf(asking.pid), { timeout: 20_000 }).toHaveLength(1)
      const [child] = childrenOf(asking.pid)
      // The query runs: its process has used the processor for some time.
      await expect.poll(() => cpuOf(child), { timeout: 20_000 }).toBeGreaterThan(100)
      asking.kill('SIGKILL')
      await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false)
    },
    60_000,
  )

  it('is absent for a store in memory', () => {
    expect([memoryStore().query, sqliteStore(':memory:').query]).toEqual([undefined, undefined])
  })
})

/** The ticks of the processor that a process has used. */
const cpuOf = (pid = ''): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[11])

const isAlive = (pid = ''): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
