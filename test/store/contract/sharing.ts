import { describe, expect, it } from 'vitest'
import type { Share } from '../../../src/core/watch/budget/scope.ts'
import { NOTHING_SPENT } from '../../../src/core/watch/event/call-event.ts'
import type { Store } from '../../../src/runtime/store/store.ts'
import { batch, begun, row } from '../batches.ts'

const JOB = { scope: 'job', key: 'nightly' }

function share(thread: string, at: number, more: Partial<Share> = {}): Share {
  return {
    ...JOB,
    thread,
    at,
    spent: { ...NOTHING_SPENT, toolCalls: at },
    points: [],
    loops: [],
    dismissed: [],
    limits: { key: 'nightly', per: 100, loops: 3 },
    until: at + 100,
    ...more,
  }
}

/** Publishes shares with the second row of their thread. */
async function publish(store: Store, ...shares: readonly Share[]): Promise<void> {
  const lease = await begun(store, shares[0]?.thread ?? '')
  await store.append(batch(lease, [row(1)], { shares }))
}

export function sharing(fresh: () => Store): void {
  describe('the shares of a scope', () => {
    it('are stored with the rows of their threads, and read by key', async () => {
      const store = fresh()
      const [b, a, other] = [share('b', 5), share('a', 7), share('c', 6, { key: 'weekly' })]
      await publish(store, b)
      await publish(store, a)
      await publish(store, other)
      expect(await store.shares(JOB)).toEqual([a, b])
      expect(await store.shares({ scope: 'job', key: 'weekly' })).toEqual([other])
      expect(await store.shares({ scope: 'team', key: 'nightly' })).toEqual([])
      expect(await store.shares()).toEqual([a, b, other])
    })

    it('are replaced: the last share of a thread counts, in each of its scopes', async () => {
      const store = fresh()
      const lease = await begun(store, 'a')
      const team = share('a', 5, { scope: 'team' })
      await store.append(batch(lease, [row(1)], { shares: [share('a', 5), team] }))
      await store.append(batch(lease, [row(2)], { shares: [share('a', 9)] }))
      expect(await store.shares()).toEqual([share('a', 9), team])
    })

    it('are not published by a rejected batch', async () => {
      const store = fresh()
      const lease = await begun(store, 'a')
      await expect(
        store.append(batch({ ...lease, epoch: 9 }, [row(1)], { shares: [share('a', 5)] })),
      ).rejects.toMatchObject({ name: 'Conflict' })
      expect(await store.shares()).toEqual([])
    })

    it('are removed after they expire and another thread publishes; those without an expiry stay', async () => {
      const store = fresh()
      const lasting = share('lasting', 5, {
        until: null,
        dismissed: [{ id: 'loop', signs: ['s'], states: ['A'] }],
      })
      await publish(store, lasting)
      await publish(store, share('short', 5))
      await publish(store, share('elsewhere', 5, { key: 'weekly' }))
      await publish(store, share('late', 200))
      expect((await store.shares()).map(({ thread }) => thread)).toEqual([
        'lasting',
        'late',
        'elsewhere',
      ])
      expect((await store.shares(JOB))[0]).toEqual(lasting)
    })

    it('are changed and dropped by hand for one scope only', async () => {
      const store = fresh()
      await publish(store, share('a', 5))
      await publish(store, share('b', 6))
      await publish(store, share('c', 7, { key: 'weekly' }))
      await store.changeShares(JOB, each =>
        each.thread === 'a' ? undefined : { ...each, until: null },
      )
      expect(await store.shares()).toEqual([
        share('b', 6, { until: null }),
        share('c', 7, { key: 'weekly' }),
      ])
      await store.changeShares({ scope: 'team', key: 'missing' }, () => undefined)
      expect(await store.shares()).toHaveLength(2)
    })
  })
}
