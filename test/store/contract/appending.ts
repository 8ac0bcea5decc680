import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/runtime/store/store.ts'
import { batch, begun, cancel, row, rowsBetween, seqs, terms } from '../batches.ts'

export function appending(fresh: () => Store): void {
  describe('append: leases', () => fencing(fresh))
  describe('append: order', () => following(fresh))
}

function fencing(fresh: () => Store): void {
  it('rejects an owner whose lease was taken over', async () => {
    const store = fresh()
    const older = await begun(store, 't')
    const newer = await store.lease('t', terms('host/2/b', { now: 5_000, until: 9_000 }))
    await expect(store.append(batch(older, [row(1)]))).rejects.toMatchObject({
      name: 'Conflict',
      message: expect.stringContaining("'host/2/b'"),
    })
    await store.append(batch(newer, [row(1)]))
    expect(await seqs(store, 't')).toEqual([0, 1])
  })

  it('rejects a lease that was never granted, also for an unknown thread', async () => {
    const store = fresh()
    await begun(store, 't')
    const forged = { owner: 'host/9/z', epoch: 1, until: 1_000 }
    await expect(store.append(batch({ ...forged, thread: 't' }, [row(1)]))).rejects.toMatchObject({
      name: 'Conflict',
    })
    await expect(store.append(batch({ ...forged, thread: 'u' }, [row(0)]))).rejects.toMatchObject({
      name: 'Conflict',
    })
    expect(await store.threads()).toHaveLength(1)
  })

  it('a rejected batch stores nothing: no row, checkpoint, chunk, settlement or summary', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    await store.submit('t', 'c1', cancel('enough'))
    const before = await store.thread('t')
    const checkpoint = { seq: 0, run: { seq: 0 }, chunks: new Map([['h', ['item']]]) }
    const more = {
      checkpoint,
      settled: [{ command: 'c1' }],
      wakeAt: 7,
      summary: { detail: 'other' },
    }
    await expect(store.append(batch({ ...lease, epoch: 9 }, [row(1)], more))).rejects.toMatchObject(
      { name: 'Conflict' },
    )
    await expect(store.append(batch(lease, [row(0)], more))).rejects.toMatchObject({
      name: 'Conflict',
    })
    await expect(store.append(batch(lease, [row(2)], more))).rejects.toThrow()
    expect(await store.load('t')).toEqual({ rows: [row(0)] })
    expect(await store.chunks(['h'])).toEqual(new Map())
    expect(await store.command('t', 'c1')).toEqual({ state: 'waiting' })
    expect(await store.thread('t')).toEqual(before)
  })
}

function following(fresh: () => Store): void {
  it('rows are stored in the order of their seq, in any number of batches', async () => {
    const store = fresh()
    const lease = await begun(store, 't', 2)
    await store.append(batch(lease, rowsBetween(3, 3)))
    await store.append(batch(lease, rowsBetween(4, 9)))
    expect(await store.rows('t')).toEqual(rowsBetween(0, 9))
  })

  it('an existing row is a conflict', async () => {
    const store = fresh()
    const lease = await begun(store, 't', 2)
    await expect(store.append(batch(lease, rowsBetween(2, 3)))).rejects.toMatchObject({
      name: 'Conflict',
      message: expect.stringContaining('row 2 already exists'),
    })
    expect(await seqs(store, 't')).toEqual([0, 1, 2])
  })

  it('a gap is a bug of the caller and not a conflict, before or inside a batch', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    await expect(store.append(batch(lease, [row(2)]))).rejects.toMatchObject({
      name: 'Error',
      message: expect.stringContaining('row 2 cannot follow row 0'),
    })
    await expect(store.append(batch(lease, [row(1), row(3)]))).rejects.toMatchObject({
      name: 'Error',
      message: expect.stringContaining('row 3 cannot follow row 1'),
    })
    expect(await seqs(store, 't')).toEqual([0])
  })

  it('a summary or a checkpoint of a missing row is a bug of the caller', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    await expect(
      store.append(batch(lease, [row(1)], { summary: { seq: 2 } })),
    ).rejects.toMatchObject({ name: 'Error', message: expect.stringContaining('row 2') })
    const checkpoint = { seq: 2, run: {}, chunks: new Map() }
    await expect(store.append(batch(lease, [row(1)], { checkpoint }))).rejects.toMatchObject({
      name: 'Error',
      message: expect.stringContaining('checkpoint is for row 2'),
    })
    expect(await seqs(store, 't')).toEqual([0])
  })

  it('a batch without rows changes the summary and settles commands', async () => {
    const store = fresh()
    const lease = await begun(store, 't', 1)
    await store.submit('t', 'c1', cancel('enough'))
    await store.append(
      batch(lease, [], {
        wakeAt: 70,
        settled: [
          { command: 'c1', refused: { code: 'question-expired', params: { question: 'q' } } },
        ],
        summary: { seq: 1, status: 'waiting' },
      }),
    )
    expect(await store.thread('t')).toMatchObject({ seq: 1, status: 'waiting', wakeAt: 70 })
    expect(await store.command('t', 'c1')).toEqual({
      state: 'refused',
      reason: { code: 'question-expired', params: { question: 'q' } },
    })
    expect(await seqs(store, 't')).toEqual([0, 1])
  })

  it('concurrent batches of one lease are stored one after another', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    await Promise.all([1, 2, 3].map(seq => store.append(batch(lease, [row(seq)]))))
    expect(await seqs(store, 't')).toEqual([0, 1, 2, 3])
  })
}
