/** Schemas of the database of the bench. */
import { sql } from '../../fixture/postgres.ts'

/** Makes a schema again without tables, and flushes what the last one left. */
export async function emptySchema(url: string, name: string): Promise<void> {
  const schema = schemaOf(name)
  await sql(url, `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`)
  await sql(url, 'CHECKPOINT')
}

export const schemaOf = (name: string): string => `bench_${name}`

/** The bytes of all tables of a schema with their indexes. */
export async function bytesOfSchema(url: string, schema: string): Promise<number> {
  const [line] = await sql<{ bytes: string }>(
    url,
    `SELECT coalesce(sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass)), 0) AS bytes
     FROM pg_tables WHERE schemaname = $1`,
    [schema],
  )
  return Number(line?.bytes)
}
