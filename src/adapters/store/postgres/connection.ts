/** A pool of connections to Postgres: prepared statements, transactions, and calls that outlast a lost connection. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Pool, PoolClient, PoolConfig } from 'pg'
import { useSecret } from '../../../runtime/redaction/process-secrets.ts'
import { StoreUnavailable } from '../../../runtime/store/store.ts'
import { isPostgresUrl, withoutPassword } from '../../../runtime/store/store-url.ts'
import { MissingPackage } from '../../missing-package.ts'
import { explainError, isPassing } from './errors.ts'
import type { PostgresOptions } from './options.ts'

/** How long it takes to connect at most, in ms. */
const CONNECT_TIMEOUT = 10_000
/** The first and the longest delay before a call is tried again, in ms. */
const DELAYS = [50, 2_000] as const

/** A value of a parameter. */
type Value = string | number | boolean | null | undefined | readonly (string | number | null)[]

/** Executes a statement and returns its lines. */
export type Execute = <Line>(statement: Statement, values?: readonly Value[]) => Promise<Line[]>

/** A statement that each connection prepares once. */
export type Statement = Readonly<{ name: string; text: string }>

export type Connection = ReturnType<typeof connect>

/** Brings the schema up to date, on the first connection. */
type Prepare = (client: PoolClient) => Promise<void>

export function connect(options: PostgresOptions, prepare: Prepare) {
  const { url } = options
  const place = placeOf(url)
  const schema = options.schema ?? new URL(url).searchParams.get('schema') ?? 'escapement'
  const config = configOf(options)
  const pool = new LazyPool(place, { ...config, max: options.connections ?? 10 }, prepare)
  const retried = retrier(pool, place, options.patience ?? 10_000)
  let statements = 0
  return {
    place,
    schema,
    config,
    /** A statement; `@` stands for the schema. */
    statement: (text: string): Statement => ({
      name: `escapement_${++statements}`,
      text: inSchema(text, schema),
    }),
    execute: ((statement, values) =>
      retried(opened => executeOn(opened)(statement, values))) as Execute,
    /** Like `execute`. `work` is called again after a failure, and receives whether an earlier try may have been executed. */
    retried: <R>(work: Work<R>): Promise<R> =>
      retried((opened, again) => work(executeOn(opened), again)),
    /** Like `retried`, with all statements in one transaction. */
    transaction: <R>(work: Work<R>): Promise<R> =>
      retried(async (opened, again) => {
        const client = await opened.connect()
        return inTransaction(client, () => work(executeOn(client), again))
      }),
    close: () => pool.close(),
    get isClosed() {
      return pool.isClosed
    },
  }
}

type Work<R> = (execute: Execute, again: boolean) => Promise<R>

const executeOn =
  (client: Pool | PoolClient): Execute =>
  async (statement, values = []) =>
    (await client.query({ ...statement, values: values as unknown[] })).rows

/** A pool that is opened at the first call, on a database whose schema is current. */
class LazyPool {
  isClosed = false
  /** Whether the database has once been reached. */
  isKnown = false
  #pool: Promise<Pool> | undefined
  #ready: Promise<void> | undefined
  readonly #place: string
  readonly #config: PoolConfig
  readonly #prepare: Prepare

  constructor(place: string, config: PoolConfig, prepare: Prepare) {
    this.#place = place
    this.#config = config
    this.#prepare = prepare
  }

  async open(): Promise<Pool> {
    if (this.isClosed) throw new StoreUnavailable(`${this.#place} has been closed`)
    this.#pool ??= this.#newPool()
    const pool = await this.#pool
    this.#ready ??= this.#prepareOn(pool)
    try {
      await this.#ready
    } catch (error) {
      this.#ready = undefined
      throw error
    }
    this.isKnown = true
    return pool
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    await (await this.#pool?.catch(() => undefined))?.end()
  }

  async #newPool(): Promise<Pool> {
    const { Pool } = await driver()
    const pool = new Pool({ ...this.#config, allowExitOnIdle: true })
    // A connection that the server ends is replaced; the call that used it is tried again.
    pool.on('error', () => {})
    pool.on('connect', client => void client.on('error', () => {}))
    return pool
  }

  async #prepareOn(pool: Pool): Promise<void> {
    const client = await pool.connect()
    try {
      await this.#prepare(client)
    } finally {
      client.release()
    }
  }
}

/** Tries a call again while the server is unreachable. `again`: an earlier try may have been executed. */
function retrier(pool: LazyPool, place: string, patience: number) {
  return async <R>(work: (opened: Pool, again: boolean) => Promise<R>): Promise<R> => {
    const end = performance.now() + patience
    let delay: number = DELAYS[0]
    for (let again = false; ; again = true)
      try {
        return await work(await pool.open(), again)
      } catch (error) {
        // A wrong address is reported at once.
        const isOver = pool.isClosed || !pool.isKnown || performance.now() + delay > end
        if (isOver || !isPassing(error)) throw explainError(place, error)
        await pause(delay * (0.5 + Math.random() / 2))
        delay = Math.min(2 * delay, DELAYS[1])
      }
  }
}

/** Runs the work completely or not at all, and gives the connection back. A broken connection is discarded. */
async function inTransaction<R>(client: PoolClient, work: () => Promise<R>): Promise<R> {
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(failure => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

export const inSchema = (text: string, schema: string): string =>
  text.replaceAll('@', `"${schema.replaceAll('"', '""')}".`)

/** @throws MissingPackage */
async function driver() {
  const { default: pg } = await import('pg').catch(cause => {
    throw new MissingPackage('a store on Postgres needs a package: npm install pg', { cause })
  })
  return pg
}

/** A connection beside the pool. `unref`: it does not keep the process alive. */
export type OwnClient = Client & { readonly unref: () => void }

export async function newClient(config: PoolConfig): Promise<OwnClient> {
  const { Client } = await driver()
  return new Client(config) as OwnClient
}

function configOf({ url, statementTimeout = 30_000 }: PostgresOptions): PoolConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: statementTimeout,
    lock_timeout: statementTimeout,
    idle_in_transaction_session_timeout: statementTimeout,
    // The server may be gone without a word.
    query_timeout: statementTimeout + 5_000,
    keepAlive: true,
    application_name: 'escapement',
  }
}

/** Names the server and the database in messages, without the password. @throws StoreUnavailable */
function placeOf(url: string): string {
  const expected = 'expected postgres://USER:PASSWORD@HOST:PORT/DATABASE'
  const shown = withoutPassword(String(url))
  if (typeof url !== 'string' || !isPostgresUrl(url) || !URL.canParse(url))
    throw new StoreUnavailable(`'${shown}' is not the URL of a Postgres database: ${expected}`)
  const { hostname, port, pathname, password } = new URL(url)
  useSecret(decoded(password) || undefined)
  const host = hostname || 'localhost'
  return `Postgres at ${host}:${port || '5432'}${decoded(pathname)}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
