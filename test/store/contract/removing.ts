import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/core/watch/data/json.ts'
import type { Row } from '../../../src/core/run/run.ts'
import type { Store } from '../../../src/runtime/store/store.ts'
import { batch, begun, cancel, row, terms } from '../batches.ts'

const ENDED = { status: 'ended', detail: 'goal', outcome: 'success' } as const
/** Later than every event, and than every lease. */
const LATER = { before: 50_000, now: 50_000 }

async function ended(store: Store, ...threads: readonly string[]): Promise<void> {
  for (const thread of threads)
    await store.release(await begun(store, thread, 2, { summary: ENDED }))
}

function forkOf(parent: string, seq: number): Row {
  const event = {
    type: 'forked',
    parent: { thread: parent, seq: seq - 1 },
    effects: 'refuse',
  } as const
  return { ...row(seq), event: { ...event, at: seq * 10 } }
}

export function removing(fresh: () => Store): void {
  describe('removed threads', () => deletion(fresh))
  describe('threads that are not removed', () => refusal(fresh))
  describe('forks', () => forking(fresh))
}

function deletion(fresh: () => Store): void {
  it('are gone with their rows, checkpoints and commands; others stay', async () => {
    const store = fresh()
    const lease = await begun(store, 'old')
    await store.submit('old', 'c1', cancel('enough'))
    const checkpoint = { seq: 1, run: { at: 1 }, chunks: new Map() }
    const more = { checkpoint, settled: [{ command: 'c1' }], summary: ENDED }
    await store.append(batch(lease, [row(1)], more))
    await store.release(lease)
    await ended(store, 'other')
    expect(await store.remove([['old']], LATER)).toEqual(['old'])
    expect((await store.threads()).map(({ thread }) => thread)).toEqual(['other'])
    expect(await store.rows('old')).toEqual([])
    expect(await store.load('old')).toBeUndefined()
    expect(await store.command('old', 'c1')).toEqual({ state: 'unknown' })
    expect(await store.counts()).toMatchObject([{ count: 1 }])
  })

  it('can be started again under their name, from the first event', async () => {
    const store = fresh()
    await ended(store, 't')
    await store.remove([['t']], LATER)
    await begun(store, 't')
    expect(await store.rows('t')).toEqual([row(0)])
  })

  it('leave the names of the requests that made them and their commands', async () => {
    const store = fresh()
    const lease = await begun(store, 't', 0, { once: 'made-start' })
    await store.submit('t', 'c1', cancel('enough'), 'made-c1')
    await store.submit('t', 'c1', cancel('enough'), 'made-c1')
    await store.append(batch(lease, [row(1)], { settled: [{ command: 'c1' }], summary: ENDED }))
    await store.release(lease)
    await expect(store.submit('u', 'c2', cancel('enough'), 'made-c2')).rejects.toThrow("'u'")
    expect(await store.remove([['t']], LATER)).toEqual(['t'])
    const names = ['made-start', 'made-c1', 'made-c2']
    expect(await Promise.all(names.map(name => store.getBlob(name)))).toEqual([
      ...[true, true],
      undefined,
    ])
  })

  it('leave the chunks of other threads, also those that chunks name', async () => {
    const store = fresh()
    const [outer, inner] = ['o'.repeat(22), 'i'.repeat(22)]
    const chunks = new Map<string, Json>([
      [outer, [inner]],
      [inner, ['item']],
    ])
    for (const thread of ['old', 'kept']) {
      const checkpoint = { seq: 0, run: { levels: [[outer]] }, chunks }
      await store.release(await begun(store, thread, 0, { checkpoint, summary: ENDED }))
    }
    await store.remove([['old']], LATER)
    expect(await store.chunks([outer, inner])).toEqual(chunks)
  })

  it('are unknown to those who read them meanwhile, not damaged', async () => {
    const store = fresh()
    const names = Array.from({ length: 30 }, (_, nth) => `t${nth}`)
    await ended(store, ...names)
    const read = async (thread: string) => {
      while (await store.load(thread)) expect((await store.rows(thread)).length % 3).toBe(0)
      expect(await store.rows(thread)).toEqual([])
    }
    const reading = Promise.all(names.map(read))
    for (const name of names) await store.remove([[name]], LATER)
    await reading
  })

  it('leave the numbers of changes, so that later ones are seen', async () => {
    const store = fresh()
    await ended(store, 'kept', 'a', 'b')
    const { cursor } = await store.driven()
    await store.remove([['a'], ['b']], LATER)
    await ended(store, 'new')
    expect((await store.driven(cursor)).threads.map(({ thread }) => thread)).toContain('new')
  })

  it('reject their former driver', async () => {
    const store = fresh()
    const lease = await begun(store, 't', 0, { summary: ENDED })
    await store.remove([['t']], LATER)
    await expect(store.append(batch(lease, [row(1)]))).rejects.toMatchObject({ name: 'Conflict' })
    expect(await store.threads()).toEqual([])
  })
}

