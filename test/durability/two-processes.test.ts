/** One thread and several processes: one drives it, the others report that, and their commands reach it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import type { Row } from '../../src/core/run/run.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { type Store, UnknownThread } from '../../src/runtime/store/store.ts'
import { newFolders } from './folders.ts'
import { fastPorts } from './fast-ports.ts'
import { escapement, here, type Running, start, startEscapement } from './process.ts'
import { externalSystemIn } from './external-system.ts'

const newFolder = newFolders()
const opened: Store[] = []
const running: Running[] = []

afterEach(async () => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL')
  for (const store of opened.splice(0)) await store.close()
})

function fileIn(folder: string): string {
  return join(folder, 'threads.db')
}

function storeIn(folder: string): Store {
  const store = sqliteStore({ file: fileIn(folder) })
  opened.push(store)
  return store
}

/** Drives the thread `t` of slow.yaml, and is in its long call when this returns. */
function driving(folder: string): Promise<Running> {
  const env = { WORLD: folder }
  return begun(
    folder,
    startEscapement(
      ['run', here('fixture/slow.yaml'), '--thread', 't', '--store', fileIn(folder), '--json'],
      { env },
    ),
    'tool.called',
  )
}

async function begun(folder: string, driver: Running, row: Row['event']['type']): Promise<Running> {
  running.push(driver)
  const store = storeIn(folder)
  await until(async () => (await rowsOf(store, row)).length > 0)
  return driver
}

async function rowsOf(store: Store, type: Row['event']['type']): Promise<readonly Row[]> {
  return (await store.rows('t')).filter(({ event }) => event.type === type)
}

/** How long it took to become so, in ms. */
async function until(so: () => Promise<boolean>, most = 10_000): Promise<number> {
  const began = performance.now()
  while (!(await so())) {
    if (performance.now() - began > most) throw new Error(`not within ${most} ms`)
    await pause(10)
  }
  return performance.now() - began
}

describe('a second process', () => {
  it('reports the driver of a thread and performs nothing', async () => {
    const folder = newFolder()
    const driver = await driving(folder)
    const env = { WORLD: folder }
    const [run, resume] = await Promise.all([
      escapement(['run', here('fixture/slow.yaml'), '--thread', 't', '--store', fileIn(folder)], {
        env,
      }),
      escapement(['resume', 't', '--store', fileIn(folder)], { env }),
    ])
    const owner = new RegExp(
      `^thread 't' is driven by '[^/]+/${driver.child.pid}/\\w+/\\d+/\\w+/\\d+', whose lease ends in [\\d.]+ s\n$`,
    )
    expect([run, resume]).toMatchObject([
      { code: 5, out: '', err: expect.stringMatching(owner) },
      { code: 5, out: '', err: expect.stringMatching(owner) },
    ])
    expect(externalSystemIn(folder).visits()).toHaveLength(1)
    writeFileSync(join(folder, 'open'), '')
    expect(await driver.ended).toMatchObject({ code: 0, err: '' })
    expect(await rowsOf(storeIn(folder), 'turn.started')).toHaveLength(1)
  })

  it('takes over the threads of a dead process at once', async () => {
    const folder = newFolder()
    const driver = await driving(folder)
    driver.child.kill('SIGKILL')
    await driver.ended
    writeFileSync(join(folder, 'open'), '')
    const { code, err } = await escapement(['resume', 't', '--store', fileIn(folder)], {
      env: { WORLD: folder },
    })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect((await rowsOf(storeIn(folder), 'turn.started')).map(({ event }) => event)).toMatchObject(
      [{ epoch: 1 }, { epoch: 2 }],
    )
  })

  it('does not take over a thread of a live process, although its call lasts four leases', async () => {
    const folder = newFolder()
    process.env.WORLD = folder
    const driver = await begun(
      folder,
      start([here('fast-ports.ts'), folder], { env: { WORLD: folder } }),
      'tool.called',
    )
    const store = storeIn(folder)
    const contender = {
      ...(await fastPorts(folder, store)),
      owner: 'elsewhere/1/other',
      isOwnerDead: () => false,
    }
    const untils = new Set<number | undefined>()
    const began = contender.clock.now()
    while (contender.clock.now() - began < 60_000) {
      await expect(drive(contender, 't')).rejects.toThrow(`thread 't' is driven by '`)
      untils.add((await store.thread('t'))?.lease?.until)
      await pause(50)
    }
    // Renewed at a third: a lease of 15 s, in a minute at least six times.
    expect(untils.size).toBeGreaterThan(5)
    writeFileSync(join(folder, 'open'), '')
    expect((await driver.ended).out).toBe('goal\n')
    expect(externalSystemIn(folder).visits()).toHaveLength(1)
  })
})

