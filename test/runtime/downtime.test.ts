/** Time that passes while no process drives, and the notification of due work. */
import { createMachine } from 'xstate'
import { describe, expect, it } from 'vitest'
import { machineOf } from '../../src/core/graph/agent-machine.ts'
import { POLICY } from '../../src/core/watch/policy/policy.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { portsOf, START } from './desk.ts'

function graphOf(machine: Parameters<typeof createMachine>[0]): Graph {
  return {
    machine: machineOf(createMachine(machine), {
      version: '1',
      policy: { ...POLICY, limits: { ...POLICY.limits, steps: 10, duration: 600_000 } },
    }),
    nodes: {},
    tools: {},
    models: {},
    source: null,
  }
}

const entry = (type: string, params: object) => ({ type, params }) as never

describe('hours without a driver, while the thread waits', () => {
  const rests = graphOf({
    initial: 'rest',
    states: {
      rest: { entry: entry('wait', { for: 3_600_000 }), on: { done: 'end', cancelled: 'end' } },
      end: { type: 'final' },
    },
  })

  it.each([
    ['tick', 36_000_000],
    ['cancel', 2_000_000],
  ])('are not counted: the first event of the next driver is a %s', async (first, at) => {
    const store = memoryStore()
    const left = AbortSignal.abort(new Error('gone'))
    await drive(portsOf(rests, { store, clock: virtualClock(1_000) }), 't', {
      ...START,
      leave: left,
    }).catch(() => {})
    if (first === 'cancel') await store.submit('t', 'c', { type: 'cancel', reason: 'enough' })
    const run = await drive(portsOf(rests, { store, clock: virtualClock(at) }), 't')
    expect((await store.rows('t')).at(-1)?.event.type).toBe(first)
    expect(run.watch.account.spent.duration).toBe(0)
  })

  it('are counted with a driver', async () => {
    const run = await drive(portsOf(rests, { clock: virtualClock() }), 't', START)
    expect(run.watch.account.spent.duration).toBe(3_600_000)
  })
})

describe('a question that expires before a parallel wait', () => {
  const beside = graphOf({
    initial: 'work',
    states: {
      work: {
        type: 'parallel',
        onDone: 'end',
        states: {
          a: {
            initial: 'ask',
            states: {
              ask: {
                id: 'ask',
                entry: entry('interrupt', { question: 'q', deadline: 2_000 }),
                on: { 'human.expired': 'ok' },
              },
              ok: { type: 'final' },
            },
          },
          b: {
            initial: 'rest',
            states: {
              rest: { id: 'rest', entry: entry('wait', { for: 3_600_000 }), on: { done: 'ok' } },
              ok: { type: 'final' },
            },
          },
        },
      },
      end: { type: 'final' },
    },
  })

  it('expires in time, in virtual time too', async () => {
    const ports = portsOf(beside, { clock: virtualClock() })
    await drive(ports, 't', START)
    const ticks = (await ports.store.rows('t')).flatMap(({ event }) =>
      event.type === 'tick' ? [[event.effect, event.at]] : [],
    )
    expect(ticks).toEqual([
      ['ask#1', 2_000],
      ['rest#1', 3_600_000],
    ])
  })
})
