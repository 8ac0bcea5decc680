import { describe, expect, it } from 'vitest'
import type { FindingSignature } from '../../../src/core/run/tally.ts'
import type { FindingKind } from '../../../src/core/watch/event/event.ts'
import type { Store, ThreadQuery } from '../../../src/runtime/store/store.ts'
import type { TallyQuery, ThreadTally } from '../../../src/runtime/store/tally.ts'
import { batch, begun, row } from '../batches.ts'

const SEARCH = signatureOf('loop', 'search')

function signatureOf(kind: FindingKind, member: string): FindingSignature {
  return { kind, code: 'repeated-sequence', members: [member] }
}

function tallyOf(usd: number, signature?: FindingSignature): ThreadTally {
  const spent = { steps: 4, tokens: 120, usd }
  if (!signature) return { findings: 0, escapes: 0, rungs: [], spent }
  const finding = { signature, period: 1, repeats: 3 }
  return { findings: 2, finding, escapes: 2, rungs: ['rethink', 'stop'], spent }
}

/** The tally of a thread is a part of its line. */
export function tallying(fresh: () => Store): void {
  describe('tallies of threads', () => {
    it('are those of the latest append, also while nothing else of the line changes', async () => {
      const store = fresh()
      const lease = await begun(store, 't', 0, { wakeAt: 0, summary: { tally: tallyOf(0) } })
      for (const [seq, usd] of [
        [1, 0.25],
        [2, 0.5],
      ] as const) {
        const tally = tallyOf(usd, SEARCH)
        await store.append(batch(lease, [row(seq)], { wakeAt: seq * 10, summary: { tally } }))
        expect((await store.thread('t'))?.tally).toEqual(tally)
        expect((await store.page({})).map(of => of.tally)).toEqual([tally])
        expect((await store.page({ minUsd: usd })).map(of => of.thread)).toEqual(['t'])
        expect(await store.page({ minUsd: usd + 0.01 })).toEqual([])
      }
    })

    it('stay with a thread that has ended', async () => {
      const store = fresh()
      const tally = tallyOf(1, SEARCH)
      const summary = { status: 'ended', outcome: 'stopped', tally } as const
      await begun(store, 't', 0, { summary })
      expect((await store.thread('t'))?.tally).toEqual(tally)
    })

    it('are absent from threads of earlier versions, which match no filter for them', async () => {
      const store = fresh()
      await begun(store, 't')
      expect(await store.thread('t')).not.toHaveProperty('tally')
      expect(await store.page({ finding: 'any' })).toEqual([])
      expect(await store.page({ minUsd: 0 })).toEqual([])
      expect(await store.tallies()).toEqual([
        { graph: 'ring', status: 'active', count: 1, findings: 0, escapes: 0, usd: 0 },
      ])
    })

    it.each<[ThreadQuery, readonly string[]]>([
      [{ finding: 'any' }, ['dear', 'looped', 'stalled']],
      [{ finding: 'loop' }, ['dear', 'looped']],
      [{ finding: 'stall' }, ['stalled']],
      [{ finding: 'budget' }, []],
      [{ minUsd: 0.5 }, ['dear']],
      [{ finding: 'loop', minUsd: 0.3, outcome: 'stopped' }, ['dear']],
      [{ finding: 'any', after: 'dear', limit: 1 }, ['looped']],
    ])('are filtered by %j', async (query, names) => {
      const store = await filled(fresh())
      expect((await store.page(query)).map(({ thread }) => thread)).toEqual(names)
    })

    const LOOPED = { graph: 'ring', status: 'ended', outcome: 'stopped', signature: SEARCH }
    it.each<[TallyQuery, readonly object[]]>([
      [{ prefix: 'l' }, [{ ...LOOPED, count: 1, findings: 2, escapes: 2, usd: 0.25 }]],
      [{ graph: 'none' }, []],
      [{ since: 11 }, []],
      [{ since: 10, graph: 'ring', prefix: 'dear' }, [expect.objectContaining({ usd: 2 })]],
    ])('are counted for %j', async (query, counts) => {
      const store = await filled(fresh())
      expect(await store.tallies(query)).toEqual(counts)
    })

    it('count the threads with the same finding and outcome together, most threads first', async () => {
      const store = await filled(fresh())
      const summary = { status: 'ended', outcome: 'stopped', tally: tallyOf(0.5, SEARCH) } as const
      await begun(store, 'also', 0, { summary })
      const [first, ...others] = await store.tallies()
      expect(first).toEqual({ ...LOOPED, count: 2, findings: 4, escapes: 4, usd: 0.75 })
      expect(others.map(({ count }) => count)).toEqual([1, 1, 1])
    })
  })
}

async function filled(store: Store): Promise<Store> {
  for (const [thread, tally] of [
    ['looped', tallyOf(0.25, SEARCH)],
    ['stalled', tallyOf(0.01, signatureOf('stall', 'search'))],
    ['healthy', tallyOf(0.1)],
    ['dear', tallyOf(2, signatureOf('loop', 'fetch'))],
  ] as const) {
    const outcome = tally.finding ? 'stopped' : 'success'
    const summary = { status: 'ended', outcome, tally } as const
    await begun(store, thread, 1, { summary })
  }
  return store
}
