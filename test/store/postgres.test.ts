import { afterAll, describe, it } from 'vitest'
import pg from 'pg'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { newSchema, npmPostgres, postgresUrl } from '../fixture/postgres.ts'
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

storeContract('the store on Postgres 18', emptyStores(await npmPostgres()))

if (system === undefined)
  describe.skip('the store on Postgres 15', () => {
    it('needs /usr/lib/postgresql/15', () => {})
  })
else storeContract('the store on Postgres 15', emptyStores(system))