describe('a process that sleeps through its lease', () => {
  it('is fenced off: its later results are rejected and reported', async () => {
    const folder = newFolder()
    process.env.WORLD = folder
    const sleeper = await begun(
      folder,
      start([here('fast-ports.ts'), folder], { env: { WORLD: folder } }),
      'tool.called',
    )
    sleeper.child.kill('SIGSTOP')
    const store = storeIn(folder)
    const successor = {
      ...(await fastPorts(folder, store)),
      owner: 'elsewhere/1/other',
      isOwnerDead: () => false,
    }
    await until(async () => ((await store.thread('t'))?.lease?.until ?? 0) < successor.clock.now())
    writeFileSync(join(folder, 'open'), '')
    expect((await drive(successor, 't')).ended).toMatchObject({ outcome: 'success' })
    const rows = await store.rows('t')
    sleeper.child.kill('SIGCONT')
    expect(await sleeper.ended).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`no longer drives thread 't' under epoch 1`),
    })
    expect(await store.rows('t')).toEqual(rows)
  })
})

describe('a command from another process', () => {
  it('interrupts a long call within a second, and is applied once however often it is submitted', async () => {
    const folder = newFolder()
    const driver = await driving(folder)
    const store = storeIn(folder)
    const cancel = { type: 'cancel', reason: 'changed my mind' } as const
    await Promise.all([store.submit('t', 'mine', cancel), store.submit('t', 'mine', cancel)])
    expect(await until(async () => (await store.thread('t'))?.status === 'ended')).toBeLessThan(
      1_000,
    )
    await store.submit('t', 'mine', cancel)
    const { code, out } = await driver.ended
    expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({
      code: 130,
      outcome: 'cancelled',
      reason: 'changed my mind',
    })
    expect(await rowsOf(store, 'cancel')).toHaveLength(1)
    expect(await store.command('t', 'mine')).toEqual({ state: 'done' })
  })

  it('given by hand notifies the driving process', async () => {
    const folder = newFolder()
    const driver = await driving(folder)
    const { code, err } = await escapement([
      'cancel',
      't',
      '--store',
      fileIn(folder),
      '--reason',
      'enough',
    ])
    // If that process applies it and ends before this one looks, this one prints how the thread ended.
    expect([
      { code: 0, err: `applied by the process that drives 't'\n` },
      { code: 130, err: '' },
    ]).toContainEqual({ code, err })
    expect(await driver.ended).toMatchObject({ code: 130, out: expect.stringContaining('enough') })
  })

  it('reaches a process that works in another region, once', async () => {
    const folder = newFolder()
    const driver = await begun(folder, start([here('team.ts'), folder]), 'turn.started')
    const store = storeIn(folder)
    const approve = {
      type: 'resume',
      effect: 'team.working.person.asked#1',
      decision: 'approved',
    } as const
    await Promise.all([store.submit('t', 'yes', approve), store.submit('t', 'yes', approve)])
    expect(await until(async () => (await rowsOf(store, 'resume')).length > 0)).toBeLessThan(1_000)
    await store.submit('t', 'yes', approve)
    await store.submit('t', 'again', approve)
    await until(async () => (await store.command('t', 'again')).state !== 'waiting')
    expect(await store.command('t', 'again')).toEqual({
      state: 'refused',
      reason: {
        code: 'question-closed',
        params: { question: approve.effect, open: expect.anything() },
      },
    })
    await store.submit('t', 'stop', { type: 'cancel', reason: 'enough' })
    expect((await driver.ended).out).toBe('cancelled enough\n')
    expect(await rowsOf(store, 'resume')).toHaveLength(1)
  })

  it('whose driver dies before applying it is applied by the process that sent it', async () => {
    const folder = newFolder()
    const driver = await driving(folder)
    driver.child.kill('SIGSTOP')
    const giver = startEscapement(
      ['cancel', 't', '--store', fileIn(folder), '--reason', 'enough', '--json'],
      { env: { WORLD: folder } },
    )
    running.push(giver)
    const store = storeIn(folder)
    await until(async () => (await store.inbox('t')).length > 0)
    await pause(200)
    driver.child.kill('SIGKILL')
    await driver.ended
    expect(await giver.ended).toMatchObject({
      code: 130,
      err: '',
      out: expect.stringContaining('enough'),
    })
  })

  it('to an unknown thread is rejected', async () => {
    await expect(
      storeIn(newFolder()).submit('t', 'mine', { type: 'cancel', reason: '' }),
    ).rejects.toThrow(UnknownThread)
  })
})
