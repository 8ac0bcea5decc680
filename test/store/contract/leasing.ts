import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/runtime/store/store.ts'
import { batch, begun, row, seqs, terms } from '../batches.ts'

export function leasing(fresh: () => Store): void {
  describe('leases: taking', () => taking(fresh))
  describe('leases: renewing and releasing', () => holding(fresh))
}

function taking(fresh: () => Store): void {
  it('a thread without a driver is leased under epoch 1', async () => {
    const lease = await fresh().lease('t', terms('host/1/a', { now: 5, until: 99 }))
    expect(lease).toEqual({ thread: 't', owner: 'host/1/a', epoch: 1, until: 99 })
  })

  it('a live lease of another owner is rejected with its owner and its end', async () => {
    const store = fresh()
    await store.lease('t', terms('host/1/a', { until: 15_000 }))
    await expect(
      store.lease('t', terms('host/2/b', { now: 2_500, until: 20_000 })),
    ).rejects.toMatchObject({
      name: 'Conflict',
      message: "thread 't' is driven by 'host/1/a', whose lease ends in 12.5 s",
    })
  })

  it('an expired lease may be taken over under the next epoch', async () => {
    const store = fresh()
    await store.lease('t', terms('host/1/a', { until: 1_000 }))
    await expect(
      store.lease('t', terms('host/2/b', { now: 999, until: 3_000 })),
    ).rejects.toMatchObject({ name: 'Conflict' })
    expect(await store.lease('t', terms('host/2/b', { now: 1_000, until: 3_000 }))).toMatchObject({
      owner: 'host/2/b',
      epoch: 2,
    })
  })

  it('the lease of a dead owner may be taken over before its end', async () => {
    const store = fresh()
    await store.lease('t', terms('host/1/a'))
    const lease = await store.lease(
      't',
      terms('host/2/b', { isOwnerDead: owner => owner === 'host/1/a' }),
    )
    expect(lease.epoch).toBe(2)
  })

  it('an owner that takes its own live lease again gets the next epoch, and its older lease is fenced off', async () => {
    const store = fresh()
    const older = await store.lease('t', terms('host/1/a'))
    const newer = await store.lease('t', terms('host/1/a'))
    expect(newer.epoch).toBe(2)
    await expect(store.append(batch(older, [row(0)]))).rejects.toMatchObject({ name: 'Conflict' })
    await store.append(batch(newer, [row(0)]))
  })

  it('checks whether an owner is dead only for live foreign leases', async () => {
    const store = fresh()
    const asked: string[] = []
    const isOwnerDead = (owner: string) => asked.push(owner) > 99
    await store.lease('t', terms('host/1/a', { isOwnerDead }))
    await store.lease('t', terms('host/1/a', { isOwnerDead }))
    await store.lease('t', terms('host/2/b', { now: 5_000, until: 9_000, isOwnerDead }))
    await expect(
      store.lease('t', terms('host/3/c', { now: 6_000, isOwnerDead })),
    ).rejects.toMatchObject({
      name: 'Conflict',
    })
    expect(asked).toEqual(['host/2/b'])
  })

  it('an error in this check grants no lease', async () => {
    const store = fresh()
    await store.lease('t', terms('host/1/a'))
    const isOwnerDead = () => {
      throw new Error('no such host')
    }
    await expect(store.lease('t', terms('host/2/b', { isOwnerDead }))).rejects.toThrow(
      'no such host',
    )
    expect(await store.lease('t', terms('host/1/a'))).toMatchObject({ epoch: 2 })
  })

  it('leases of different threads are independent', async () => {
    const store = fresh()
    await store.lease('t', terms('host/1/a'))
    expect(await store.lease('u', terms('host/2/b'))).toMatchObject({ thread: 'u', epoch: 1 })
  })
}

function holding(fresh: () => Store): void {
  it('a renewed lease lasts longer, under the same epoch', async () => {
    const store = fresh()
    const lease = await store.lease('t', terms('host/1/a', { until: 1_000 }))
    expect(await store.renew(lease, 4_000)).toEqual({ ...lease, until: 4_000 })
    await expect(
      store.lease('t', terms('host/2/b', { now: 3_999, until: 9_000 })),
    ).rejects.toMatchObject({ name: 'Conflict' })
  })

  it('an expired lease can be renewed and used until another process takes over', async () => {
    const store = fresh()
    const lease = await store.lease('t', terms('host/1/a', { until: 1 }))
    await store.append(batch(lease, [row(0)]))
    expect(await store.renew(lease, 9_000)).toMatchObject({ until: 9_000 })
  })

  it('a lease that was taken over cannot be renewed, and the error names the new owner', async () => {
    const store = fresh()
    const lease = await store.lease('t', terms('host/1/a', { until: 1 }))
    await store.lease('t', terms('host/2/b', { now: 2 }))
    await expect(store.renew(lease, 9_000)).rejects.toMatchObject({
      name: 'Conflict',
      message: expect.stringContaining("'host/2/b'"),
    })
    await expect(store.lease('t', terms('host/1/a', { now: 3 }))).rejects.toMatchObject({
      name: 'Conflict',
    })
  })

  it('a lease of an unknown thread cannot be renewed, and releasing it does nothing', async () => {
    const store = fresh()
    const lease = { thread: 't', owner: 'host/1/a', epoch: 1, until: 1_000 }
    await expect(store.renew(lease, 2_000)).rejects.toMatchObject({ name: 'Conflict' })
    await store.release(lease)
  })

  it('a released lease may be taken at once under the next epoch', async () => {
    const store = fresh()
    await store.release(await store.lease('t', terms('host/1/a')))
    expect(await store.lease('t', terms('host/2/b'))).toMatchObject({ epoch: 2 })
  })

  it('a released lease can neither write nor be renewed', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    await store.release(lease)
    await expect(store.append(batch(lease, [row(1)]))).rejects.toMatchObject({ name: 'Conflict' })
    await expect(store.renew(lease, 2_000)).rejects.toMatchObject({ name: 'Conflict' })
    expect(await seqs(store, 't')).toEqual([0])
  })

  it('releasing a lost lease does not affect the new owner', async () => {
    const store = fresh()
    const older = await store.lease('t', terms('host/1/a', { until: 1 }))
    const newer = await store.lease('t', terms('host/2/b', { now: 2 }))
    await store.release(older)
    await store.append(batch(newer, [row(0)]))
  })
}
