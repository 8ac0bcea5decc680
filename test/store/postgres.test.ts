import { afterAll, describe, expect, it } from 'vitest'
import pg from 'pg'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { newSchema, npmPostgres, postgresUrl } from '../fixture/postgres.ts'
import { batch, begun, rowsBetween } from './batches.ts'
import { storeContract } from './contract.ts'

const TABLES = 'threads events checkpoints chunks blobs inbox breakers breakpoints shares'.split(
  ' ',
)

/** Makes empty stores. To create a schema takes longer than most tests: a closed store is emptied and used again. */
function emptyStores(url: string): () => Store {
  const schemas: string[] = []
  const pool = new pg.Pool({ connectionString: url, allowExitOnIdle: true })
  afterAll(() => pool.end())
  return () => {
    const schema = schemas.pop() ?? newSchema()
    const store = postgresStore({ url, schema })
    const close = async () => {
      await store.close()
      const made = await pool.query('SELECT to_regclass($1) AS made', [`${schema}.threads`])
      if (made.rows[0].made === null) return
      await pool.query(TABLES.map(table => `DELETE FROM ${schema}.${table};`).join(' '))
      schemas.push(schema)
    }
    return { ...store, close }
  }
}

const system = await postgresUrl('15')

const npm = await npmPostgres()

storeContract('the store on Postgres 18', emptyStores(npm))

describe('a checkpoint on Postgres', () => {
  it.each([
    ['of another row', 'seq = 5 WHERE seq = 6', /^the checkpoint of 't' at event 5 is damaged: /],
    ['of another thread', `thread = (SELECT max(id) FROM @.threads)`, undefined],
    ['of a row that does not exist', 'seq = 600 WHERE seq = 6', undefined],
  ])('with the key %s is not taken for one of it', async (_, change, message) => {
    const schema = newSchema()
    const store = postgresStore({ url: npm, schema })
    const pool = new pg.Pool({ connectionString: npm, allowExitOnIdle: true })
    const checkpoint = (seq: number) => ({ seq, run: { seq }, chunks: new Map() })
    const lease = await begun(store, 't', 3, { checkpoint: checkpoint(3) })
    await store.append(batch(lease, rowsBetween(4, 9), { checkpoint: checkpoint(6) }))
    await begun(store, 'other', 9)
    await pool.query(`UPDATE @.checkpoints SET ${change}`.replaceAll('@', schema))
    if (message) await expect(store.load('t')).rejects.toThrow(message)
    else expect((await store.load('t'))?.checkpoint?.seq).not.toBe(600)
    if (change.startsWith('thread')) await expect(store.load('other')).rejects.toThrow('damaged')
    await store.close()
    await pool.end()
  })
})

if (system === undefined)
  describe.skip('the store on Postgres 15', () => {
    it('needs /usr/lib/postgresql/15', () => {})
  })
else storeContract('the store on Postgres 15', emptyStores(system))
