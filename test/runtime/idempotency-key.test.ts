/** The idempotency key that a tool receives: one for all attempts of a call, also those of the next process. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Calling } from '../../src/runtime/ports.ts'
import { LEASE } from '../../src/runtime/store/lease.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { calling, portsOf, START } from './desk.ts'

const unavailable = () => Object.assign(new Error('HTTP 503'), { status: 503 })

it('is the same at every attempt', async () => {
  const keys: string[] = []
  const attempts: number[] = []
  const work = async ({ idempotencyKey, attempt }: Calling) => {
    attempts.push(attempt)
    if (keys.push(idempotencyKey) < 3) throw unavailable()
    return 'done'
  }
  const run = await drive(portsOf(calling(work), { clock: virtualClock(0) }), 'order-7', START)
  expect(run.ended?.outcome).toBe('success')
  expect(attempts).toEqual([1, 2, 3])
  expect(keys).toEqual(['order-7/A#1/1', 'order-7/A#1/1', 'order-7/A#1/1'])
})

it('is the same after another process has taken the thread over', async () => {
  const keys: string[] = []
  const work = async ({ idempotencyKey }: Calling) =>
    keys.push(idempotencyKey) === 1 ? new Promise(() => {}) : 'done'
  let now = 0
  const ports = portsOf(calling(work), { wall: () => now })
  void drive({ ...ports, owner: 'first' }, 'order-7', START).catch(() => {})
  await pause(20)
  now += 2 * LEASE
  const run = await drive({ ...ports, owner: 'second', isOwnerDead: () => true }, 'order-7')
  expect(run.ended?.outcome).toBe('success')
  expect(keys).toEqual(['order-7/A#1/1', 'order-7/A#1/1'])
})
