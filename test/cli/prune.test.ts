/** `escapement prune`, on a file and on a Postgres database. */
import { describe, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { newDatabase, npmPostgres } from '../fixture/postgres.ts'
import { expectRefused, GOOD, newDesks } from './desk.ts'

const newDesk = newDesks()
const url = await npmPostgres()

describe.each(['a file', 'a Postgres database'])('prune, on %s', where => {
  it('prints what it would delete, and deletes it with --yes', { timeout: 60_000 }, async () => {
    const desk = newDesk()
    const store = where === 'a file' ? 'own.db' : await newDatabase(url)
    const type = (...args: string[]) => desk.type(...args, '--store', store)
    desk.file('good.yaml', GOOD)
    await type('run', 'good.yaml', '--thread', 'one')
    await type('run', 'good.yaml', '--thread', 'two')
    expect(await type('prune', '--keep', '1h')).toMatchObject({
      code: 0,
      out: 'no threads to delete\n',
    })
    expect(await type('prune', '--keep', '0s')).toMatchObject({
      code: 0,
      out: 'one\ntwo\n2 threads to delete; --yes deletes them\n',
    })
    expect(JSON.parse((await type('threads', '--json')).out)).toHaveLength(2)
    expect(JSON.parse((await type('prune', '--keep', '0s', '--yes', '--json')).out)).toEqual({
      deleted: true,
      threads: ['one', 'two'],
    })
    expect(JSON.parse((await type('threads', '--json')).out)).toEqual([])
  })
})

describe('prune', () => {
  it('rejects a time that is not a duration', async () => {
    expectRefused(
      await newDesk().type('prune', '--keep', 'a month'),
      /--keep a month: expected a duration, such as 30d/,
    )
  })

  it('deletes the chunks that no checkpoint of a file names', async () => {
    const store = sqliteStore(':memory:')
    const chunk = 'c'.repeat(22)
    const lease = await store.lease('t', { owner: 'o', now: 0, until: 1, isOwnerDead: () => false })
    const { batch, row } = await import('../store/batches.ts')
    const checkpoint = { seq: 0, run: { levels: [[chunk]] }, chunks: new Map([[chunk, ['item']]]) }
    await store.append(batch(lease, [row(0)], { checkpoint, summary: { status: 'ended' } }))
    await store.release(lease)
    await store.remove([['t']], { before: 1_000, now: 1_000 })
    expect(await store.chunks([chunk])).toEqual(new Map())
    await store.close()
  })
})
