import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { batch, row, rowsBetween, seqs, terms } from './batches.ts'
import { newFiles } from './folder.ts'

const newFile = newFiles()
const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))

interface Work {
  readonly verb: 'append' | 'compete' | 'fill' | 'probe' | 'count'
  readonly file: string
  readonly thread: string
  readonly owner?: string
  readonly times: number
}

interface Running {
  readonly child: ChildProcess
  /** What it has said so far. */
  readonly said: string[]
  readonly complaints: () => string
  readonly done: Promise<unknown>
}

function argumentsOf({
  verb,
  file,
  thread,
  owner = `host/${thread}`,
  times,
}: Work): readonly string[] {
  return [WORKER, verb, file, thread, owner, String(times)]
}

function running(child: ChildProcess): Running {
  const said: string[] = []
  let rest = ''
  let complaints = ''
  child.stdout?.on('data', (data: Buffer) => {
    const lines = (rest + data).split('\n')
    rest = lines.pop() ?? ''
    said.push(...lines)
  })
  child.stderr?.on('data', (data: Buffer) => {
    complaints += data
  })
  return { child, said, complaints: () => complaints, done: once(child, 'close') }
}

function start(work: Work): Running {
  return running(spawn(process.execPath, [...argumentsOf(work)]))
}

const SLOW = 30_000

describe('several processes on one SQLite file', { timeout: SLOW }, () => {
  it('open a new file simultaneously, and append to their own threads', async () => {
    const file = newFile()
    const workers = ['a', 'b', 'c'].map(thread =>
      start({ verb: 'append', file, thread, times: 40 }),
    )
    for (const worker of workers) await worker.done
    expect(workers.map(({ complaints }) => complaints())).toEqual(['', '', ''])
    const store = sqliteStore({ file, readOnly: true })
    for (const thread of ['a', 'b', 'c'])
      expect(await store.rows(thread)).toEqual(rowsBetween(0, 199))
    await store.close()
  })

  it('get a contested lease one at a time: no row is lost or duplicated, and no epoch is granted twice', async () => {
    const file = newFile()
    const workers = ['x', 'y'].map(owner =>
      start({ verb: 'compete', file, thread: 't', owner, times: 150 }),
    )
    for (const worker of workers) await worker.done
    expect(workers.map(({ complaints }) => complaints())).toEqual(['', ''])
    const epochs = workers.flatMap(({ said }) => said.map(Number))
    const store = sqliteStore({ file, readOnly: true })
    expect(epochs.length).toBeGreaterThan(0)
    expect(await seqs(store, 't')).toEqual(epochs.map((_, seq) => seq))
    expect(new Set(epochs).size).toBe(epochs.length)
    await store.close()
  })

  it('read only complete appends', async () => {
    const file = newFile()
    const store = sqliteStore({ file })
    const worker = start({ verb: 'append', file, thread: 't', times: 200 })
    let over = false
    const seen = new Set<number>()
    void worker.done.then(() => {
      over = true
    })
    while (!over) {
      seen.add((await store.rows('t')).length)
      await setImmediate()
    }
    expect([...seen].filter(count => count % 5 !== 0)).toEqual([])
    expect(await seqs(store, 't')).toHaveLength(1_000)
    await store.close()
  })
})

describe('the breakers of several processes', { timeout: SLOW }, () => {
  it('allow one probe, whichever process asks first', async () => {
    const file = newFile()
    const store = sqliteStore({ file, synchronous: 'NORMAL' })
    const all = Array.from({ length: 60 }, (_, nth) => nth)
    for (const nth of all)
      await store.changeBreaker(`r${nth}`, () => ({
        state: 'open',
        failures: 1,
        openedAt: 0,
        retryAt: 1_000,
      }))
    const workers = ['a', 'b', 'c'].map(thread =>
      start({ verb: 'probe', file, thread, times: all.length }),
    )
    for (const worker of workers) await worker.done
    expect(workers.map(({ complaints }) => complaints())).toEqual(['', '', ''])
    expect(workers.flatMap(({ said }) => said.map(Number)).toSorted((a, b) => a - b)).toEqual(all)
    await store.close()
  })

  it('count every failure, and wait while the file is locked', async () => {
    const file = newFile()
    const store = sqliteStore({ file, synchronous: 'NORMAL' })
    const workers = ['a', 'b'].map(thread => start({ verb: 'count', file, thread, times: 2_000 }))
    while (workers.some(({ said }) => said.length === 0)) await setImmediate()
    const lock = new DatabaseSync(file)
    lock.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE')
    await pause(400)
    lock.exec('COMMIT')
    lock.close()
    for (const worker of workers) await worker.done
    expect(workers.map(({ complaints }) => complaints())).toEqual(['', ''])
    expect(await store.breaker('r')).toEqual({ state: 'closed', failures: 4_000 })
    await store.close()
  })
})

describe('a process that ends badly', { timeout: SLOW }, () => {
  it('loses no completed append when killed, and leaves no partial one', async () => {
    const file = newFile()
    const { child, said, done } = start({ verb: 'append', file, thread: 't', times: 100_000 })
    child.stdout?.on('data', () => said.length >= 50 && child.kill('SIGKILL'))
    await done
    const store = sqliteStore({ file })
    const kept = await seqs(store, 't')
    expect(kept.length).toBeGreaterThan(Number(said.at(-1)))
    expect(kept.length % 5).toBe(0)
    const lease = await store.lease(
      't',
      terms('host/2/b', { isOwnerDead: owner => owner === 'host/t' }),
    )
    await store.append(batch(lease, [row(kept.length)]))
    await store.close()
  })

  it.skipIf(process.platform === 'win32')(
    'reports a forbidden write and keeps all that was stored',
    async () => {
      const file = newFile()
      const work = argumentsOf({ verb: 'fill', file, thread: 't', times: 100_000 })
      // A limit on the size of files is met like a failing disk: in the middle of a write.
      const worker = running(
        spawn('sh', ['-c', 'ulimit -f 1000; exec "$0" "$@"', process.execPath, ...work]),
      )
      await worker.done
      const lastLine = worker.said.pop()
      expect(lastLine).toMatch(/^StoreUnavailable: .*store-\d+\.db/)
      const store = sqliteStore({ file })
      expect(await seqs(store, 't')).toHaveLength(Number(worker.said.at(-1)) + 1)
      await store.close()
    },
  )
})
