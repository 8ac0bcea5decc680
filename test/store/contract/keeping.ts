import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/runtime/store/store.ts'

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

    it('is undefined for an unknown hash', async () => {
      expect(await fresh().getBlob('h')).toBeUndefined()
    })
  })
}
