/** A deploy that declares a tool as idempotent: what was begun without a key is not repeated. */
import { expect, it } from 'vitest'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { calling, portsOf, START } from './desk.ts'

it.each([false, true])('a write that was begun as idempotent: %s', async idempotent => {
  let paid = 0
  const pay = async () => ++paid
  const ports = portsOf(calling(pay, 'write', { idempotent }))
  const append: Store['append'] = async (...batches) => {
    if (paid > 0) throw new Error('the process is dead')
    await ports.store.append(...batches)
  }
  const dying = { ...ports, store: { ...ports.store, append }, owner: 'dead' }
  await expect(drive(dying, 't', START)).rejects.toThrow('dead')
  const { graph } = portsOf(calling(pay, 'write', { idempotent: true }))
  const { pending } = await drive({ ...ports, graph, isOwnerDead: () => true }, 't')
  expect(pending.map(({ id }) => id)).toEqual(idempotent ? [] : ['A#1', 'A#1/1?'])
  expect(paid).toBe(idempotent ? 2 : 1)
})
