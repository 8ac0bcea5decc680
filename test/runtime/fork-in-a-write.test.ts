/** A fork that begins while a write of its parent is in flight: the parent keeps its write, and no tool is asked about it. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FORK_EFFECTS, type Decision } from '../../src/core/watch/event/event.ts'
import type { Row, Run } from '../../src/core/run/run.ts'
import { defined, type Json } from '../../src/core/watch/data/json.ts'
import { fork } from '../../src/runtime/drive/copy.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Calling, Ports, Reconciliation } from '../../src/runtime/ports.ts'
import { calling, driveUntil, portsOf, START, webhookServer } from './desk.ts'

/** A bank that keeps the highest fencing token of each key, and rejects payments with a lower one. */
function fencingBank(pause: Promise<void>) {
  const highest = new Map<string, number>()
  const paid: string[] = []
  const asked: string[] = []
  const admits = ({ idempotencyKey: key, fencingToken }: Calling) => {
    if (fencingToken < (highest.get(key) ?? -1)) throw new Error('refused: an older fencing token')
    highest.set(key, fencingToken)
    return key
  }
  const pay = async (call: Calling) => {
    await pause
    return paid.push(admits(call))
  }
  const reconcile = async (_: unknown, call: Calling): Promise<Reconciliation> => {
    const key = admits(call)
    asked.push(key)
    return { answer: paid.includes(key) ? 'applied' : 'not-applied', fenced: true }
  }
  return { paid, asked, pay, reconcile }
}

const isAsked = ({ pending }: Run) => pending.some(({ type }) => type === 'interrupt')

describe.each(FORK_EFFECTS)('a fork with effects: %s', effects => {
  it('leaves the write of its running parent alone, and asks a person', async () => {
    const { opened, open } = webhookServer()
    const { paid, asked, pay, reconcile } = fencingBank(opened)
    const ports = portsOf(calling(pay, 'write', { reconcile }))
    const parent = drive(ports, 't', START)
    await pause(20)
    await fork(ports, { thread: 't', as: 'f', effects })
    const forked = await drive(ports, 'f')
    expect(isAsked(forked)).toBe(true)
    expect(JSON.stringify(await ports.store.rows('f'))).toContain('started-before-fork')
    open()
    expect((await parent).ended).toMatchObject({ outcome: 'success' })
    expect([paid, asked]).toEqual([['t/A#1/1'], []])
  })

  it('leaves the write to its parent, whose process has died and is replaced later', async () => {
    const { opened, open } = webhookServer()
    const { paid, asked, pay, reconcile } = fencingBank(opened)
    const ports = portsOf(calling(pay, 'write', { reconcile }))
    void drive({ ...ports, owner: 'dead' }, 't', START).catch(() => {})
    await pause(20)
    const isOwnerDead = (owner: string) => owner.startsWith('dead')
    await fork(ports, { thread: 't', as: 'f', effects, change: { retry: { attempts: 2 } } })
    expect(isAsked(await drive({ ...ports, isOwnerDead }, 'f'))).toBe(true)
    open()
    const { ended } = await drive({ ...ports, isOwnerDead }, 't')
    expect(ended).toMatchObject({ outcome: 'success' })
    expect(new Set(paid)).toEqual(new Set(['t/A#1/1']))
    expect(asked).toEqual(['t/A#1/1'])
  })

  it('takes the answer that the journal of its parent has, also of an earlier fork', async () => {
    const { paid, asked, pay, reconcile } = fencingBank(Promise.resolve())
    const ports = portsOf(calling(pay, 'write', { reconcile }))
    await drive(ports, 't', START)
    await fork(ports, { thread: 't', at: 2, as: 'f', effects })
    await fork(ports, { thread: 'f', at: 3, as: 'g', effects })
    for (const thread of ['f', 'g'])
      expect((await drive(ports, thread)).ended).toMatchObject({ outcome: 'success' })
    expect([paid, asked]).toEqual([['t/A#1/1'], []])
  })
})

it('a live fork makes the write that its parent was refused, without a question', async () => {
  const keys: string[] = []
  const pay = async ({ idempotencyKey }: Calling) => {
    if (keys.push(idempotencyKey) === 1) throw Object.assign(new Error('no'), { status: 422 })
    return 'paid'
  }
  const ports = portsOf(calling(pay, 'write', { retry: { attempts: 1 } }))
  await drive(ports, 't', START)
  await fork(ports, { thread: 't', at: 2, as: 'f', effects: 'live' })
  expect((await drive(ports, 'f')).ended).toMatchObject({ outcome: 'success' })
  expect(keys).toEqual(['t/A#1/1', 'f/A#1/1'])
})

