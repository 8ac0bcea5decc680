import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/runtime/store/store.ts'

export function keeping(fresh: () => Store): void {
  describe('what is kept by its hash', () => {
    it('comes back as it was', async () => {
      const store = fresh()
      const spec = { id: 'ring', nodes: { A: { use: 'pass', on: { done: 'B' } } } }
      await store.keep('h1', spec)
      await store.keep('h2', null)
      expect(await store.kept('h1')).toEqual(spec)
      expect(await store.kept('h2')).toBeNull()
    })

    it('never changes: the first value stays', async () => {
      const store = fresh()
      await store.keep('h', 'first')
      await store.keep('h', 'second')
      expect(await store.kept('h')).toBe('first')
    })

    it('is undefined where nothing was kept', async () => {
      expect(await fresh().kept('h')).toBeUndefined()
    })
  })
}
