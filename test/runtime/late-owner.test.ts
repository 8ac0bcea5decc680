/** A write that must not be repeated, and a driver that is alive but late: the write takes effect at most once. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isDead, OWNER } from '../../src/adapters/node/ports.ts'
import type { Run } from '../../src/core/run/run.ts'
import { GRACE } from '../../src/core/watch/policy/policy.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Calling, Clock, Node, Ports, Reconciliation } from '../../src/runtime/ports.ts'
import { LEASE } from '../../src/runtime/store/lease.ts'
import { calling, portsOf, START, webhookServer } from './desk.ts'

/** A bank whose first payment arrives late. It rejects payments with a fencing token below the highest one it has seen. */
function lateBank() {
  const { opened, open } = webhookServer()
  const paid: number[] = []
  let calls = 0
  let highest = 0
  const pay = async ({ fencingToken }: Calling) => {
    if (calls++ === 0) await opened
    if (fencingToken < highest) throw new Error('fenced')
    paid.push(fencingToken)
    return 'paid'
  }
  const check = async (): Promise<Reconciliation> => ({
    answer: paid.length > 0 ? 'applied' : 'not-applied',
    result: 'paid',
  })
  const fence = async (_: unknown, { fencingToken }: Calling): Promise<Reconciliation> => {
    highest = fencingToken
    return { ...(await check()), fenced: true }
  }
  return { paid, open, pay, check, fence }
}

function isAsked({ pending }: Run): boolean {
  return pending.some(({ type }) => type === 'interrupt')
}

/** A clock that advances only when the test lets time pass. */
function handClock(): Clock & { readonly pass: (ms: number) => Promise<void> } {
  let time = 0
  const timers = new Set<{ readonly at: number; readonly ring: () => void }>()
  const sleep: Clock['sleep'] = (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = { at: time + ms, ring: resolve }
      timers.add(timer)
      signal?.addEventListener('abort', () => timers.delete(timer) && reject(signal.reason))
    })
  const pass = async (ms: number) => {
    await pause(10)
    time += ms
    for (const timer of timers) if (timer.at <= time && timers.delete(timer)) timer.ring()
    await pause(10)
  }
  return { now: () => time, sleep, during: work => work(sleep), pass }
}

/** Two drivers of one store: the second takes over after the lease of the first, whose call is open. */
async function takeOver(ports: Ports, second: Partial<Ports>) {
  let now = 0
  const wall = () => now
  const first = drive({ ...ports, wall, owner: 'first' }, 't', START).catch(error => error)
  await pause(20)
  now += 2 * LEASE
  const other = { ...ports, wall, owner: 'second', isOwnerDead: () => false, ...second }
  return { first, run: await drive(other, 't') }
}

describe('a write of a late driver', () => {
  it('is not repeated although its tool says that it was not applied: a person is asked', async () => {
    const { paid, open, pay, check } = lateBank()
    const { first, run } = await takeOver(portsOf(calling(pay, 'write', { reconcile: check })), {})
    expect(isAsked(run)).toBe(true)
    expect(JSON.stringify(run)).toContain('may-still-run')
    open()
    expect(await first).toMatchObject({ code: 'conflict' })
    expect(paid).toHaveLength(1)
  })

  it('is repeated when the owner is known dead', async () => {
    const { paid, pay, check } = lateBank()
    const ports = portsOf(calling(pay, 'write', { reconcile: check }))
    const { run } = await takeOver(ports, { isOwnerDead: owner => owner.startsWith('first/') })
    expect(run.ended).toMatchObject({ outcome: 'success' })
    expect(paid).toHaveLength(1)
  })

  it('is repeated when the tool has fenced the earlier attempt by its token', async () => {
    const { paid, open, pay, fence } = lateBank()
    const { first, run } = await takeOver(portsOf(calling(pay, 'write', { reconcile: fence })), {})
    expect(run.ended).toMatchObject({ outcome: 'success' })
    open()
    await first
    expect(paid).toHaveLength(1)
  })
})

describe('a write that ignores its timeout', () => {
  it('is not repeated while it may still take effect in this process', async () => {
    const { paid, open, pay, check } = lateBank()
    const clock = handClock()
    const graph = calling(pay, 'write', { reconcile: check, timeout: 1_000 })
    const driven = drive(portsOf(graph, { clock }), 't', START)
    await clock.pass(1_000)
    await clock.pass(GRACE)
    expect(isAsked(await driven)).toBe(true)
    open()
    await pause(5)
    expect(paid).toHaveLength(1)
  })

  it('answers the call when it takes effect within the grace period', async () => {
    const { paid, open, pay, check } = lateBank()
    const clock = handClock()
    const graph = calling(pay, 'write', { reconcile: check, timeout: 1_000 })
    const driven = drive(portsOf(graph, { clock }), 't', START)
    await clock.pass(1_000)
    open()
    expect(await driven).toMatchObject({ ended: { outcome: 'success' } })
    expect(paid).toHaveLength(1)
  })

  it('is not repeated by the next driver in this process either', async () => {
    const { paid, open, pay, check } = lateBank()
    const graph = calling(pay, 'write', { reconcile: check })
    const clock = handClock()
    const ports = portsOf(graph, { clock })
    const leave = new AbortController()
    const left = drive(ports, 't', { ...START, leave: leave.signal }).catch(error => error)
    await pause(20)
    leave.abort(new Error('terminated'))
    await clock.pass(GRACE)
    expect(String(await left)).toContain('terminated')
    expect(isAsked(await drive(ports, 't'))).toBe(true)
    open()
    await pause(5)
    expect(paid).toHaveLength(1)
  })
})

