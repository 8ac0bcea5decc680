/** The tables of a store on Postgres. Processes that start at once migrate them one after another. */
import type { PoolClient } from 'pg'
import { StoreUnavailable } from '../../../runtime/store/store.ts'
import { inSchema } from './connection.ts'

/** The oldest version of Postgres that the tests cover. */
const POSTGRES_MIN = 15

/**
 * Never change a published migration: add another one. `@` stands for the schema.
 *
 * An append changes only columns of `threads` that no index has: Postgres then adds no entry to an index. Therefore `due_at` is
 * -infinity for every thread that is due at once, and empty for one that is never due; `wake_at` is exact. Chunks belong to a
 * thread, so pruning a thread needs no search for other threads that use them. A scope and its key have one hash, because an
 * index takes at most 2,700 bytes. The changes of leases are numbered by the one line of `counter`, which a transaction locks
 * until it ends: a reader that has seen a number has seen all lower ones. With a sequence, a lower number may become visible later.
 * `sum` is the CRC-32 of a text; lines of the first version have none.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE @threads (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE,
    seq integer NOT NULL DEFAULT -1, epoch integer NOT NULL DEFAULT 0, lease_owner text, lease_until float8,
    changed bigint NOT NULL, version text, origin text, graph text, spec_hash text, status text, detail text, outcome text,
    started_at float8, last_at float8, wake_at float8, due_at float8
  ) WITH (fillfactor = 70);
  CREATE INDEX due ON @threads (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX leased ON @threads (id) WHERE lease_owner IS NOT NULL;
  CREATE INDEX changed ON @threads (changed);
  CREATE TABLE @counter (last bigint NOT NULL) WITH (fillfactor = 10);
  INSERT INTO @counter VALUES (0);
  CREATE TABLE @events (
    thread bigint NOT NULL, seq integer NOT NULL, body text NOT NULL, PRIMARY KEY (thread, seq)
  );
  CREATE TABLE @checkpoints (
    thread bigint NOT NULL, seq integer NOT NULL, run text NOT NULL, PRIMARY KEY (thread, seq)
  );
  CREATE TABLE @chunks (
    hash text COLLATE "C" NOT NULL, thread bigint NOT NULL, body text NOT NULL, PRIMARY KEY (hash, thread)
  );
  CREATE INDEX chunks_of ON @chunks (thread);
  CREATE TABLE @blobs (hash text COLLATE "C" PRIMARY KEY, body text NOT NULL);
  CREATE TABLE @inbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, thread bigint NOT NULL, command text COLLATE "C" NOT NULL,
    event text, state text NOT NULL, reason text, UNIQUE (thread, command)
  );
  CREATE INDEX waiting ON @inbox (thread, id) WHERE state = 'waiting';
  CREATE TABLE @breakers (
    resource text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body text NOT NULL
  );
  CREATE TABLE @breakpoints (id text COLLATE "C" PRIMARY KEY, body text NOT NULL);
  CREATE TABLE @shares (
    pool text COLLATE "C" NOT NULL, thread text COLLATE "C" NOT NULL, scope text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL, until float8, body text NOT NULL, PRIMARY KEY (pool, thread)
  );
  CREATE INDEX expiring ON @shares (pool, until) WHERE until IS NOT NULL;`,
  `DROP INDEX @due;
  CREATE INDEX due ON @threads (due_at, id) WHERE due_at IS NOT NULL;
  CREATE INDEX waiting_threads ON @threads (name) WHERE status = 'waiting';
  ALTER TABLE @events ADD COLUMN sum bigint; ALTER TABLE @checkpoints ADD COLUMN sum bigint;
  ALTER TABLE @chunks ADD COLUMN sum bigint; ALTER TABLE @inbox ADD COLUMN sum bigint;
  ALTER TABLE @breakers ADD COLUMN sum bigint; ALTER TABLE @shares ADD COLUMN sum bigint;`,
  // The threads that a thread waits for.
  'ALTER TABLE @threads ADD COLUMN waits json;',
  // The findings, escapes and spending of a thread.
  'ALTER TABLE @threads ADD COLUMN tally json;',
]

/** Checks the server and the schema of a store, and migrates an older one. @throws StoreUnavailable */
export async function prepareSchema(
  client: PoolClient,
  { place, schema, migrations = MIGRATIONS }: SchemaPlace,
): Promise<void> {
  const known = migrations.length
  const version = await versionOf(client, { place, schema })
  if (version > known)
    throw new StoreUnavailable(
      `${place} has schema version ${version}, and this escapement knows versions up to ${known}: use a newer escapement`,
    )
  if (version < known) await migrate(client, { place, schema, migrations })
}

interface SchemaPlace {
  readonly place: string
  readonly schema: string
  readonly migrations?: readonly string[]
}

const LOOK = `SELECT current_setting('server_version_num')::integer AS server,
  current_setting('server_version') AS named, current_setting('server_encoding') AS encoding,
  to_regclass($1) IS NOT NULL AS "isStore",
  EXISTS (SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = $2) AS "hasTables",
  to_regnamespace($3) IS NOT NULL AS "hasSchema"`

async function look(client: PoolClient, schema: string) {
  const values = [
    inSchema('@escapement_schema', schema),
    schema,
    inSchema('@', schema).slice(0, -1),
  ]
  const { rows } = await client.query(LOOK, values)
  return rows[0] as {
    readonly server: number
    readonly named: string
    readonly encoding: string
    readonly isStore: boolean
    readonly hasTables: boolean
    readonly hasSchema: boolean
  }
}

/** The version of a schema; 0: it is empty or missing. @throws StoreUnavailable if it belongs to something else, or the server does not fit */
async function versionOf(client: PoolClient, { place, schema }: SchemaPlace): Promise<number> {
  const { server, named, encoding, isStore, hasTables } = await look(client, schema)
  if (server < POSTGRES_MIN * 10_000)
    throw new StoreUnavailable(
      `${place} has version ${named}; expected Postgres ${POSTGRES_MIN} or newer`,
    )
  if (encoding !== 'UTF8')
    throw new StoreUnavailable(`${place} has the encoding ${encoding}; expected UTF8`)
  if (!isStore && hasTables)
    throw new StoreUnavailable(
      `${place} has a schema '${schema}' that is not a store of escapement: name another schema`,
    )
  if (!isStore) return 0
  const { rows } = await client.query(inSchema('SELECT version FROM @escapement_schema', schema))
  return Number(rows[0]?.version ?? 0)
}

async function migrate(
  client: PoolClient,
  { place, schema, migrations = [] }: SchemaPlace,
): Promise<void> {
  // A migration may take longer than a statement of a step.
  await client.query('BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0')
  try {
    // Other processes wait here, and find the tables made.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `escapement ${schema}`,
    ])
    const { hasSchema } = await look(client, schema)
    if (!hasSchema) await client.query(`CREATE SCHEMA ${inSchema('@', schema).slice(0, -1)}`)
    const version = await versionOf(client, { place, schema })
    for (const migration of migrations.slice(version))
      await client.query(inSchema(migration, schema))
    const note =
      version === 0
        ? 'CREATE TABLE @escapement_schema (version integer NOT NULL); INSERT INTO @escapement_schema VALUES (0);'
        : ''
    await client.query(
      inSchema(`${note} UPDATE @escapement_schema SET version = ${migrations.length}`, schema),
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}
