import { describe, expect, it } from 'vitest'
import type { DrivenThreads, Store, ThreadQuery } from '../../../src/runtime/store/store.ts'
import { batch, begun, cancel, row, rowsBetween, terms } from '../batches.ts'

export function listing(fresh: () => Store): void {
  describe('summaries of threads', () => lines(fresh))
  describe('pages of threads', () => pages(fresh))
  describe('driven threads', () => driven(fresh))
  describe('due', () => due(fresh))
}

function pages(fresh: () => Store): void {
  const filled = async () => {
    const store = fresh()
    for (const [thread, graph, outcome] of [
      ['order-3', 'shop', 'success'],
      ['order-1', 'shop', undefined],
      ['night-1', 'night', 'success'],
      ['order_2', 'shop', undefined],
      ['ordeal', 'shop', 'failure'],
    ] as const) {
      const summary = outcome ? { graph, outcome, status: 'ended' as const } : { graph }
      await store.release(await begun(store, thread, 0, { summary }))
    }
    return store
  }
  const namesOf = async (store: Store, query: ThreadQuery) =>
    (await store.page(query)).map(({ thread }) => thread)

  it('are sorted by name', async () => {
    const names = ['night-1', 'ordeal', 'order-1', 'order-3', 'order_2']
    expect(await namesOf(await filled(), {})).toEqual(names)
  })

  it.each<[ThreadQuery, readonly string[]]>([
    [{ graph: 'night' }, ['night-1']],
    [{ outcome: 'success' }, ['night-1', 'order-3']],
    [{ status: 'ended', graph: 'shop' }, ['ordeal', 'order-3']],
    [{ prefix: 'order-' }, ['order-1', 'order-3']],
    [{ prefix: 'order_' }, ['order_2']],
    [{ prefix: '%' }, []],
    [{ after: 'order-1' }, ['order-3', 'order_2']],
    [{ after: 'no such name', limit: 1 }, ['ordeal']],
    [{ limit: 2 }, ['night-1', 'ordeal']],
    [{ prefix: 'order', after: 'order-1', status: 'ended', limit: 5 }, ['order-3']],
  ])('that match %j', async (query, names) => {
    expect(await namesOf(await filled(), query)).toEqual(names)
  })

  it('are those with the latest events first, if they are ordered so', async () => {
    const store = fresh()
    for (const [thread, at] of [
      ['a', 3],
      ['b', 1],
      ['c', 5],
      ['d', 3],
    ] as const) {
      const lease = await begun(store, thread, 0, { wakeAt: 10 })
      const next = { ...row(1), event: { ...row(1).event, at: 1_000 + at } }
      await store.append(batch(lease, [next], { summary: { at: 1_000 + at } }))
      await store.release(lease)
    }
    expect(await namesOf(store, { order: 'latest' })).toEqual(['c', 'a', 'd', 'b'])
    expect(await namesOf(store, { order: 'latest', limit: 2 })).toEqual(['c', 'a'])
    expect(await namesOf(store, { order: 'latest', prefix: 'd' })).toEqual(['d'])
  })

  it('have the summaries of the list, also after events that change only the last one', async () => {
    const store = fresh()
    const lease = await begun(store, 't', 0, { wakeAt: 10 })
    await store.append(batch(lease, [row(1)], { wakeAt: 10 }))
    expect(await store.page({})).toEqual(await store.threads())
  })

  it('are counted by graph, status and outcome', async () => {
    const counts = await (await filled()).counts()
    expect(counts.toSorted((a, b) => b.count - a.count)).toEqual([
      expect.objectContaining({ graph: 'shop', count: 2 }),
      expect.anything(),
      expect.anything(),
      expect.anything(),
    ])
    expect(counts).toContainEqual({ graph: 'shop', status: 'ended', outcome: 'failure', count: 1 })
  })
}

