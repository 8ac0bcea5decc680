/** Retention: which threads are deleted, and which stay. */
import { describe, expect, it } from 'vitest'
import { pruneThreads } from '../../src/host/prune.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { batch, begun, row, rowsBetween, terms } from '../store/batches.ts'

const ENDED = { status: 'ended', outcome: 'success' } as const
const DAY = 86_400_000

/** An ended thread whose last event was `days` ago. */
async function ended(store: Store, thread: string, days: number, parent?: string): Promise<void> {
  const lease = await store.lease(thread, terms())
  const forked = {
    type: 'forked',
    parent: { thread: parent ?? '', seq: 0 },
    effects: 'refuse',
  } as const
  const fork = { ...row(1), event: { ...forked, at: 10 } }
  const rows = parent === undefined ? rowsBetween(0, 1) : [row(0), fork]
  await store.append(batch(lease, rows, { summary: { ...ENDED, at: -days * DAY } }))
  await store.release(lease)
}

const prune = (store: Store, days: number, preview = false) =>
  pruneThreads(store, 0, { keep: days * DAY, preview })
const names = async (store: Store) => (await store.page({})).map(({ thread }) => thread)

describe('prune', () => {
  it('deletes the threads that ended before the time to keep, and keeps open ones', async () => {
    const store = memoryStore()
    await ended(store, 'old', 40)
    await ended(store, 'new', 20)
    await begun(store, 'open', 0, { summary: { at: -40 * DAY } })
    expect(await prune(store, 30, true)).toEqual(['old'])
    expect(await names(store)).toHaveLength(3)
    expect(await prune(store, 30)).toEqual(['old'])
    expect(await names(store)).toEqual(['new', 'open'])
    expect(await prune(store, 30)).toEqual([])
  })

  it('deletes a thread with its descendants, or not at all', async () => {
    const store = memoryStore()
    for (const thread of ['a', 'a/b#1/1', 'a/b#1/1/c#1/1', 'a-2']) await ended(store, thread, 40)
    await ended(store, 'd', 40)
    await ended(store, 'd/b#1/1', 20)
    expect((await prune(store, 30)).toSorted()).toEqual(['a', 'a-2', 'a/b#1/1', 'a/b#1/1/c#1/1'])
    expect(await names(store)).toEqual(['d', 'd/b#1/1'])
  })

  it('keeps a thread while a fork of it, or of its child, stays; a fork that goes frees it', async () => {
    const store = memoryStore()
    for (const thread of ['one', 'two', 'three', 'three/b#1/1']) await ended(store, thread, 40)
    await ended(store, 'one-tried', 20, 'one')
    await ended(store, 'two-tried', 40, 'two')
    await ended(store, 'two-tried-again', 40, 'two-tried')
    await ended(store, 'three-tried', 20, 'three/b#1/1')
    expect((await prune(store, 30)).toSorted()).toEqual(['two', 'two-tried', 'two-tried-again'])
    expect(await names(store)).toEqual(['one', 'one-tried', 'three', 'three-tried', 'three/b#1/1'])
  })

  it('keeps the parent of a fork that is made meanwhile', async () => {
    const store = memoryStore()
    await ended(store, 'one', 40)
    await ended(store, 'two', 40)
    const forks = async () => {
      const known = await store.forks()
      await ended(store, 'one-tried', 0, 'one')
      return known
    }
    expect(await prune({ ...store, forks }, 30)).toEqual(['two'])
    expect(await names(store)).toEqual(['one', 'one-tried'])
  })

  it('deletes forks before their parents, also on other pages', async () => {
    const store = memoryStore()
    for (let nth = 0; nth < 1_203; nth += 1)
      await ended(store, `t${nth}`, 40, nth === 0 ? undefined : `t${nth - 1}`)
    expect(await prune(store, 30)).toHaveLength(1_203)
  })

  it('handles more threads than one page', async () => {
    const store = memoryStore()
    for (let nth = 0; nth < 1_203; nth += 1) await ended(store, `t${nth}`, nth % 3 === 0 ? 20 : 40)
    expect(await prune(store, 30)).toHaveLength(802)
    expect(await names(store)).toHaveLength(401)
  })

  it.each([Number.NaN, -1, '30d', undefined])('deletes nothing with the time %j', async keep => {
    const store = memoryStore()
    await ended(store, 'old', 40)
    const deleted = pruneThreads(store, 100 * DAY, { keep: keep as number })
    await expect(deleted).rejects.toThrow(
      `prune: keep: expected a time of at least 0 ms, received ${keep}`,
    )
    expect(await names(store)).toEqual(['old'])
  })

  it('is a method of the runtime', async () => {
    const store = memoryStore()
    await ended(store, 'old', 40)
    const runtime = createRuntime({ store, graphs: [] })
    expect(await runtime.prune({ keep: 30 * DAY, preview: true })).toEqual(['old'])
    expect(await runtime.prune({ keep: 30 * DAY })).toEqual(['old'])
    await runtime.close()
  })
})
