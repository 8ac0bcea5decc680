/** A separate process that uses a store: `node worker.ts <verb> <file or URL> <thread> <owner> <times>`. It reports by lines. */
import process from 'node:process'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import type { Breaker } from '../../src/core/watch/failure/breaker.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import { isPostgresUrl } from '../../src/runtime/store/store-url.ts'
import { isConflict, type Store } from '../../src/runtime/store/store.ts'
import { batch, rowsBetween, terms } from './batches.ts'

interface Task {
  readonly store: Store
  readonly thread: string
  readonly owner: string
  readonly times: number
}

const ROWS = 5
/** How long a change of a breaker takes, in ms. */
const CHANGE = 3

/** Appends batches of five rows; says the last seq of each once it is stored. */
async function append({ store, thread, owner, times }: Task): Promise<void> {
  const lease = await store.lease(thread, terms(owner))
  for (let time = 0; time < times; time += 1) {
    const rows = rowsBetween(time * ROWS, time * ROWS + ROWS - 1)
    await store.append(batch(lease, rows))
    say(rows.at(-1)?.seq)
  }
}

/** Takes the lease, appends one row, and gives it back; says the epoch each time it succeeds. */
async function compete({ store, thread, owner, times }: Task): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    try {
      const lease = await store.lease(thread, terms(owner))
      const next = ((await store.thread(thread))?.seq ?? -1) + 1
      await store.append(batch(lease, rowsBetween(next, next)))
      await store.release(lease)
      say(lease.epoch)
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
}

/** Appends until it cannot; says what it met. */
async function fill(task: Task): Promise<void> {
  try {
    await append(task)
  } catch (error) {
    if (error instanceof Error) say(`${error.name}: ${error.message}`)
  }
}

/** Enters `times` gates, each with a breaker that allows one probe, and prints which of them admitted it. */
async function probe({ store, times }: Task): Promise<void> {
  // The change takes so long that others come in between, if they can.
  const slowly = (change: (breaker: Breaker) => Breaker) => (breaker: Breaker) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CHANGE)
    return change(breaker)
  }
  const gate = createGate({
    ...store,
    changeBreaker: (resource, change) => store.changeBreaker(resource, slowly(change)),
  })
  for (let nth = 0; nth < times; nth += 1) {
    const entry = await gate.enter(`r${nth}`, {
      at: 1_000,
      breaker: { threshold: 1, reset: 1_000 },
      concurrency: 1,
    })
    if (entry.kind !== 'refused') say(nth)
  }
}

/** A call that fails through a gate, counted while the file is locked by the process that started this one. */
async function count({ store, times }: Task): Promise<void> {
  const gate = createGate(store)
  for (let nth = 0; nth < times; nth += 1) {
    const entry = await gate.enter('r', {
      at: 0,
      breaker: { threshold: 1_000_000, reset: 1_000 },
      concurrency: 1,
    })
    if (entry.kind === 'refused') continue
    entry.leave()
    say('entered')
    await entry.report('failure', 0)
  }
}

function say(word: unknown): void {
  process.stdout.write(`${word}\n`)
}

const [verb = '', file = '', thread = '', owner = '', times = '0'] = process.argv.slice(2)
const store = isPostgresUrl(file)
  ? postgresStore(file)
  : sqliteStore({ file, synchronous: 'NORMAL' })
const task = { store, thread, owner, times: Number(times) }
const verbs: Readonly<Record<string, (task: Task) => Promise<void>>> = {
  append,
  compete,
  fill,
  probe,
  count,
}
await verbs[verb]?.(task)
await store.close()
