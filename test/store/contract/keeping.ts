import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/core/watch/data/json.ts'
import type { Store } from '../../../src/runtime/store/store.ts'
import { batch, row, terms } from '../batches.ts'

export function keeping(fresh: () => Store): void {
  describe('a value stored by its hash', () => {
    it('is restored unchanged', async () => {
      const store = fresh()
      const spec = { id: 'ring', nodes: { A: { use: 'pass', on: { done: 'B' } } } }
      await store.putBlob('h1', spec)
      await store.putBlob('h2', null)
      expect(await store.getBlob('h1')).toEqual(spec)
      expect(await store.getBlob('h2')).toBeNull()
    })

    it('never changes: the first value stays', async () => {
      const store = fresh()
      await store.putBlob('h', 'first')
      await store.putBlob('h', 'second')
      expect(await store.getBlob('h')).toBe('first')
    })

    it('is stored with a batch, in its transaction', async () => {
      const store = fresh()
      await store.putBlob('h1', 'first')
      const lease = await store.lease('t', terms())
      const blobs = new Map<string, Json>([
        ['h1', 'second'],
        ['h2', { id: 'ring' }],
        ['h3', null],
      ])
      const foreign = { ...lease, owner: 'other' }
      await expect(store.append(batch(foreign, [row(0)], { blobs }))).rejects.toMatchObject({
        name: 'Conflict',
      })
      expect(await store.getBlob('h2')).toBeUndefined()
      await store.append(batch(lease, [row(0)], { blobs }))
      expect(await Promise.all(['h1', 'h2', 'h3'].map(store.getBlob))).toEqual([
        'first',
        { id: 'ring' },
        null,
      ])
    })

    it('is undefined for an unknown hash', async () => {
      expect(await fresh().getBlob('h')).toBeUndefined()
    })
  })
  describe('breakpoints', () => {
    const node = { graph: 'shop', node: 'refund' }
    const condition = { graph: 'shop', when: "event.type == 'stop'" }

    it('are kept once each, with or without a thread, until they are cleared', async () => {
      const store = fresh()
      const all = [node, { ...node, thread: 't' }, condition, { ...condition, thread: 't' }]
      for (const each of [...all, node, condition]) await store.changeBreakpoint(each, true)
      expect(await store.breakpoints()).toHaveLength(4)
      expect(await store.breakpoints()).toEqual(expect.arrayContaining(all))
      await store.changeBreakpoint(condition, false)
      await store.changeBreakpoint(node, false)
      expect(await store.breakpoints()).toHaveLength(2)
    })

    it('of one graph can have several conditions, as long as expressions may be', async () => {
      const store = fresh()
      const when = `event.subject == '${'é'.repeat(1_900)}'`
      await store.changeBreakpoint(condition, true)
      await store.changeBreakpoint({ ...condition, when }, true)
      expect(await store.breakpoints()).toContainEqual({ ...condition, when })
    })
  })
}
