/** A driver that is told to leave: the thread is not cancelled, and the next driver goes on with it. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { drive } from '../../src/runtime/drive/drive.ts'
import { calling, portsOf, START } from './desk.ts'

it('leaves what it does, rejects with the reason, and gives its lease back', async () => {
  let told: unknown
  let times = 0
  const graph = calling(
    call =>
      new Promise((resolve, reject) => {
        if (times++ > 0) return resolve('done')
        call.signal.addEventListener('abort', () => {
          told = call.signal.reason
          reject(told)
        })
      }),
  )
  const ports = portsOf(graph)
  const leave = new AbortController()
  const driven = drive(ports, 't', { ...START, leave: leave.signal })
  const left = expect(driven).rejects.toThrow('terminated')
  await pause(20)
  leave.abort(new Error('terminated'))
  await left
  expect(String(told)).toContain('terminated')
  const summary = await ports.store.thread('t')
  expect(summary).toMatchObject({ status: 'active' })
  expect(summary?.lease).toBeUndefined()
  expect((await ports.store.rows('t')).map(({ event }) => event.type)).toEqual([
    'thread.started',
    'turn.started',
    'tool.called',
  ])
  expect(await drive(ports, 't')).toMatchObject({ ended: { outcome: 'success' } })
  expect(times).toBe(2)
})

it('told before it begins, it keeps the thread for later and performs nothing', async () => {
  let times = 0
  const ports = portsOf(calling(async () => ++times))
  await expect(
    drive(ports, 't', { ...START, leave: AbortSignal.abort(new Error('terminated')) }),
  ).rejects.toThrow('terminated')
  expect(times).toBe(0)
  expect(await ports.store.due(Date.now())).toEqual(['t'])
})
