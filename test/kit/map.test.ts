/** A map over any list: the order of its results, its joins, and its memory. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/watch/data/json.ts'
import { mapNode, type MapNodeOptions } from '../../src/kit/nodes/map.ts'
import { Failing, Labeled } from '../../src/runtime/outcome.ts'
import type { ChildAnswer } from '../../src/runtime/ports.ts'
import { fakeTask } from './fake.ts'

interface Output {
  readonly results: readonly {
    readonly ok: boolean
    readonly value?: Json
    readonly reason?: string
    readonly cut?: number
  }[]
  readonly failed: number
  readonly left: number
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The bytes of the heap that are in use. */
function liveHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const GOOD = (result: Json): ChildAnswer => ({ outcome: 'success', reason: 'goal', result })
const BAD: ChildAnswer = { outcome: 'failure', reason: 'failure', result: null }

async function mapped(
  items: readonly Json[],
  ran: (item: Json) => ChildAnswer | Promise<ChildAnswer>,
  options: Partial<MapNodeOptions> = {},
) {
  const { task, runs } = fakeTask({
    input: { items: items as Json, tone: 'dry' },
    ran: (_, input) => ran((input as { item: Json }).item),
  })
  const output = await mapNode({
    graph: 'worker',
    over: 'items',
    as: 'item',
    concurrency: 4,
    join: 'all',
    alone: false,
    ...options,
  })(task)
  const whole = output instanceof Labeled || output instanceof Failing ? output.output : output
  return { output, runs, ...(whole as Output) }
}

describe('all of them', () => {
  test('keeps results in order, whatever the order of completion, and limits concurrency', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { maxLength: 20 }),
        fc.integer({ min: 1, max: 6 }),
        async (waits, concurrency) => {
          let open = 0
          let most = 0
          const { results, failed, left, output } = await mapped(
            waits.map((wait, index) => ({ wait, index })),
            async item => {
              const { wait, index } = item as { wait: number; index: number }
              most = Math.max(most, ++open)
              for (let turn = 0; turn < wait; turn++) await Promise.resolve()
              open--
              return wait === 5 ? BAD : GOOD(index)
            },
            { concurrency },
          )
          const bad = waits.filter(wait => wait === 5).length
          expect(most).toBeLessThanOrEqual(concurrency)
          expect(results).toEqual(
            waits.map((wait, index) =>
              wait === 5 ? { ok: false, reason: 'failure: failure' } : { ok: true, value: index },
            ),
          )
          expect([failed, left]).toEqual([bad, 0])
          expect(
            output instanceof Failing
              ? 'failed'
              : output instanceof Labeled
                ? output.label
                : 'done',
          ).toBe(bad === 0 ? 'done' : bad === waits.length ? 'failed' : 'partial')
        },
      ),
      { numRuns: 60 },
    )
  })

  test('passes each graph its item and the other input of the node, without the list', async () => {
    const { runs } = await mapped(['a'], GOOD)
    expect(runs).toEqual([{ graph: 'worker', input: { tone: 'dry', item: 'a' } }])
    expect((await mapped(['a'], GOOD, { alone: true })).runs).toEqual([
      { graph: 'worker', input: { item: 'a' } },
    ])
  })

  test('rejects a value that is not a list, with its name', async () => {
    const { task } = fakeTask({ input: { items: { a: 1 } } })
    await expect(
      mapNode({
        graph: 'worker',
        over: 'items',
        as: 'item',
        concurrency: 4,
        join: 'all',
        alone: false,
      })(task),
    ).rejects.toThrow(`input 'items' is {"a":1}; a map needs a list`)
  })
})

describe('some of them', () => {
  test('starts no more items after enough have succeeded', async () => {
    const { results, runs, output } = await mapped(
      [1, 2, 3, 4, 5, 6, 7, 8],
      async item => (item === 1 ? BAD : GOOD(item)),
      { join: 2, concurrency: 2 },
    )
    expect(output).not.toBeInstanceOf(Failing)
    expect(results.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(2)
    expect(runs.length).toBeLessThan(8)
  })

  test('stops when the required number cannot be reached', async () => {
    const { output, runs } = await mapped([1, 2, 3, 4, 5], async () => BAD, {
      join: 4,
      concurrency: 1,
    })
    expect(output).toBeInstanceOf(Failing)
    expect(runs).toHaveLength(2)
    expect((await mapped([1], GOOD, { join: 2 })).runs).toEqual([])
  })

  test('counts no item as left that never started', async () => {
    const { results, left } = await mapped([1, 2, 3], GOOD, { join: 'any', concurrency: 1 })
    expect(results).toEqual([{ ok: true, value: 1 }])
    expect(left).toBe(0)
  })
})

describe('very many of them', () => {
  test('keeps at most four of a million items open, and bounds the stored results', async () => {
    const items = Array.from({ length: 1_000_000 }, (_, index) => index)
    let open = 0
    let most = 0
    const before = liveHeap()
    let heap = 0
    const node = mapNode({
      graph: 'worker',
      over: 'items',
      as: 'item',
      concurrency: 4,
      join: 'all',
      alone: true,
    })
    const { task } = fakeTask({ input: { items } })
    const output = (await node({
      ...task,
      async run(_, __, { item } = {}) {
        most = Math.max(most, ++open)
        if ((item?.index ?? 0) % 250_000 === 0) heap = Math.max(heap, liveHeap())
        await Promise.resolve()
        open--
        return GOOD('x'.repeat(20))
      },
    })) as Output
    expect(most).toBe(4)
    expect(output.failed).toBe(0)
    expect(output.results.length + output.left).toBe(1_000_000)
    expect(JSON.stringify(output).length).toBeLessThan(1_200_000)
    expect(heap - before).toBeLessThan(30_000_000)
  })

  test('omits a value that is too long for the journal', async () => {
    const { results } = await mapped(['a'], () => ({
      ...GOOD(null),
      cut: 99_999,
      thread: 'p/each#1/1',
    }))
    expect(results).toEqual([{ ok: true, value: null, cut: 99_999, thread: 'p/each#1/1' }])
  })
})