it('a fork asks a person when its parent does not know the outcome either', async () => {
  const lost = async () => {
    throw Object.assign(new Error('the line went dead'), { code: 'ECONNRESET' })
  }
  const ports = portsOf(calling(lost, 'write'))
  expect(isAsked(await drive(ports, 't', START))).toBe(true)
  await fork(ports, { thread: 't', at: 2, as: 'f', effects: 'live' })
  expect(isAsked(await drive(ports, 'f'))).toBe(true)
})

it('a fork of an idempotent write does not ask its tool either', async () => {
  const { paid, asked, pay, reconcile } = fencingBank(Promise.resolve())
  const ports = portsOf(calling(pay, 'write', { reconcile, idempotent: true }))
  await drive(ports, 't', START)
  await fork(ports, { thread: 't', at: 2, as: 'f', effects: 'live' })
  expect((await drive(ports, 'f')).ended).toMatchObject({ outcome: 'success' })
  expect([paid, asked]).toEqual([['t/A#1/1'], []])
})

/** A bank whose first answer is lost: the payment took effect. */
function forgetfulBank() {
  const keys: string[] = []
  const pay = async ({ idempotencyKey }: Calling) => {
    if (keys.push(idempotencyKey) > 1) return 'paid'
    throw Object.assign(new Error('the line went dead'), { code: 'ECONNRESET' })
  }
  return { keys, pay }
}

describe('a live fork between two attempts', () => {
  const retry = { attempts: 3, base: 50 }

  it('does not repeat a write that may have taken effect: a person says whether it did', async () => {
    const { keys, pay } = forgetfulBank()
    const ports = portsOf(calling(pay, 'write', { idempotent: true, retry }))
    await driveUntil(ports, 't', 'call.waiting')
    await fork(ports, { thread: 't', as: 'f', effects: 'live' })
    expect(isAsked(await drive(ports, 'f'))).toBe(true)
    expect(keys).toEqual(['t/A#1/1'])
    const command = { type: 'resume', effect: 'A#1/1?', decision: 'not-applied' } as const
    await ports.store.submit('f', 'answer', { at: ports.clock.now(), ...command })
    expect((await drive(ports, 'f')).ended).toMatchObject({ outcome: 'success' })
    expect(keys).toEqual(['t/A#1/1', 'f/A#1/1'])
  })

  it('takes the answer of the later attempt from the journal of its parent', async () => {
    const { keys, pay } = forgetfulBank()
    const ports = portsOf(calling(pay, 'write', { idempotent: true, retry }))
    await drive(ports, 't', START)
    for (const { seq, event } of await ports.store.rows('t')) {
      if (!['tool.failed', 'call.waiting'].includes(event.type)) continue
      await fork(ports, { thread: 't', at: seq, as: `f${seq}`, effects: 'live' })
      expect((await drive(ports, `f${seq}`)).ended).toMatchObject({ outcome: 'success' })
    }
    expect(keys).toEqual(['t/A#1/1', 't/A#1/1'])
  })

  it('asks a person before a call that was allowed to its parent only', async () => {
    const paid: string[] = []
    const pay = async ({ idempotencyKey }: Calling) => {
      if (paid.push(idempotencyKey) > 1) return 'paid'
      throw Object.assign(new Error('slow down'), { status: 429 })
    }
    const ports = portsOf(calling(pay, 'write', { confirm: true, retry }))
    await drive(ports, 't', START)
    const command = { type: 'resume', effect: 'A#1/1?', decision: 'approved' } as const
    await ports.store.submit('t', 'answer', { at: ports.clock.now(), ...command })
    await driveUntil(ports, 't', 'call.waiting')
    await fork(ports, { thread: 't', as: 'f', effects: 'live' })
    expect(isAsked(await drive(ports, 'f'))).toBe(true)
    expect(paid).toEqual(['t/A#1/1'])
  })
})

/** Answers the open question of a thread. */
async function answer(ports: Ports, thread: string, decision: Decision, output?: Json) {
  const run = await replay(ports.graph.machine, ports.store, thread)
  const { id: effect = '' } = run?.pending.find(({ type }) => type === 'interrupt') ?? {}
  const command = { type: 'resume', effect, decision, ...defined({ output }) } as const
  const id = `answer ${(await ports.store.rows(thread)).length}`
  await ports.store.submit(thread, id, { at: ports.clock.now(), ...command })
}

