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
  })
}