function driven(fresh: () => Store): void {
  const namesOf = ({ threads }: DrivenThreads) => threads.map(({ thread }) => thread)

  it('are those with a lease, with their last events', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    await store.release(await begun(store, 'idle'))
    await store.append(batch(lease, [row(1)]))
    expect((await store.driven()).threads).toEqual([{ thread: 't', seq: 1 }])
  })

  it('include those whose lease was taken and released since the cursor', async () => {
    const store = fresh()
    await store.release(await begun(store, 'before'))
    const { cursor } = await store.driven()
    expect(namesOf(await store.driven(cursor))).toEqual([])
    await store.release(await begun(store, 'after'))
    const next = await store.driven(cursor)
    expect(namesOf(next)).toEqual(['after'])
    expect(namesOf(await store.driven(next.cursor))).toEqual([])
    await store.release(await store.lease('before', terms()))
    expect(namesOf(await store.driven(next.cursor))).toEqual(['before'])
  })

  it('omit a thread without a row', async () => {
    const store = fresh()
    await store.lease('t', terms())
    expect(namesOf(await store.driven())).toEqual([])
  })
}

function lines(fresh: () => Store): void {
  it('show the latest batch, the wake time and the driver of a thread', async () => {
    const store = fresh()
    await begun(store, 't', 1, {
      wakeAt: 50,
      summary: {
        graph: 'agent',
        specHash: 'f00',
        status: 'waiting',
        detail: 'review',
        startedAt: 3.5,
        at: 10,
      },
    })
    expect(await store.thread('t')).toEqual({
      thread: 't',
      graph: 'agent',
      specHash: 'f00',
      status: 'waiting',
      detail: 'review',
      seq: 1,
      startedAt: 3.5,
      at: 10,
      wakeAt: 50,
      lease: { owner: 'host/1/a', until: 1_000 },
    })
  })

  it('show a detail with any characters, as the reason of a person', async () => {
    const store = fresh()
    const detail = 'a\0b \uD800 \u202E'
    await begun(store, 't', 0, { summary: { detail } })
    const shown = (await store.thread('t'))?.detail ?? ''
    expect(shown.replace('\0', '\uFFFD').replace('\uD800', '\uFFFD')).toBe('a\uFFFDb \uFFFD \u202E')
  })

  it('show the threads that it waits for, until an append without waits', async () => {
    const store = fresh()
    const waits = [{ call: 'ask#1/1', thread: 'other', since: 0 }]
    const lease = await begun(store, 't', 0, { wakeAt: 0 })
    // It is due at once, and only its waits change.
    const append = (seq: number, summary: object) =>
      store.append(batch(lease, [row(seq)], { wakeAt: seq * 10, summary }))
    await append(1, { waits })
    expect((await store.thread('t'))?.waits).toEqual(waits)
    expect((await store.threads()).map(of => of.waits)).toEqual([waits])
    await append(2, {})
    expect(await store.thread('t')).not.toHaveProperty('waits')
  })

  it('show how it ended, without a driver and a wake time', async () => {
    const store = fresh()
    const lease = await begun(store, 't', 0, { wakeAt: 50 })
    await store.append(
      batch(lease, [row(1)], { summary: { status: 'ended', detail: 'goal', outcome: 'success' } }),
    )
    await store.release(lease)
    expect(await store.thread('t')).toEqual({
      thread: 't',
      graph: 'ring',
      specHash: 'hash',
      status: 'ended',
      detail: 'goal',
      outcome: 'success',
      seq: 1,
      startedAt: 0,
      at: 10,
    })
  })

  it('show a renewed lease', async () => {
    const store = fresh()
    await store.renew(await begun(store, 't'), 9_000)
    expect((await store.thread('t'))?.lease).toEqual({ owner: 'host/1/a', until: 9_000 })
  })

  it('are listed oldest thread first', async () => {
    const store = fresh()
    for (const thread of ['z', 'a', 'm']) await begun(store, thread)
    const lease = await store.lease('z', terms())
    await store.append(batch(lease, [row(1)]))
    expect((await store.threads()).map(({ thread, seq }) => [thread, seq])).toEqual([
      ['z', 1],
      ['a', 0],
      ['m', 0],
    ])
  })

  it('omit a leased thread without a row', async () => {
    const store = fresh()
    await store.lease('t', terms())
    expect(await store.threads()).toEqual([])
    expect(await store.thread('t')).toBeUndefined()
    expect(await store.thread('unknown')).toBeUndefined()
  })
}

