import { describe, expect, it } from 'vitest'
import { type Breaker, CLOSED, settleBreaker } from '../../../src/core/watch/failure/breaker.ts'
import type { Store } from '../../../src/runtime/store/store.ts'

const OPEN: Breaker = { state: 'open', failures: 3, openedAt: 5, retryAt: 30_005 }
const HALF_OPEN: Breaker = { state: 'half-open', failures: 3, since: 31_000, retryAt: 61_000 }

export function guarding(fresh: () => Store): void {
  describe('breakers', () => {
    it('of resources without calls are closed', async () => {
      const store = fresh()
      expect(await store.breaker('ring/tool:search')).toEqual(CLOSED)
      expect(await store.breakers()).toEqual(new Map())
    })

    it.each([OPEN, HALF_OPEN, { state: 'closed', failures: 2 } as const])(
      'are restored unchanged: %o',
      async breaker => {
        const store = fresh()
        expect(await store.changeBreaker('r', () => breaker)).toEqual([CLOSED, breaker])
        expect(await store.breaker('r')).toEqual(breaker)
        expect(await store.breaker('another')).toEqual(CLOSED)
        expect(await store.breakers()).toEqual(new Map([['r', breaker]]))
      },
    )

    it('are changed from their current value, one change after another', async () => {
      const store = fresh()
      const options = { threshold: 20, reset: 1 }
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          store.changeBreaker('r', before =>
            settleBreaker(before, 'failure', { admission: 'pass', at, options }),
          ),
        ),
      )
      expect(await store.breaker('r')).toEqual({ state: 'closed', failures: 10 })
    })

    it('that closed stay in the list', async () => {
      const store = fresh()
      await store.changeBreaker('r', () => OPEN)
      expect(await store.changeBreaker('r', () => CLOSED)).toEqual([OPEN, CLOSED])
      expect(await store.breakers()).toEqual(new Map([['r', CLOSED]]))
    })

    it('are not written without a change, or after an error', async () => {
      const store = fresh()
      expect(await store.changeBreaker('r', same => same)).toEqual([CLOSED, CLOSED])
      const broken = store.changeBreaker('r', () => {
        throw new Error('no')
      })
      await expect(broken).rejects.toThrow('no')
      expect(await store.breakers()).toEqual(new Map())
      await store.changeBreaker('r', () => OPEN)
      expect(await store.breaker('r')).toEqual(OPEN)
    })
  })
}
