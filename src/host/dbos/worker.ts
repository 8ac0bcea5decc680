/** `dbosWorker`: drives the threads of a runtime as durable workflows of DBOS Transact, together with other processes. */
import { nodeOwner, OWNER, systemClock } from '../../adapters/node/ports.ts'
import { MissingPackage } from '../../adapters/missing-package.ts'
import { explainError } from '../../adapters/store/postgres/errors.ts'
import { checkOptionNames, firstFaults } from '../../core/watch/data/fault.ts'
import { defined, type Json, mapFields } from '../../core/watch/data/json.ts'
import { InvalidInput } from '../../runtime/drive/start-terms.ts'
import type { Graph, InputOf } from '../../runtime/ports.ts'
import { redactKey } from '../../runtime/redaction/redact.ts'
import { identityOf, WrongGraph } from '../../runtime/store/source.ts'
import { withoutPassword } from '../../runtime/store/store-url.ts'
import { checkName, ThreadExists } from '../../runtime/store/store.ts'
import type { CloseOptions } from '../drive/host-closed.ts'
import type { Host } from '../drive/host.ts'
import type { ThreadHandle } from '../thread/thread.ts'
import { hostOf, type Runtime, type StartOptions } from '../runtime.ts'
import { executors, HEARTBEAT } from './executors.ts'
import { type Enqueue, enqueuer, type Scheduler, scheduler } from './schedule.ts'
import { type Dbos, loadDbos } from './sdk.ts'
import { turnOf } from './turn.ts'
import { registerWorkflows, THREADS, type ThreadWork, type Turned, TURNS } from './workflows.ts'
import { newName } from '../thread/new-name.ts'

/** The options of `dbosWorker`. */
export interface DbosOptions {
  /** The Postgres database of DBOS, whose tables it creates in the schema `dbos`. It may be that of the store. */
  readonly url: string
  /** The number of threads that each process drives at once: of all workers, the value of the one that started last counts. Default: 16. */
  readonly concurrency?: number
  /** The number of threads that all processes drive at once. Default: no limit. */
  readonly globalConcurrency?: number
  /** The most turns that all processes start in a period. Default: no limit. */
  readonly rateLimit?: { readonly limitPerPeriod: number; readonly periodSec: number }
  /** Called with the error of a thread whose turn failed, which is tried again later, or without a thread if the database is unavailable. */
  readonly onError?: (error: unknown, thread?: string) => void
}

/** A process that drives threads. */
export interface DbosWorker {
  /**
   * Enqueues a new thread, which any worker of the fleet drives. Returns its name. The thread exists once a worker has started it.
   * @throws InvalidInput, ReservedName, ThreadExists, WrongGraph; nothing is stored then
   */
  start<G extends Graph>(
    graph: G,
    input: InputOf<G>,
    options?: Pick<StartOptions, 'thread' | 'seed' | 'keys'>,
  ): Promise<string>
  /** Waits until a worker has started the thread. Returns its handle. */
  started(thread: string): Promise<ThreadHandle>
  /**
   * Leaves the driven threads to the other workers, closes the runtime and shuts DBOS down. Timers of DBOS keep a process with waiting
   * threads alive for up to 10 s, unless it calls `process.exit()`.
   */
  close(options?: CloseOptions): Promise<void>
}

/** DBOS registers workflows once in a process. They belong to the worker that is open. */
let current: { readonly drive: (work: ThreadWork) => Promise<Turned> } | undefined
let registered: ReturnType<typeof registerWorkflows> | undefined

/** The interval in ms at which each worker looks for threads without a workflow. */
const LOOK_INTERVAL = 1_000
/** How long in ms a thread is due before a look wakes it: its own workflow comes first. */
const GRACE = 2_000
/** How long a statement of a heartbeat may take, in ms. */
const POOL_TIMEOUT = 10_000

/**
 * Drives the threads of a runtime as workflows of DBOS. Every process of the fleet has such a worker on the same database and store.
 * @throws MissingPackage; TypeError if DBOS is already launched in this process, or the store is not shared
 * @example
 * const worker = await dbosWorker(runtime, { url: 'postgres://agent@db.example.com/app', concurrency: 32 })
 * const thread = await worker.start(shop, { goal: 'How many clocks are left?' })
 */
export async function dbosWorker(runtime: Runtime, options: DbosOptions): Promise<DbosWorker> {
  const host = hostOf(runtime)
  const dbos = await loadDbos()
  if (current || dbos.isInitialized())
    throw new TypeError('DBOS is already launched in this process: it takes one worker')
  const { onError = () => {} } = options
  current = {
    drive: work =>
      turnOf(host, runtime.graphs, work).catch(error => {
        onError(error, work.thread)
        throw redactedError(error)
      }),
  }
  const pool = await openPool(options.url)
  const fleet = executors(pool, dbos, OWNER)
  const end = async () => {
    await dbos.shutdown()
    await fleet.leave().catch(() => {})
    await pool.end()
    current = undefined
  }
  try {
    await fleet.prepare(() => launch(dbos, options))
  } catch (error) {
    await end().catch(() => {})
    throw explainError(withoutPassword(options.url), error)
  }
  const workflow = registered?.thread ?? (() => Promise.reject(new Error('not launched')))
  const enqueue = enqueuer(dbos, workflow)
  const schedule = scheduler(host, { dbos, enqueue })
  const stop = repeat(host, { fleet, schedule, onError })
  return {
    start: starter(host, runtime, enqueue),
    async started(thread) {
      while (!(await host.store.thread(thread))) await host.changes.next(thread, host.closing)
      return runtime.thread(thread)
    },
    async close(given) {
      await stop()
      await runtime.close(given)
      await end()
    },
  }
}

