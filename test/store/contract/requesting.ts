import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/runtime/store/store.ts'
import { batch, begun, cancel, row, terms } from '../batches.ts'

const PRUNED = { name: 'ThreadPruned' }
const ENDED = { status: 'ended', detail: 'goal', outcome: 'success' } as const
const LATER = { before: 50_000, now: 50_000 }

export function requesting(fresh: () => Store): void {
  describe('the name of a request', () => {
    it('is stored with its rows, or not at all', async () => {
      const store = fresh()
      const lease = await store.lease('t', terms())
      const foreign = { ...lease, owner: 'other' }
      await expect(store.append(batch(foreign, [row(0)], { once: 'q/1' }))).rejects.toMatchObject({
        name: 'Conflict',
      })
      expect(await store.getBlob('q/1')).toBeUndefined()
      await store.append(batch(lease, [row(0)], { once: 'q/1' }))
      expect(await store.getBlob('q/1')).toBe(true)
    })

    it('is taken once: a second batch with it stores nothing, also after its thread was removed', async () => {
      const store = fresh()
      await store.release(await begun(store, 't', 0, { once: 'q/1', summary: ENDED }))
      const other = await store.lease('u', terms())
      const blobs = new Map([['h', 1]])
      const again = () => store.append(batch(other, [row(0)], { once: 'q/1', blobs }))
      await expect(again()).rejects.toMatchObject(PRUNED)
      expect(await store.remove([['t']], LATER)).toEqual(['t'])
      await expect(again()).rejects.toMatchObject(PRUNED)
      expect(await store.getBlob('h')).toBeUndefined()
      expect(await store.threads()).toEqual([])
      await store.append(batch(other, [row(0)], { once: 'q/2' }))
      expect(await store.rows('u')).toHaveLength(1)
    })

    it('is taken by one of several batches at once', async () => {
      const store = fresh()
      const names = ['a', 'b', 'c', 'd']
      const leases = await Promise.all(names.map(name => store.lease(name, terms())))
      const all = leases.map(lease => store.append(batch(lease, [row(0)], { once: 'q/1' })))
      const settled = await Promise.allSettled(all)
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await store.threads()).toHaveLength(1)
    })

    it('is stored with its command, which a repetition does not queue again', async () => {
      const store = fresh()
      const submit = (thread: string, command: string) =>
        store.submit(thread, command, cancel('enough'), 'q/1')
      const lease = await begun(store, 't')
      await expect(submit('u', 'c1')).rejects.toMatchObject({ name: 'UnknownThread' })
      await Promise.all([submit('t', 'c1'), submit('t', 'c1'), submit('t', 'c1')])
      expect(await store.inbox('t')).toHaveLength(1)
      await expect(submit('t', 'c2')).rejects.toMatchObject(PRUNED)
      await store.append(batch(lease, [row(1)], { settled: [{ command: 'c1' }], summary: ENDED }))
      await store.release(lease)
      await submit('t', 'c1')
      expect(await store.inbox('t')).toEqual([])
      expect(await store.remove([['t']], LATER)).toEqual(['t'])
      await expect(submit('t', 'c1')).rejects.toMatchObject(PRUNED)
      await begun(store, 't')
      await expect(submit('t', 'c1')).rejects.toMatchObject(PRUNED)
      expect(await store.inbox('t')).toEqual([])
    })

    it('of rows is not taken by a command', async () => {
      const store = fresh()
      await begun(store, 't', 0, { once: 'q/1', settled: [{ command: 'c1' }] })
      await store.submit('t', 'c1', cancel('enough'), 'q/1')
      expect(await store.inbox('t')).toEqual([])
      await expect(store.submit('t', 'c2', cancel('enough'), 'q/1')).rejects.toMatchObject(PRUNED)
    })

    it('is stored when an existing thread answers it, and stays when that is removed', async () => {
      const store = fresh()
      expect(await store.join('t', 'q/1')).toBe(false)
      const lease = await store.lease('t', terms())
      expect(await store.join('t', 'q/1')).toBe(false)
      expect(await store.getBlob('q/1')).toBeUndefined()
      await store.append(batch(lease, [row(0)], { summary: ENDED }))
      await store.release(lease)
      expect([await store.join('t', 'q/1'), await store.join('t', 'q/1')]).toEqual([true, true])
      expect(await store.remove([['t']], LATER)).toEqual(['t'])
      expect([await store.join('t', 'q/1'), await store.getBlob('q/1')]).toEqual([false, true])
      const next = await store.lease('t', terms())
      const again = store.append(batch(next, [row(0)], { once: 'q/1' }))
      await expect(again).rejects.toMatchObject(PRUNED)
    })

    it('is stored while a thread is removed only if the thread is still there', async () => {
      const store = fresh()
      for (const nth of Array.from({ length: 20 }, (_, each) => each)) {
        const [thread, once] = [`t${nth}`, `q/${nth}`]
        await store.release(await begun(store, thread, 0, { summary: ENDED }))
        const [removed, isJoined] = await Promise.all([
          store.remove([[thread]], LATER),
          store.join(thread, once),
        ])
        expect(removed).toEqual([thread])
        expect((await store.getBlob(once)) ?? false).toBe(isJoined)
      }
    })

    it('a command that is queued while its thread is removed is kept with it, or refused', async () => {
      const store = fresh()
      for (const nth of Array.from({ length: 20 }, (_, each) => each)) {
        const thread = `t${nth}`
        await store.release(await begun(store, thread, 0, { summary: ENDED }))
        const [removed, isQueued] = await Promise.all([
          store.remove([[thread]], LATER),
          store.submit(thread, 'c1', cancel('enough'), `q/${nth}`).then(
            () => true,
            () => false,
          ),
        ])
        expect(removed).toEqual(isQueued ? [] : [thread])
        expect(await store.inbox(thread)).toHaveLength(isQueued ? 1 : 0)
      }
    })
  })
}