/** The question that is open, by its code. */
const asked = ({ pending }: Run) =>
  pending.flatMap(each => (each.type === 'interrupt' ? each.question.code : []))

describe.each([
  ['approved', undefined],
  ['edited', { cents: 50 }],
] as const)('a live fork in a write that a person has %s', (decision, output) => {
  /** A thread whose write was allowed, and the promise of its end. The fork begins after the attempt. */
  async function allowed(pay: (call: Calling) => Promise<unknown>) {
    const ports = portsOf(calling(pay, 'write', { confirm: true, retry: { attempts: 1 } }))
    await drive(ports, 't', START)
    await answer(ports, 't', decision, output)
    const ended = drive(ports, 't')
    const rows = () => ports.store.rows('t')
    await expect.poll(async () => (await rows()).some(isCalled)).toBe(true)
    const at = (await rows()).find(isCalled)?.seq ?? 0
    const forked = async () => {
      await fork(ports, { thread: 't', at, as: 'f', effects: 'live' })
      return drive(ports, 'f')
    }
    return { ports, ended, forked }
  }
  const isCalled = ({ event }: Row) => event.type === 'tool.called'

  it('takes the answer from the journal of its parent', async () => {
    const keys: string[] = []
    const of = await allowed(async ({ idempotencyKey }) => keys.push(idempotencyKey))
    await of.ended
    const { ended } = await of.forked()
    expect(ended).toMatchObject({ outcome: 'success' })
    expect(keys).toEqual(['t/A#1/1'])
    const rows = await of.ports.store.rows('f')
    const reconciled = rows.find(({ event }) => event.type === 'call.reconciled')?.event
    expect(reconciled).toMatchObject({ by: 'parent', answer: 'applied', result: 1 })
    expect(reconciled).toMatchObject(output ? { edited: { args: output } } : {})
  })

  it('asks whether it took effect while its parent has no answer, and again before it makes it', async () => {
    const { opened, open } = webhookServer()
    const keys: string[] = []
    const of = await allowed(async ({ idempotencyKey }) => {
      keys.push(idempotencyKey)
      if (idempotencyKey.startsWith('t/')) await opened
      return 'paid'
    })
    expect(asked(await of.forked())).toEqual(['ask-outcome'])
    expect(JSON.stringify(await of.ports.store.rows('f'))).toContain('started-before-fork')
    await answer(of.ports, 'f', 'not-applied')
    expect(asked(await drive(of.ports, 'f'))).toEqual(['ask-approval'])
    expect(keys).toEqual(['t/A#1/1'])
    await answer(of.ports, 'f', 'approved')
    expect((await drive(of.ports, 'f')).ended).toMatchObject({ outcome: 'success' })
    expect(keys).toEqual(['t/A#1/1', 'f/A#1/1'])
    open()
    await of.ended
  })

  it('goes on when a person says that it took effect', async () => {
    const { opened, open } = webhookServer()
    const of = await allowed(() => opened)
    expect(asked(await of.forked())).toEqual(['ask-outcome'])
    await answer(of.ports, 'f', 'applied')
    expect((await drive(of.ports, 'f')).ended).toMatchObject({ outcome: 'success' })
    open()
    await of.ended
  })

  it('asks before it makes a write that its parent was refused', async () => {
    const keys: string[] = []
    const of = await allowed(async ({ idempotencyKey }) => {
      if (keys.push(idempotencyKey) > 1) return 'paid'
      throw Object.assign(new Error('no'), { status: 422 })
    })
    await of.ended
    expect(asked(await of.forked())).toEqual(['ask-approval'])
    await answer(of.ports, 'f', 'approved')
    expect((await drive(of.ports, 'f')).ended).toMatchObject({ outcome: 'success' })
    expect(keys).toEqual(['t/A#1/1', 'f/A#1/1'])
  })
})

it('a live fork does not ask to allow an idempotent write that its parent has made', async () => {
  const keys: string[] = []
  const pay = async ({ idempotencyKey }: Calling) => keys.push(idempotencyKey)
  const ports = portsOf(calling(pay, 'write', { confirm: true, idempotent: true }))
  await drive(ports, 't', START)
  await answer(ports, 't', 'approved')
  await drive(ports, 't')
  const called = (await ports.store.rows('t')).find(({ event }) => event.type === 'tool.called')
  await fork(ports, { thread: 't', at: called?.seq ?? 0, as: 'f', effects: 'live' })
  expect((await drive(ports, 'f')).ended).toMatchObject({ outcome: 'success' })
  expect(keys).toEqual(['t/A#1/1'])
})
