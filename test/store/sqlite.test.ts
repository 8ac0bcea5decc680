import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import {
  migrate,
  MIGRATIONS,
  open,
  sqliteStore,
  storeOn,
} from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { DUE } from '../../src/adapters/store/sqlite/threads.ts'
import type { Lease, Store } from '../../src/runtime/store/store.ts'
import { batch, begun, cancel, row, rowsBetween, seqs, terms } from './batches.ts'
import { storeContract } from './contract.ts'
import { newFiles } from './folder.ts'

const newFile = newFiles()

/** A disk that is not waited for: these tests are not about power cuts. */
function quick(file = newFile()): Store {
  return sqliteStore({ file, synchronous: 'NORMAL' })
}

storeContract('the store in a SQLite file', quick)

describe('a SQLite store with the name `:memory:`', () => {
  it('is in memory, and creates no file', async () => {
    const store = sqliteStore(':memory:')
    const other = sqliteStore(':memory:')
    await store.putBlob('h', { kept: 'here' })
    expect(await store.getBlob('h')).toEqual({ kept: 'here' })
    expect(await other.getBlob('h')).toBeUndefined()
    await store.close()
    await other.close()
    expect(existsSync(':memory:')).toBe(false)
  })
})

/** The version in a file, read without a store. */
function versionIn(file: string): unknown {
  const db = new DatabaseSync(file)
  const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: unknown }
  db.close()
  return user_version
}

