/** One flipped bit in the tables beside the journal of a SQLite file, or another key: a reader gets what was stored, or an error. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import type { Share } from '../../src/core/watch/budget/scope.ts'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'
import { threadsTable } from '../../src/faces/cli/print/tables.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { batch, begun, cancel, row, terms } from './batches.ts'
import { newFiles } from './folder.ts'

const newFile = newFiles()

const open = (file: string): Store => sqliteStore({ file, synchronous: 'NORMAL' })

const scope = { scope: 'job', key: 'nightly' }
const share = (thread: string, until: number | null): Share =>
  ({ ...scope, thread, until, at: 0, spent: { usd: 5 } }) as unknown as Share

/** A store with two threads, each with a share of one scope; a waiting and a settled command; and an open breaker. */
async function stored() {
  const file = newFile()
  const store = open(file)
  const first = await begun(store, 't', 0, { shares: [share('t', null)] })
  await store.release(await begun(store, 'u', 0, { shares: [share('u', 9_000)] }))
  await store.submit('t', 'settled', cancel('earlier'))
  await store.append(batch(first, [row(1)], { settled: [{ command: 'settled' }] }))
  await store.release(first)
  await store.submit('t', 'answer', cancel('enough'))
  await store.submit('u', 'other', cancel('other'))
  await store.changeBreaker('tool:pay', () => ({
    ...{ state: 'open', failures: 3 },
    ...{ openedAt: 1, retryAt: 9_000 },
  }))
  await store.close()
  return file
}

const READS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  inbox: async store => [
    ...[await store.inbox('t'), await store.inbox('u')],
    ...[await store.command('t', 'answer'), await store.command('t', 'settled')],
  ],
  shares: store => store.shares(scope),
  breakers: store => store.breaker('tool:pay'),
}

/** What a new store reads. */
async function readFrom(file: string, read: (store: Store) => Promise<unknown>): Promise<unknown> {
  const store = open(file)
  try {
    return await read(store)
  } finally {
    await store.close()
  }
}

const PAGE = 4_096

/** The first and the last bytes of the pages of an index, or of a table and its indexes. */
function pagesOf(file: string, name: string): readonly (readonly [number, number])[] {
  const db = new DatabaseSync(file)
  const pages = db
    .prepare(
      'SELECT pageno AS page FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE ? IN (name, tbl_name))',
    )
    .all(name) as unknown as readonly { page: number }[]
  db.close()
  return pages.map(({ page }) => [(page - 1) * PAGE, page * PAGE])
}

/** Threads by their names, and those that are due when the process that drove `t` has died. */
async function readThreads(store: Store): Promise<unknown> {
  const names = ['t', 'u', 'v']
  const loaded: unknown[] = []
  for (const name of names)
    loaded.push(await store.load(name), await store.rows(name), (await store.thread(name))?.seq)
  const due = await store.due(10, { isOwnerDead: () => true })
  return [loaded, due.toSorted()]
}

/** A store with two threads whose events fill several pages. The process of `t` has died: only its events know how far it came. */
async function long() {
  const file = newFile()
  const store = open(file)
  for (const thread of ['t', 'u']) {
    const lease = await begun(store, thread, 0, { wakeAt: 0 })
    for (let seq = 1; seq < 30; seq++)
      await store.append(batch(lease, [row(seq, 'x'.repeat(400))], { wakeAt: seq * 10 }))
  }
  await store.close()
  return file
}

const readJournals = async (store: Store) => [
  ...[await store.load('t'), await store.rows('t'), await store.rows('t', 28, 10)],
  ...[await store.load('u'), await store.rows('u')],
]

/** The bits of a page of a tree that hold its structure: all of its header, and some of its pointers and of the cells of an inner page. */
function structureOf(page: Buffer): readonly (readonly [number, number])[] {
  const isInner = page[0] === 5
  const cells = page.readUInt16BE(3)
  const places = [...Array(isInner ? page.length : 8 + 2 * cells).keys()]
  return places.flatMap(at => {
    if (at < 8) return [0, 1, 2, 3, 4, 5, 6, 7].map(bit => [at, bit] as const)
    return page[at] === 0 ? [] : [[at, at % 8] as const]
  })
}

/** A store with a thread whose process has died, and one that waits. */
async function abandoned() {
  const file = newFile()
  const store = open(file)
  await begun(store, 't', 0, { wakeAt: 5 })
  await store.release(await begun(store, 'u', 0, { wakeAt: 5 }))
  await store.close()
  return file
}