function refusal(fresh: () => Store): void {
  const stays = async (store: Store, family: readonly string[], more = {}) => {
    const before = await store.threads()
    expect(await store.remove([family], { ...LATER, ...more })).toEqual([])
    expect(await store.threads()).toEqual(before)
  }

  it('are open, too new, or unknown', async () => {
    const store = fresh()
    await store.release(await begun(store, 'open'))
    await ended(store, 'new')
    await stays(store, ['open'])
    await stays(store, ['new'], { before: 20 })
    await stays(store, ['missing'])
  })

  it('have a live lease', async () => {
    const store = fresh()
    await ended(store, 't')
    await store.lease('t', terms('host/1/a', { until: 60_000 }))
    await stays(store, ['t'])
  })

  it('have a waiting command', async () => {
    const store = fresh()
    await ended(store, 't')
    await store.submit('t', 'c1', { type: 'message', input: {} })
    await stays(store, ['t'])
  })

  it('belong to a family of which one must stay, while other families go', async () => {
    const store = fresh()
    await ended(store, 'a', 'a/b#1/1', 'c')
    await store.release(await begun(store, 'a/b#1/2'))
    const families = [['a', 'a/b#1/1', 'a/b#1/2'], ['c']]
    expect(await store.remove(families, LATER)).toEqual(['c'])
    expect(await store.threads()).toHaveLength(3)
  })

  it('have a fork that stays, or a fork of a child; a fork that goes in the same call frees its parent', async () => {
    const store = fresh()
    await ended(store, 'a', 'b', 'b/c#1/1', 'd')
    await forked(store, 'of-a', 'a')
    await forked(store, 'of-b', 'b/c#1/1')
    await forked(store, 'of-d', 'd', ENDED)
    await forked(store, 'of-of-d', 'of-d', ENDED)
    const families = [['a'], ['b', 'b/c#1/1'], ['d'], ['of-d'], ['of-of-d'], ['of-a']]
    await stays(store, ['d'])
    expect((await store.remove(families, LATER)).toSorted()).toEqual(['d', 'of-d', 'of-of-d'])
    expect(await store.threads()).toHaveLength(5)
  })
}

/** A fork of a thread, without a lease. */
async function forked(store: Store, thread: string, parent: string, summary = {}): Promise<void> {
  const lease = await store.lease(thread, terms())
  const rows = [row(0), forkOf(parent, 1)]
  await store.append(batch(lease, rows, { copiedFrom: parent, summary }))
  await store.release(lease)
}

function forking(fresh: () => Store): void {
  it('name the thread that they were copied from, and a fork of a fork its parent', async () => {
    const store = fresh()
    await ended(store, 'first')
    const second = await store.lease('second', terms())
    await store.append(batch(second, [row(0), forkOf('first', 1)]))
    const third = await store.lease('third', terms())
    await store.append(batch(third, [row(0), forkOf('first', 1), forkOf('second', 2)]))
    await store.append(batch(third, [row(3)]))
    expect((await store.forks()).toSorted((a, b) => (a.thread < b.thread ? -1 : 1))).toEqual([
      { thread: 'second', parent: 'first' },
      { thread: 'third', parent: 'second' },
    ])
  })

  it('are made of stored threads only', async () => {
    const store = fresh()
    await store.lease('leased', terms())
    for (const parent of ['missing', 'leased'])
      await expect(forked(store, 'f', parent)).rejects.toMatchObject({
        name: 'UnknownThread',
        thread: parent,
      })
    expect(await store.threads()).toEqual([])
  })

  it('keep their parent if they are made while it is removed, or are not made', async () => {
    const store = fresh()
    for (const nth of Array.from({ length: 20 }, (_, each) => each)) {
      await ended(store, `p${nth}`)
      const [removed, isMade] = await Promise.all([
        store.remove([[`p${nth}`]], LATER),
        forked(store, `f${nth}`, `p${nth}`).then(
          () => true,
          () => false,
        ),
      ])
      expect(removed).toEqual(isMade ? [] : [`p${nth}`])
    }
  })
}