/** DBOS stores the error of a step, with its stack and its fields. */
function redactedError(error: unknown): Error {
  const message = nodeOwner().redact(String((error as Error | undefined)?.message ?? error))
  return Object.assign(new Error(message), { stack: '' })
}

/** Checks the start of a new thread, and enqueues it. */
function starter(host: Host, runtime: Runtime, enqueue: Enqueue): DbosWorker['start'] {
  return async (graph, input, options = {}) => {
    checkOptionNames(options, ['thread', 'seed', 'keys'])
    const { thread: given, seed, keys } = options
    const thread = given ?? `${graph.machine.id}-${newName()}`
    checkName(thread)
    const identity = identityOf(graph)
    if (!host.owns(identity))
      throw new WrongGraph(thread, identity, runtime.graphs.map(identityOf), { isNew: true })
    // DBOS stores the start beside the journal. The thread begins with the redacted input in any case.
    const { redact } = nodeOwner()
    const start = {
      input: redact(input as Json),
      seed: seed ?? Math.floor(Math.random() * 2 ** 31),
      ...defined({ keys: keys && mapFields(keys, key => redactKey(redact, key)) }),
    }
    const faults = graph.machine.checkInput(start.input)
    if (faults.length > 0)
      throw new InvalidInput(
        firstFaults(faults, ({ path, message }) => `${path} ${message}`).join('; '),
      )
    if (await host.store.thread(thread)) throw new ThreadExists(thread)
    await enqueue(`${thread}@-1`, { thread, graph: identity, start }).catch(error => {
      throw error?.name === 'DBOSWorkflowIDInUseError' ? new ThreadExists(thread) : error
    })
    return thread
  }
}

async function launch(dbos: Dbos, options: DbosOptions): Promise<void> {
  const { url, concurrency = 16, globalConcurrency, rateLimit } = options
  registered ??= registerWorkflows(dbos, work => {
    if (!current) throw new Error('the worker has been closed')
    return current.drive(work)
  })
  dbos.setConfig({
    name: 'escapement',
    systemDatabaseUrl: url,
    executorID: OWNER,
    // The version of these workflows, not of a graph: a thread names its own.
    applicationVersion: 'escapement-1',
    systemDatabasePoolSize: 20,
    logLevel: 'error',
  })
  await dbos.launch()
  const often = { minPollingIntervalMs: 100 }
  await dbos.registerQueue(THREADS, often)
  const limits = defined({ workerConcurrency: concurrency, globalConcurrency, rateLimit })
  // The oldest turn is the first: those of a process that has ended do not wait behind new threads.
  await dbos.registerQueue(TURNS, { ...often, ...limits })
}

interface Duties {
  readonly fleet: ReturnType<typeof executors>
  readonly schedule: Scheduler
  readonly onError: (error: unknown) => void
}

/** Sends heartbeats, takes over from ended processes, and wakes threads. Returns a function that ends it. */
function repeat(host: Host, { fleet, schedule, onError }: Duties) {
  const look = async () => {
    for (const thread of await host.due(systemClock.now() - GRACE))
      if (!host.drives(thread)) await schedule.recover(thread)
  }
  const beat = async () => {
    await fleet.beat()
    await fleet.takeOver()
  }
  const ends = [
    every(HEARTBEAT, beat, onError),
    every(LOOK_INTERVAL, look, onError),
    host.delegate(thread => schedule.wake(thread).catch(onError)),
  ]
  return async () => {
    for (const end of ends) await end()
  }
}

/** Repeats the work until the returned function is called, which waits for its end. */
function every(ms: number, work: () => Promise<void>, onError: (error: unknown) => void) {
  let running = Promise.resolve()
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    running = work()
      .catch(onError)
      .finally(() => {
        isRunning = false
      })
  }, ms)
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** @throws MissingPackage */
async function openPool(url: string) {
  const { default: pg } = await import('pg').catch(cause => {
    throw new MissingPackage(
      'a worker on DBOS needs a package: npm install @dbos-inc/dbos-sdk pg',
      {
        cause,
      },
    )
  })
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    application_name: 'escapement worker',
    // A server that is gone without a word must not end the heartbeats.
    connectionTimeoutMillis: POOL_TIMEOUT,
    query_timeout: POOL_TIMEOUT,
    keepAlive: true,
  })
  // A connection that the server ends is replaced.
  pool.on('error', () => {})
  return pool
}