describe('a flipped bit', () => {
  it.each(['sqlite_autoindex_threads_1', 'leased', 'wake'])(
    'in the index %s hides no thread, and lets no other one take its name',
    async index => {
      const file = await abandoned()
      const intact = await readFrom(file, readThreads)
      expect(intact).toMatchObject([expect.anything(), ['t', 'u']])
      const whole = readFileSync(file)
      const silent: unknown[] = []
      let places = 0
      for (const [first, end] of pagesOf(file, index))
        for (let place = first; place < end; place++)
          for (const bit of whole[place] === 0 ? [] : [0, 1, 5]) {
            places++
            const flipped = Buffer.from(whole)
            flipped.writeUInt8(flipped.readUInt8(place) ^ (1 << bit), place)
            writeFileSync(file, flipped)
            const now = await readFrom(file, readThreads).catch((error: Error) => error)
            const isRefused = now instanceof Error && now.name === 'StoreUnavailable'
            if (!isRefused && JSON.stringify(now) !== JSON.stringify(intact))
              silent.push([place - first, bit, now])
          }
      expect(silent).toEqual([])
      expect(places).toBeGreaterThan(20)
    },
    120_000,
  )

  it('in the structure of the journal hides no event of a thread whose process has died', async () => {
    const file = await long()
    const intact = JSON.stringify(await readFrom(file, readJournals))
    const whole = readFileSync(file)
    const seen = { same: 0, refused: 0, silent: [] as unknown[] }
    for (const [first, end] of pagesOf(file, 'events'))
      for (const [at, bit] of structureOf(whole.subarray(first, end))) {
        const flipped = Buffer.from(whole)
        flipped.writeUInt8(flipped.readUInt8(first + at) ^ (1 << bit), first + at)
        writeFileSync(file, flipped)
        const now = await readFrom(file, readJournals).catch((error: Error) => error)
        if (now instanceof Error && now.name === 'StoreUnavailable') seen.refused++
        else if (JSON.stringify(now) === intact) seen.same++
        else seen.silent.push([first, at, bit])
      }
    expect(seen.silent).toEqual([])
    expect(Math.min(seen.same, seen.refused)).toBeGreaterThan(50)
  }, 120_000)

  it('in the index of names starts no second thread of the name', async () => {
    const file = await abandoned()
    const whole = readFileSync(file)
    const [[first, end] = [0, 0]] = pagesOf(file, 'sqlite_autoindex_threads_1')
    const place = whole.subarray(first, end).indexOf('t') + first
    whole.write('s', place)
    writeFileSync(file, whole)
    const store = open(file)
    const { epoch } = await store.lease('t', terms('me', { now: 2_000, until: 3_000 }))
    await store.close()
    expect(epoch).toBe(2)
  })

  it.each(Object.keys(READS))(
    'in the table %s or its indexes loses and repeats nothing',
    async table => {
      const file = await stored()
      const read = READS[table] as (typeof READS)[string]
      const intact = await readFrom(file, read)
      const whole = readFileSync(file)
      const seen = { same: 0, refused: 0, silent: [] as unknown[] }
      for (const [first, end] of pagesOf(file, table))
        for (let place = first; place < end; place++)
          for (const bit of whole[place] === 0 ? [] : [0, 1, 5]) {
            const flipped = Buffer.from(whole)
            flipped.writeUInt8(flipped.readUInt8(place) ^ (1 << bit), place)
            writeFileSync(file, flipped)
            const now = await readFrom(file, read).catch((error: Error) => error)
            if (now instanceof Error && now.name === 'StoreUnavailable') seen.refused++
            else if (JSON.stringify(now) === JSON.stringify(intact)) seen.same++
            else seen.silent.push([place, bit, now])
          }
      expect(seen.silent).toEqual([])
      expect(Math.min(seen.same, seen.refused)).toBeGreaterThan(50)
    },
    120_000,
  )

  it.each([
    ['state', 'waiting', 'uaiting'],
    ['command', 'answer', 'cnswer'],
  ])('in the %s of a waiting command keeps it from being applied', async (_, text, changed) => {
    const file = await stored()
    const whole = readFileSync(file)
    let found = 0
    // The first page holds the schema, which has the same word.
    for (let at = whole.indexOf(text, PAGE); at >= 0; at = whole.indexOf(text, at + 1)) {
      const flipped = Buffer.from(whole)
      flipped.write(changed, at)
      writeFileSync(file, flipped)
      const store = open(file)
      const read = await store.inbox('t').catch(error => {
        expect(error).toMatchObject({
          name: 'StoreUnavailable',
          message: expect.stringMatching(/^the command '[ac]nswer' to 't' is damaged: /),
        })
        found++
      })
      if (read) expect(read).toEqual([{ command: 'answer', event: cancel('enough') }])
      const isUnread = await store.command('t', 'answer').then(
        ({ state }) => state === 'waiting',
        () => true,
      )
      expect(isUnread).toBe(true)
      // A driver that has read the command before cannot settle it twice.
      const lease = await store.lease('t', terms('me'))
      if (changed === 'uaiting' && !read)
        await expect(
          store.append(batch(lease, [row(2)], { settled: [{ command: 'answer' }] })),
        ).rejects.toMatchObject({ name: 'StoreUnavailable' })
      await store.close()
    }
    expect(found).toBeGreaterThan(0)
  })

  it('in the index of waiting commands is repaired when threads that are due are listed', async () => {
    const file = await stored()
    const [[first] = [0]] = pagesOf(file, 'waiting')
    const whole = readFileSync(file)
    // The number of entries: the index lists one command less.
    whole.writeUInt16BE(whole.readUInt16BE(first + 3) - 1, first + 3)
    writeFileSync(file, whole)
    const store = open(file)
    expect((await store.due(10)).toSorted()).toEqual(['t', 'u'])
    await store.close()
    const again = new DatabaseSync(file)
    expect(again.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    again.close()
  })
})

describe('a damaged line of a thread', () => {
  it.each([
    ['its detail is missing', 'detail = NULL'],
    ['its status is a number', 'status = 7, detail = 8'],
    ['its time is a text', `at = 'x'`],
    ['its tally is another record', `found = '[3,0,0]', spent = '7'`],
    ['its tally lacks a field', `found = '{"finding":{}}', spent = '[1,2,3]'`],
    ['its waits are a number', 'waits = 7'],
  ])('is listed beside the others: %s', async (_, change) => {
    const file = await stored()
    const db = new DatabaseSync(file)
    db.exec(`UPDATE threads SET ${change} WHERE name = 't'`)
    db.close()
    const store = open(file)
    const listed = await store.threads()
    await store.close()
    expect(listed.map(({ thread }) => thread)).toEqual(['t', 'u'])
    for (const { detail, status, graph } of listed)
      expect([detail, status, graph].map(text => typeof text)).toEqual(Array(3).fill('string'))
    expect(draw(threadsTable(listed), PIPE)).toContain('THREAD')
  })
})

describe('a line under another key', () => {
  it.each([
    ['a command', 'inbox SET thread = 2 WHERE thread = 1', (of: Store) => of.inbox('u')],
    [
      'the reason of a refused command',
      `inbox SET state = 'refused', code = 'x', reason = '{"code'`,
      (of: Store) => of.command('t', 'settled'),
    ],
    [
      'the scope of a share',
      `shares SET scope = 'jon' WHERE thread = 't'`,
      (of: Store) => of.shares(),
    ],
    ['the key of a share', `shares SET key = 'oightly'`, (of: Store) => of.shares()],
    [
      'the thread of a share',
      `shares SET thread = 'v' WHERE thread = 't'`,
      (of: Store) => of.shares(scope),
    ],
    [
      'the end of a share',
      'shares SET until = 1 WHERE until = 9000',
      (of: Store) => of.shares(scope),
    ],
    ['a breaker', `breakers SET resource = 'tool:qay'`, (of: Store) => of.breakers()],
    [
      'a breaker that is looked up',
      `breakers SET resource = 'tool:qay'`,
      (of: Store) => of.breaker('tool:qay'),
    ],
  ])('is not read: %s', async (_, change, read) => {
    const file = await stored()
    const db = new DatabaseSync(file)
    db.exec(`UPDATE ${change}`)
    db.close()
    await expect(readFrom(file, read)).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringContaining('is damaged: it is missing or malformed'),
    })
  })

  it('is not deleted as an expired share', async () => {
    const file = await stored()
    const db = new DatabaseSync(file)
    db.exec('UPDATE shares SET until = 1 WHERE until = 9000')
    db.close()
    const store = open(file)
    const lease = await store.lease('t', terms('me'))
    await store.append(batch(lease, [row(2)], { shares: [{ ...share('t', null), at: 10 }] }))
    await expect(store.shares(scope)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    await store.close()
  })

  it('is read if an earlier version wrote it, whose checksum does not cover the key', async () => {
    const file = await stored()
    const all = async (store: Store) => [
      ...[await READS.inbox?.(store), await READS.shares?.(store)],
      ...[await READS.breakers?.(store), [...(await store.breakers())]],
    ]
    const intact = await readFrom(file, all)
    const db = new DatabaseSync(file)
    for (const [table, body] of [
      ['inbox', 'event'],
      ['shares', 'body'],
      ['breakers', 'body'],
    ]) {
      const lines = db.prepare(`SELECT rowid AS id, ${body} AS body FROM ${table}`).all()
      for (const { id, body: text } of lines)
        db.prepare(`UPDATE ${table} SET sum = ? WHERE rowid = ?`).run(
          crc32(String(text)),
          id as number,
        )
    }
    db.close()
    expect(await readFrom(file, all)).toEqual(intact)
    rmSync(file)
  })
})