it('an owner of another PID namespace, boot or host is not known to have ended', () => {
  const [host = '', , namespace = '', start = ''] = OWNER.split('/')
  const gone = 2 ** 22 + 1
  const dead = { host, pid: gone, namespace, start }
  const owner = (of: object) => Object.values({ ...dead, ...of, nonce: 'x', drive: 1 }).join('/')
  expect(isDead(owner({}))).toBe(true)
  expect(isDead(owner({ namespace: 'another' }))).toBe(false)
  expect(isDead(owner({ host: 'another' }))).toBe(false)
  // An owner as 0.1.0 wrote it.
  expect(isDead(`${host}/${gone}/12345678/1`)).toBe(false)
  expect(isDead(OWNER)).toBe(false)
  // The pid belongs to a younger process now.
  expect(isDead(owner({ pid: process.pid, start: '1' }))).toBe(process.platform === 'linux')
})

it('a read that ignores its signal costs nothing beyond its timeout', async () => {
  const clock = handClock()
  const more = { timeout: 1_000, retry: { attempts: 1 } }
  const graph = calling(() => new Promise(() => {}), 'read', more)
  const driven = drive(portsOf(graph, { clock }), 't', START)
  await clock.pass(1_000)
  expect((await driven).ended).toMatchObject({ outcome: 'stopped' })
})

it('the success of a write that must not be repeated is stored before its node continues', async () => {
  const graph = calling(async () => 'done', 'write')
  const { store, ...ports } = portsOf(graph)
  let stored: readonly string[] = []
  const A: Node = async task => {
    await task.call('work', {})
    stored = (await store.rows('t')).map(({ event }) => event.type)
  }
  await drive({ ...ports, store, graph: { ...graph, nodes: { ...graph.nodes, A } } }, 't', START)
  expect(stored.at(-1)).toBe('tool.done')
})

describe.runIf(process.platform === 'linux')('where /proc lists another PID namespace', () => {
  const [host = '', , namespace = ''] = OWNER.split('/')

  it('an owner that lives is not judged by the process that has its pid there', () => {
    const owner = [host, process.pid, namespace, '1', 'x'].join('/')
    const proc = mkdtempSync(join(tmpdir(), 'proc-'))
    mkdirSync(join(proc, `${process.pid}`))
    writeFileSync(join(proc, `${process.pid}`, 'stat'), readFileSync('/proc/self/stat'))
    const self = join(proc, 'self')
    symlinkSync(String(process.pid), self)
    expect(isDead(owner, proc)).toBe(true)
    unlinkSync(self)
    symlinkSync(String(process.pid + 1), self)
    expect(isDead(owner, proc)).toBe(false)
    rmSync(proc, { recursive: true })
  })

  const unshare = (...command: readonly string[]) =>
    spawnSync('unshare', ['--pid', '--fork', ...command], { encoding: 'utf8' })

  it.runIf(unshare('true').status === 0)('an owner names no start time', () => {
    const ports = join(import.meta.dirname, '../../src/adapters/node/ports.ts')
    const code = `import { OWNER } from ${JSON.stringify(ports)}; console.log(OWNER)`
    const { stdout } = unshare(process.execPath, '--input-type=module', '--eval', code)
    const [, pid, , start] = stdout.split('/')
    expect(Number(pid)).toBeGreaterThan(0)
    expect(start).toBe('')
  })

  const inTime = (code: string) =>
    spawnSync(
      'unshare',
      [
        '--time',
        '--boottime',
        '1000',
        '--fork',
        process.execPath,
        '--input-type=module',
        '--eval',
        code,
      ],
      { encoding: 'utf8' },
    )

  it.runIf(inTime('').status === 0)('an owner is not dead because of its other start time', () => {
    const ports = join(import.meta.dirname, '../../src/adapters/node/ports.ts')
    const code = `import { isDead } from ${JSON.stringify(ports)}; console.log(isDead(${JSON.stringify(OWNER)}))`
    expect(inTime(code).stdout.trim()).toBe('false')
  })
})