function due(fresh: () => Store): void {
  it('lists a thread at its wake time, and not before', async () => {
    const store = fresh()
    await store.release(await begun(store, 't', 0, { wakeAt: 500.5 }))
    expect(await store.due(500)).toEqual([])
    expect(await store.due(500.5)).toEqual(['t'])
  })

  it('lists a thread with a waiting command until it is settled', async () => {
    const store = fresh()
    await store.release(await begun(store, 't'))
    expect(await store.due(9_000)).toEqual([])
    await store.submit('t', 'c1', cancel('enough'))
    expect(await store.due(9_000)).toEqual(['t'])
    const lease = await store.lease('t', terms())
    await store.append(batch(lease, [row(1)], { settled: [{ command: 'c1' }] }))
    await store.release(lease)
    expect(await store.due(9_000)).toEqual([])
  })

  it('omits a driven thread until its lease expires', async () => {
    const store = fresh()
    await begun(store, 't', 0, { wakeAt: 0 })
    await store.submit('t', 'c1', cancel('enough'))
    expect(await store.due(999)).toEqual([])
    expect(await store.due(1_000)).toEqual(['t'])
  })

  it('lists a thread of a dead owner at once, but not one of a live owner', async () => {
    const store = fresh()
    await begun(store, 't', 0, { wakeAt: 0 })
    await begun(store, 'u')
    await store.submit('u', 'c1', cancel('enough'))
    await begun(store, 'idle')
    expect(await store.due(1, { isOwnerDead: () => true })).toEqual(['t', 'u'])
    expect(await store.due(1, { isOwnerDead: owner => owner === 'another owner' })).toEqual([])
  })

  it('lists only threads of the requested graphs, by id and hash', async () => {
    const store = fresh()
    for (const [thread, graph, specHash] of [
      ['one', 'shop', 'v1'],
      ['two', 'shop', 'v2'],
      ['three', 'night', 'v1'],
    ] as const)
      await store.release(
        await begun(store, thread, 0, { wakeAt: 0, summary: { graph, specHash } }),
      )
    await store.submit('two', 'c1', cancel('enough'))
    expect(await store.due(1, { graphs: [{ graph: 'shop', specHash: 'v2' }] })).toEqual(['two'])
    expect(await store.due(1, { graphs: [] })).toEqual([])
    expect(await store.due(1)).toEqual(['two', 'one', 'three'])
  })

  it('omits an ended thread without a command', async () => {
    const store = fresh()
    await store.release(await begun(store, 't', 0, { wakeAt: 0, summary: { status: 'ended' } }))
    expect(await store.due(9_000)).toEqual([])
    await store.submit('t', 'c1', { type: 'message', input: {} })
    expect(await store.due(9_000)).toEqual(['t'])
  })

  it('omits a thread without a row', async () => {
    const store = fresh()
    await store.release(await store.lease('t', terms()))
    expect(await store.due(9_000)).toEqual([])
  })

  it('follows the latest batch: a thread without a wake time is not due', async () => {
    const store = fresh()
    const lease = await begun(store, 't', 0, { wakeAt: 5 })
    await store.append(batch(lease, rowsBetween(1, 2)))
    await store.release(lease)
    expect(await store.due(9_000)).toEqual([])
  })

  it.each([2 ** 60, Number.POSITIVE_INFINITY])(
    'ignores an infinite wake time: %d',
    async wakeAt => {
      const store = fresh()
      await store.release(await begun(store, 't', 0, { wakeAt }))
      expect(await store.due(Number.MAX_SAFE_INTEGER)).toEqual([])
      expect((await store.thread('t'))?.wakeAt).toBe(wakeAt)
    },
  )

  it('lists each thread once: abandoned ones, then commands, deadlines, and those that are ready, at most as many as asked for', async () => {
    const store = fresh()
    for (const [thread, wakeAt] of [
      ['ready', 0],
      ['late', 30],
      ['told', 40],
      ['early', 20],
      ['ready too', 0],
    ] as const)
      await store.release(await begun(store, thread, 0, { wakeAt }))
    await begun(store, 'abandoned', 0, { wakeAt: 0 })
    for (const command of ['c1', 'c2']) await store.submit('told', command, cancel('enough'))
    const all = ['abandoned', 'told', 'early', 'late', 'ready', 'ready too']
    expect(await store.due(1_000)).toEqual(all)
    expect(await store.due(1_000, { limit: 3 })).toEqual(all.slice(0, 3))
    expect(await store.due(25, { limit: 2 })).toEqual(['told', 'early'])
    expect(await store.due(25)).toEqual(['told', 'early', 'ready', 'ready too'])
  })
}
