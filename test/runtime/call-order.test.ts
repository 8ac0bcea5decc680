/** The calls of a node in code that runs several steps side by side: performed again, they begin in another order, and keep their ids. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fork } from '../../src/runtime/drive/copy.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import type { Calling, Graph, Task } from '../../src/runtime/ports.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { calling, portsOf, START } from './desk.ts'

/** The graph with other work in its node. */
const madeBy = (graph: Graph, A: (task: Task) => Promise<void>): Graph => ({
  ...graph,
  nodes: { ...graph.nodes, A },
})

describe('a node with steps side by side', () => {
  it('continues wherever it was left, and repeats no call that was answered', async () => {
    const time = fc.integer({ min: 0, max: 20 })
    const steps = fc.integer({ min: 1, max: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 1, maxLength: 4 }),
        fc.array(time, { minLength: 16, maxLength: 16 }),
        fc.array(time, { maxLength: 4 }),
        async (rows, times, leaves) => {
          const clock = virtualClock(0)
          let calls = 0
          const work = ({ sleep }: Calling) => sleep(times[calls++ % times.length] ?? 0)
          const ports = portsOf(
            madeBy(calling(work), async task => {
              const one = async (row: number) => {
                for (let step = 0; step < (rows[row] ?? 0); step++)
                  await task.call('work', { row, step: step % 3 })
              }
              await Promise.all(rows.map((_, row) => one(row)))
            }),
            { clock },
          )
          for (const after of leaves) {
            const leave = new AbortController()
            void clock.sleep(after).then(() => leave.abort(new Error('left')))
            await drive(ports, 't', { ...START, leave: leave.signal }).catch(() => {})
          }
          const run = await drive(ports, 't', START)
          expect(run.ended).toMatchObject({ outcome: 'success' })
          const stored = await ports.store.rows('t')
          const done = stored.filter(({ event }) => event.type === 'tool.done')
          expect(done).toHaveLength(rows.reduce((sum, steps) => sum + steps, 0))
        },
      ),
    )
  })

  it('is answered in a fork as its parent was, and makes no call', async () => {
    const clock = virtualClock(0)
    let calls = 0
    // The second read is the first to be answered, so its next call comes before that of the first.
    const work = async ({ sleep }: Calling) => void (await sleep([20, 5, 1, 1][calls++] ?? 0))
    const graph = madeBy(calling(work), async task => {
      const one = async (row: string) => {
        await task.call('work', { row, step: 'first' })
        await task.call('work', { row, step: 'second' })
      }
      await Promise.all(['a', 'b'].map(one))
    })
    const ports = portsOf(graph, { clock })
    await drive(ports, 't', START)
    await fork(ports, { thread: 't', at: 1, as: 'f', effects: 'recorded' })
    const run = await drive(ports, 'f')
    expect(run.ended).toMatchObject({ outcome: 'success' })
    expect(calls).toBe(4)
  })

  it('fails if it makes another call than the journal holds', async () => {
    const asked: Json[] = []
    const leave = new AbortController()
    const graph = madeBy(
      calling(async () => leave.abort(new Error('left'))),
      async task => {
        const args = { time: asked.length }
        asked.push(args)
        await task.call('work', args)
        await task.call('work', { last: true })
      },
    )
    const ports = portsOf(graph)
    await drive(ports, 't', { ...START, leave: leave.signal }).catch(() => {})
    await drive(ports, 't', START)
    const rows = await ports.store.rows('t')
    const failed = rows.find(({ event }) => event.type === 'node.failed')
    const reason = { code: 'call-changed', params: { id: 'A#1/1' } }
    expect(failed?.event).toMatchObject({ failure: { reason } })
  })
})