describe('a reopened SQLite store', () => {
  it('contains all its data', async () => {
    const file = newFile()
    const first = quick(file)
    const lease = await begun(first, 't', 3, {
      wakeAt: 5,
      checkpoint: { seq: 2, run: { at: 2 }, chunks: new Map([['h', ['item']]]) },
    })
    await first.submit('t', 'c1', cancel('one'))
    await first.submit('t', 'c2', cancel('two'))
    await first.append(batch(lease, [row(4)], { wakeAt: 5, settled: [{ command: 'c1' }] }))
    await first.putBlob('spec', { id: 'ring' })
    const line = await first.thread('t')
    await first.close()
    const second = quick(file)
    expect(await second.load('t')).toEqual({
      checkpoint: { seq: 2, run: { at: 2 } },
      rows: rowsBetween(3, 4),
    })
    expect(await second.chunks(['h'])).toEqual(new Map([['h', ['item']]]))
    expect(await second.inbox('t')).toEqual([{ command: 'c2', event: cancel('two') }])
    expect(await second.command('t', 'c1')).toEqual({ state: 'done' })
    expect(await second.getBlob('spec')).toEqual({ id: 'ring' })
    expect(await second.thread('t')).toEqual(line)
    expect(await second.due(2_000)).toEqual(['t'])
    await second.close()
  })

  it('still honors live leases', async () => {
    const file = newFile()
    const first = quick(file)
    const lease = await begun(first, 't')
    await first.close()
    const second = quick(file)
    await expect(second.lease('t', terms('host/2/b', { now: 999 }))).rejects.toMatchObject({
      name: 'Conflict',
    })
    await second.append(batch(lease, [row(1)]))
    await second.close()
  })

  it('leaves one file, without its write-ahead log', async () => {
    const file = newFile()
    const store = quick(file)
    await begun(store, 't')
    expect(existsSync(`${file}-wal`)).toBe(true)
    await store.close()
    expect([existsSync(file), existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('rejects all calls after close, and may be closed twice', async () => {
    const store = quick()
    const lease = await begun(store, 't')
    await store.close()
    await store.close()
    await expect(store.append(batch(lease, [row(1)]))).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringContaining('has been closed'),
    })
    await expect(store.threads()).rejects.toMatchObject({ name: 'StoreUnavailable' })
  })
})

describe('a SQLite store on disk', () => {
  it('stores nothing of an interrupted batch', async () => {
    const store = quick()
    const lease = await begun(store, 't')
    const broken = batch(lease, [row(1)], {
      settled: [{ command: Symbol('not a text') as unknown as string }],
    })
    await expect(store.append(broken)).rejects.toBeInstanceOf(TypeError)
    expect(await seqs(store, 't')).toEqual([0])
    expect(await store.thread('t')).toMatchObject({ seq: 0 })
    await store.append(batch(lease, [row(1)]))
    await store.close()
  })

  it('finds a row, a checkpoint and a chunk that were changed into other valid JSON', async () => {
    for (const change of [
      'UPDATE events SET body = replace(body, \'"seq":0\', \'"seq":0,"x":1\') WHERE seq = 0',
      "UPDATE checkpoints SET run = '{}'",
      "UPDATE chunks SET body = '[]'",
    ]) {
      const file = newFile()
      const store = quick(file)
      const checkpoint = { seq: 0, run: { a: 1 }, chunks: new Map([['hash', [1]]]) }
      await store.append(batch(await store.lease('t', terms('me')), [row(0)], { checkpoint }))
      await store.close()
      const db = new DatabaseSync(file)
      db.exec(change)
      db.close()
      const damaged = quick(file)
      const read = async () => [
        await damaged.load('t'),
        await damaged.rows('t'),
        await damaged.chunks(['hash']),
      ]
      await expect(read()).rejects.toMatchObject({
        name: 'StoreUnavailable',
        message: expect.stringContaining('damaged'),
      })
      await damaged.close()
    }
  })

  describe('checkpoints', () => {
    /** Two threads of ten rows, with checkpoints of rows 3 and 6. */
    async function checkpointed() {
      const file = newFile()
      const store = quick(file)
      for (const thread of ['t', 'other']) {
        const checkpoint = (seq: number) => ({ seq, run: { thread, seq }, chunks: new Map() })
        const lease = await begun(store, thread, 3, { checkpoint: checkpoint(3) })
        await store.append(batch(lease, rowsBetween(4, 9), { checkpoint: checkpoint(6) }))
      }
      await store.close()
      return file
    }

    /** Whether a thread is read as it was stored, or refused. */
    async function check(store: Store, thread: string): Promise<'read' | 'refused'> {
      const loaded = await store.load(thread).catch(error => {
        expect(error).toMatchObject({ name: 'StoreUnavailable' })
      })
      if (!loaded) return 'refused'
      const { checkpoint, rows } = loaded
      const seq = checkpoint?.seq ?? -1
      if (checkpoint) expect(checkpoint.run).toEqual({ thread, seq })
      expect(rows).toEqual(rowsBetween(seq + 1, 9))
      return 'read'
    }

    it('are read as they are, or not at all, whatever bit of their index is flipped', async () => {
      const file = await checkpointed()
      const db = new DatabaseSync(file)
      const { page } = db
        .prepare(`SELECT pageno AS page FROM dbstat WHERE name = 'sqlite_autoindex_checkpoints_1'`)
        .get() as { page: number }
      const { page_size: size } = db.prepare('PRAGMA page_size').get() as { page_size: number }
      db.close()
      const whole = readFileSync(file)
      const seen = { read: 0, refused: 0 }
      for (let place = (page - 1) * size; place < page * size; place++)
        for (const bit of whole[place] === 0 ? [] : [0, 1, 2, 5, 7]) {
          const flipped = Buffer.from(whole)
          flipped.writeUInt8(flipped.readUInt8(place) ^ (1 << bit), place)
          writeFileSync(file, flipped)
          const store = quick(file)
          for (const thread of ['t', 'other']) seen[await check(store, thread)] += 1
          await store.close()
        }
      expect(seen.read).toBeGreaterThan(0)
      expect(seen.refused).toBeGreaterThan(0)
    })

    it.each([
      ['of another row', 'UPDATE checkpoints SET seq = 5 WHERE seq = 6', 'refused'],
      ['of another thread', 'UPDATE checkpoints SET thread = 3 - thread, seq = seq + 1', 'refused'],
      ['of a row that does not exist', 'UPDATE checkpoints SET seq = 600 WHERE seq = 6', 'read'],
    ])('with the key %s are not taken for those of it', async (_, change, wanted) => {
      const file = await checkpointed()
      edit(file, change)
      const store = quick(file)
      expect(await check(store, 't')).toBe(wanted)
      await store.close()
    })

    it('of an earlier version, whose checksum does not cover the key, are read', async () => {
      const file = await checkpointed()
      const db = new DatabaseSync(file)
      for (const { id, run } of db.prepare('SELECT rowid AS id, run FROM checkpoints').all())
        db.prepare('UPDATE checkpoints SET sum = ? WHERE rowid = ?').run(
          crc32(String(run)),
          id as number,
        )
      db.close()
      const store = quick(file)
      expect(await store.load('t')).toMatchObject({ checkpoint: { seq: 6 } })
      expect(await check(store, 't')).toBe('read')
      await store.close()
    })
  })

  it.each([
    ['the time', "UPDATE threads SET wake_at = wake_at + 4096 WHERE name = 't'"],
    ['the status', "UPDATE threads SET status = 'endee' WHERE name = 't'"],
  ])('finds a thread as due if %s in its line was changed', async (_, change) => {
    const file = newFile()
    const store = quick(file)
    for (const thread of ['t', 'other']) {
      const lease = await store.lease(thread, terms('me'))
      await store.append(batch(lease, [row(0)], { wakeAt: 50_000 }))
      await store.release(lease)
    }
    expect(await store.due(10)).toEqual([])
    await store.close()
    edit(file, change)
    const damaged = quick(file)
    expect(await damaged.due(10)).toEqual(['t'])
    expect(await damaged.due(20)).toEqual(['t'])
    expect(await damaged.due(10_000)).toEqual([])
    expect(await damaged.due(700_000)).toContain('t')
    await damaged.close()
  })

  it.each([
    ['threads', 'found'],
    ['threads', 'spent'],
    ['events', 'spent'],
  ])('lists a thread whose tally in %s.%s is damaged, without it', async (table, column) => {
    const file = newFile()
    const store = quick(file)
    const tally = {
      ...{ findings: 0, escapes: 0, rungs: [] },
      spent: { steps: 1, tokens: 2, usd: 3 },
    }
    const lease = await begun(store, 't', 0, { wakeAt: 0, summary: { tally } })
    if (table === 'events')
      await store.append(batch(lease, [row(1)], { wakeAt: 10, summary: { tally } }))
    await store.close()
    edit(file, `UPDATE ${table} SET ${column} = '{"findings'`)
    const damaged = quick(file)
    expect(await damaged.page({ finding: 'any', minUsd: 0 })).toEqual([])
    expect((await damaged.page({})).map(of => [of.thread, of.tally])).toEqual([['t', undefined]])
    expect(await damaged.tallies()).toMatchObject([{ count: 1, usd: column === 'spent' ? 0 : 3 }])
    await damaged.close()
  })

  it('finds a thread as due if one bit of its time was flipped, in the line or in the index', async () => {
    const wakeAt = 1_767_225_612_345
    const file = newFile()
    const store = quick(file)
    const lease = await store.lease('t', terms('me'))
    await store.append(batch(lease, [row(0)], { wakeAt }))
    await store.release(lease)
    await store.close()
    const whole = readFileSync(file)
    const stored = Buffer.alloc(8)
    stored.writeBigInt64BE(BigInt(wakeAt))
    const places = [whole.indexOf(stored.subarray(2))]
    places.push(whole.indexOf(stored.subarray(2), (places[0] ?? 0) + 1))
    for (const place of places) {
      expect(place).toBeGreaterThan(0)
      const flipped = Buffer.from(whole)
      flipped.writeUInt8(flipped.readUInt8(place) ^ 0x10, place)
      writeFileSync(file, flipped)
      const damaged = quick(file)
      expect(await damaged.due(wakeAt)).toEqual(['t'])
      const again = await damaged.lease('t', terms('you'))
      await damaged.append(batch(again, [row(1)], { wakeAt: 20 }))
      await damaged.release(again)
      expect(await damaged.due(600_011)).toEqual(['t'])
      await damaged.close()
      const db = new DatabaseSync(file)
      expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
      db.close()
    }
  })

  it.each([
    ['a command in the inbox', `inbox SET event = replace(event, 'enough', 'enougH')`],
    ['a share', `shares SET body = replace(body, '"runs":[]', '"runs":[1]')`],
    ['a breaker', `breakers SET body = replace(body, ':3', ':4')`],
    ['a malformed command of an earlier version', `inbox SET event = '{', sum = NULL`],
  ])('finds %s that was changed', async (_, change) => {
    const { file, read } = await sharedTables()
    edit(file, `UPDATE ${change}`)
    await expect(read()).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringMatching(
        /^the (command 'c1' to 't'|share of 't' in scope 'team'|breaker of 'r') is damaged: /,
      ),
    })
  })

  it('reads commands, shares and breakers without a checksum', async () => {
    const { file, read } = await sharedTables()
    for (const table of ['inbox', 'shares', 'breakers'])
      edit(file, `UPDATE ${table} SET sum = NULL`)
    expect((await read()).map(each => JSON.stringify(each))).toEqual([
      expect.stringContaining('enough'),
      expect.stringContaining('"scope":"team"'),
      expect.stringContaining('"failures":3'),
    ])
  })

  it('takes at most three times the bytes of its events, for short rows and for long ones', async () => {
    for (const size of [150, 600, 1_300, 4_200]) {
      const file = newFile()
      const store = quick(file)
      const bytes = await filled(store, size, 1_024)
      await store.close()
      expect(statSync(file).size / bytes).toBeLessThan(3)
    }
  })

  it('exposes its events to SQL by thread, seq, time and type', async () => {
    const file = newFile()
    const store = quick(file)
    await begun(store, 't', 1)
    await store.close()
    const db = new DatabaseSync(file)
    expect(
      db
        .prepare('SELECT name, events.seq, events.at, type FROM events JOIN threads ON id = thread')
        .all(),
    ).toEqual([
      { name: 't', seq: 0, at: 0, type: 'node.done' },
      { name: 't', seq: 1, at: 10, type: 'node.done' },
    ])
    db.close()
  })

  it('survives a power cut, unless the caller accepts less', () => {
    const levelOf = (options: object) => {
      const db = open({ file: newFile(), ...options })
      const { synchronous } = db.prepare('PRAGMA synchronous').get() as { synchronous: number }
      db.close()
      return synchronous
    }
    expect([levelOf({}), levelOf({ synchronous: 'NORMAL' })]).toEqual([2, 1])
  })

  it('appends of several threads in one tick in one transaction, and rejects only the one that fails', async () => {
    const db = open({ file: newFile(), synchronous: 'NORMAL' })
    const store = storeOn(db, 'threads.db')
    const leases = []
    for (const thread of ['a', 'b', 'c']) leases.push(await begun(store, thread))
    const exec = vi.spyOn(db, 'exec')
    const begins = () => exec.mock.calls.filter(([sql]) => sql.startsWith('BEGIN')).length
    await Promise.all(leases.map(lease => store.append(batch(lease, [row(1)]))))
    expect(begins()).toBe(1)
    const second = leases.map((lease, nth) => batch(lease, [row(nth === 1 ? 1 : 2)]))
    const results = await Promise.allSettled(second.map(each => store.append(each)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: { name: 'Conflict' } })
    expect((await store.threads()).map(({ seq }) => seq)).toEqual([2, 1, 2])
    await store.close()
  })

  it('writes the line of a thread only when more changes than its last event and its active states', async () => {
    const db = open({ file: newFile(), synchronous: 'NORMAL' })
    const store = storeOn(db, 'threads.db')
    const lease = await begun(store, 't', 0, { wakeAt: 0 })
    const add = async (seq: number, more: Parameters<typeof batch>[2]) => {
      await store.append(batch(lease, [row(seq)], more))
      return db.prepare('SELECT seq FROM threads').get()
    }
    const next = { wakeAt: 10, summary: { detail: 'check' } }
    expect(await add(1, next)).toEqual({ seq: 0 })
    expect(await store.thread('t')).toMatchObject({ seq: 1, at: 10, wakeAt: 10, detail: 'check' })
    expect(await store.due(20_000)).toEqual(['t'])
    expect(await add(2, { wakeAt: 50_000, summary: { status: 'waiting' } })).toEqual({ seq: 2 })
    expect(await store.thread('t')).toMatchObject({ status: 'waiting', wakeAt: 50_000 })
    expect(await store.due(20_000)).toEqual([])
    expect(await add(3, { summary: { status: 'waiting' } })).toEqual({ seq: 3 })
    expect(await store.thread('t')).not.toHaveProperty('wakeAt')
    await store.close()
  })

  it('finds due threads by indexes, not by reading all rows', () => {
    const db = open({ file: newFile() })
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${DUE}`).all(0)
    expect(
      plan.map(({ detail }) => String(detail)).filter(detail => detail.startsWith('SCAN threads')),
    ).toEqual([])
    db.close()
  })
})

function edit(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

/** A file with a command, a share and a breaker. `read` reads the three with a new store. */
async function sharedTables() {
  const file = newFile()
  const store = quick(file)
  const shares = [{ scope: 'team', key: '', thread: 't', until: 9, at: 0, runs: [] } as never]
  await store.append(batch(await store.lease('t', terms('me')), [row(0)], { shares }))
  await store.submit('t', 'c1', cancel('enough'))
  await store.changeBreaker('r', () => ({ state: 'open', failures: 3, openedAt: 1, retryAt: 9 }))
  await store.close()
  const read = async () => {
    const again = quick(file)
    try {
      return [await again.inbox('t'), await again.shares(), await again.breaker('r')]
    } finally {
      await again.close()
    }
  }
  return { file, read }
}

/** Four threads of rows of about `size` bytes, a checkpoint with its chunks after every 256 rows. Returns the bytes of the rows. */
async function filled(store: Store, size: number, rows: number): Promise<number> {
  const leases = await Promise.all(['a', 'b', 'c', 'd'].map(thread => store.lease(thread, terms())))
  let bytes = 0
  for (let seq = 0; seq < rows / leases.length; seq += 1) {
    const written = row(seq, 'x'.repeat(Math.max(0, size - JSON.stringify(row(seq, '')).length)))
    for (const lease of leases) {
      bytes += JSON.stringify(written).length
      await store.append(
        batch(
          lease,
          [written],
          (seq + 1) % 256 === 0 ? { checkpoint: checkpointOf(lease, seq, size) } : {},
        ),
      )
    }
  }
  return bytes
}

/** A run of 15 KB beside four full chunks of a log of messages, each as long as half an event. */
function checkpointOf({ thread }: Lease, seq: number, size: number) {
  const chunk = Array.from({ length: 64 }, () => 'm'.repeat(size / 2))
  return {
    seq,
    run: { watch: 'w'.repeat(15_000) },
    chunks: new Map([0, 1, 2, 3].map(n => [`${thread}-${seq}-${n}`, chunk])),
  }
}

describe('a journal that was edited', () => {
  const hands: readonly (readonly [string, string])[] = [
    ['with an event taken out', 'DELETE FROM events WHERE seq = 3'],
    ['with its last event taken out', 'DELETE FROM events WHERE seq = 5'],
    ['with an event that is empty', `UPDATE events SET body = '{}' WHERE seq = 3`],
    ['with an event that is nothing', `UPDATE events SET body = 'null' WHERE seq = 3`],
    [
      'with an event in place of another',
      'UPDATE events SET body = (SELECT body FROM events WHERE seq = 2) WHERE seq = 3',
    ],
    [
      'with an event at no time',
      `UPDATE events SET body = json_set(body, '$.event.at', NULL) WHERE seq = 3`,
    ],
  ]
  it.each(hands)('%s is rejected', async (_, statement) => {
    const file = newFile()
    const store = quick(file)
    await begun(store, 't', 5, {})
    await store.close()
    const db = new DatabaseSync(file)
    db.exec(statement)
    db.close()
    const again = quick(file)
    const expected = {
      name: 'StoreUnavailable',
      message: expect.stringMatching(
        /^event [35] in the journal of 't' is damaged: it is missing or malformed$/,
      ),
    }
    await expect(again.load('t')).rejects.toMatchObject(expected)
    if (!statement.includes('5')) await expect(again.rows('t')).rejects.toMatchObject(expected)
    await again.close()
  })
})

describe('the version of a SQLite file', () => {
  it('is written into a new file', async () => {
    const file = newFile()
    await quick(file).close()
    expect(versionIn(file)).toBe(MIGRATIONS.length)
  })

  it('of a newer escapement is rejected with both versions, and the file is not changed', async () => {
    const file = newFile()
    const store = quick(file)
    await begun(store, 't')
    await store.close()
    const db = new DatabaseSync(file)
    db.exec('PRAGMA user_version = 99')
    db.close()
    const before = readFileSync(file)
    expect(() => quick(file)).toThrow(
      expect.objectContaining({
        name: 'StoreUnavailable',
        message: expect.stringMatching(new RegExp(`version 99.* ${MIGRATIONS.length}`)),
      }),
    )
    expect(readFileSync(file)).toEqual(before)
  })

  it('of 0.1.0 keeps its breakers', async () => {
    const file = newFile()
    const db = new DatabaseSync(file)
    migrate(db, file, MIGRATIONS.slice(0, 5))
    db.exec(`INSERT INTO breakers VALUES
      ('a', 'closed', 2, NULL, NULL), ('b', 'open', 3, 5, 35), ('c', 'half-open', 4, 40, 70)`)
    db.close()
    const store = quick(file)
    expect(await store.breakers()).toEqual(
      new Map([
        ['a', { state: 'closed', failures: 2 }],
        ['b', { state: 'open', failures: 3, openedAt: 5, retryAt: 35 }],
        ['c', { state: 'half-open', failures: 4, since: 40, retryAt: 70 }],
      ]),
    )
    await store.close()
  })

  it('of an older escapement is migrated without data loss', async () => {
    const file = newFile()
    const store = quick(file)
    await begun(store, 't', 2)
    await store.close()
    const db = new DatabaseSync(file)
    migrate(db, file, [
      ...MIGRATIONS,
      'ALTER TABLE threads ADD COLUMN note TEXT',
      "UPDATE threads SET note = 'migrated'",
    ])
    expect(db.prepare('SELECT name, note FROM threads').all()).toEqual([
      { name: 't', note: 'migrated' },
    ])
    expect(db.prepare('SELECT count(*) AS events FROM events').get()).toEqual({ events: 3 })
    db.close()
    expect(versionIn(file)).toBe(MIGRATIONS.length + 2)
  })

  it('of an escapement with an index of events is migrated with each event at its place', async () => {
    const file = newFile()
    const db = new DatabaseSync(file)
    migrate(db, file, MIGRATIONS.slice(0, 6))
    const add = db.prepare('INSERT INTO events (thread, seq, body) VALUES (?, ?, ?)')
    for (const [id, name] of ['b', 'a'].entries()) {
      db.prepare(
        "INSERT INTO threads (id, name, seq, status, graph, spec_hash, detail, at, started_at) VALUES (?, ?, 2, 'active', 'ring', 'hash', 'act', 20, 0)",
      ).run(id + 1, name)
      for (const each of rowsBetween(0, 2)) add.run(id + 1, each.seq, JSON.stringify(each))
    }
    db.close()
    const store = quick(file)
    for (const thread of ['a', 'b']) expect(await store.rows(thread)).toEqual(rowsBetween(0, 2))
    const lease = await store.lease('b', terms())
    await store.append(batch(lease, [row(3)]))
    expect((await store.load('b'))?.rows).toEqual(rowsBetween(0, 3))
    expect((await store.threads()).map(({ thread, seq }) => [thread, seq])).toEqual([
      ['b', 3],
      ['a', 2],
    ])
    await store.close()
  })

  it('stays the old one if a migration fails, like the tables', async () => {
    const file = newFile()
    await quick(file).close()
    const db = new DatabaseSync(file)
    expect(() =>
      migrate(db, file, [
        ...MIGRATIONS,
        'ALTER TABLE threads ADD COLUMN note TEXT',
        'this is not SQL',
      ]),
    ).toThrow()
    db.close()
    expect(versionIn(file)).toBe(MIGRATIONS.length)
    const store = quick(file)
    await begun(store, 't')
    await store.close()
  })
})

describe('a file that is not a store', () => {
  it.each(['hello', 'line\n'.repeat(3_000)])(
    'is neither opened nor changed if it is not SQLite',
    content => {
      const file = newFile()
      writeFileSync(file, content)
      expect(() => quick(file)).toThrow(
        expect.objectContaining({
          name: 'StoreUnavailable',
          message: expect.stringContaining(`${file} is not a SQLite database`),
          cause: expect.any(Error),
        }),
      )
      expect(readFileSync(file, 'utf8')).toBe(content)
      expect(existsSync(`${file}-wal`)).toBe(false)
    },
  )

  it('is neither opened nor changed if it is the database of another program', () => {
    const file = newFile()
    const db = new DatabaseSync(file)
    db.exec('CREATE TABLE bookmarks (url TEXT)')
    db.close()
    const before = readFileSync(file)
    expect(() => quick(file)).toThrow(
      expect.objectContaining({
        name: 'StoreUnavailable',
        message: expect.stringContaining('not a store of escapement'),
      }),
    )
    expect(readFileSync(file)).toEqual(before)
  })

  it('is named if its folder does not exist', () => {
    const file = join(newFile(), 'deep', 'runs.db')
    expect(() => quick(file)).toThrow(
      expect.objectContaining({
        name: 'StoreUnavailable',
        message: expect.stringContaining(`${file} cannot be opened`),
      }),
    )
  })

  it('becomes a store if it was empty', async () => {
    const file = newFile()
    writeFileSync(file, '')
    const store = quick(file)
    await begun(store, 't')
    await store.close()
  })
})

describe('a SQLite store opened for reading', () => {
  it('reads the latest data of the writer, and writes nothing', async () => {
    const file = newFile()
    const writer = quick(file)
    const lease = await begun(writer, 't')
    const reader = sqliteStore({ file, readOnly: true })
    await writer.append(batch(lease, [row(1)]))
    expect(await seqs(reader, 't')).toEqual([0, 1])
    await expect(reader.lease('t', terms())).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringContaining('read-only'),
    })
    await expect(reader.submit('t', 'c1', cancel('enough'))).rejects.toMatchObject({
      name: 'StoreUnavailable',
    })
    await reader.close()
    await writer.append(batch(lease, [row(2)]))
    await writer.close()
  })

  it('does not create a file', () => {
    const file = newFile()
    expect(() => sqliteStore({ file, readOnly: true })).toThrow(
      expect.objectContaining({ name: 'StoreUnavailable' }),
    )
    expect(existsSync(file)).toBe(false)
  })

  it('reports an older file and does not migrate it', () => {
    const file = newFile()
    writeFileSync(file, '')
    expect(() => sqliteStore({ file, readOnly: true })).toThrow(
      expect.objectContaining({
        name: 'StoreUnavailable',
        message: expect.stringContaining('version 0'),
      }),
    )
  })
})

describe('a SQLite store without space', () => {
  it('reports the cause, stores nothing of the batch, and continues after space is available', async () => {
    const file = newFile()
    const db = open({ file })
    db.exec('PRAGMA max_page_count = 40')
    const store = storeOn(db, file)
    const lease = await begun(store, 't', 3)
    const big = batch(lease, [row(4), row(5, 'x'.repeat(200_000))], { wakeAt: 7 })
    const before = await store.thread('t')
    await expect(store.append(big)).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringContaining(`no space left for ${file}`),
      cause: expect.objectContaining({ errcode: 13 }),
    })
    expect(await seqs(store, 't')).toEqual([0, 1, 2, 3])
    expect(await store.thread('t')).toEqual(before)
    db.exec('PRAGMA max_page_count = 1000')
    await store.append(big)
    expect(await seqs(store, 't')).toEqual([0, 1, 2, 3, 4, 5])
    await store.close()
  })
})

describe('a SQLite store that another process keeps locked', () => {
  it('reports it, stores nothing, and continues after the lock is released', async () => {
    const file = newFile()
    const db = open({ file })
    db.exec('PRAGMA busy_timeout = 0')
    const store = storeOn(db, file)
    const lease = await begun(store, 't')
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    await expect(store.append(batch(lease, [row(1)]))).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringContaining(`${file} has been locked by another process`),
    })
    expect(await seqs(store, 't')).toEqual([0])
    other.close()
    await store.append(batch(lease, [row(1)]))
    await store.close()
  })
})
