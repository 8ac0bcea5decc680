/** The gate: one probe at a time, for any duration and any number of sharers, and breakers that outlive a process. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { createGate, resourceOf, memoryBreakers } from '../../src/runtime/gate/gate.ts'
import type { Gate, Permit, Breakers } from '../../src/runtime/gate/gate.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { StoreUnavailable } from '../../src/runtime/store/store.ts'
import { tripBreaker } from '../../src/core/watch/failure/breaker.ts'
import { calling, webhookServer, portsOf, START } from './desk.ts'

const terms = (at: number, more = {}) => ({
  at,
  breaker: { threshold: 1, reset: 30_000, probeTime: 120_000, ...more },
  concurrency: 10,
})

const entered = async (gate: Gate, of: ReturnType<typeof terms>) =>
  (await gate.enter('m', of)) as Permit

/** A gate whose breaker of `m` has opened at 0. */
async function opened(gate = createGate()): Promise<Gate> {
  await (await entered(gate, terms(0))).report('failure', 0)
  return gate
}

describe('the probe of a resource', () => {
  it('is the only one until its timeout', async () => {
    const gate = await opened()
    const probe = await entered(gate, terms(30_000))
    expect(probe.kind).toBe('probe')
    expect(await gate.enter('m', terms(149_999))).toEqual({
      kind: 'refused',
      why: 'open',
      retryAt: 150_000,
      probing: true,
    })
    expect(await probe.report('success', 149_999)).toEqual({ change: 'closed' })
    expect((await gate.enter('m', terms(150_000))).kind).toBe('pass')
  })

  it('that was lost is replaced after its timeout', async () => {
    const gate = await opened()
    await gate.enter('m', terms(30_000))
    expect((await gate.enter('m', terms(150_000))).kind).toBe('probe')
  })

  it('is not given up before the breaker would have allowed one', async () => {
    const gate = await opened()
    await gate.enter('m', terms(30_000, { probeTime: 5 }))
    expect((await gate.enter('m', terms(59_999, { probeTime: 5 }))).kind).toBe('refused')
  })

  it('is one for all simultaneous calls, through any gate', async () => {
    const shared = memoryBreakers()
    const gates = [createGate(shared), createGate(shared)]
    await opened(gates[0])
    const kinds = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, nth) =>
          (await (gates[nth % 2] as Gate).enter('m', terms(30_000, { concurrency: 99 }))).kind,
      ),
    )
    expect(kinds.toSorted()).toEqual([...Array(1).fill('probe'), ...Array(11).fill('refused')])
  })
})

describe('the breakers of a thread', () => {
  it('are separate for each graph, and for tools and models', () => {
    expect(
      new Set([resourceOf('g', 'tool:a'), resourceOf('h', 'tool:a'), resourceOf('g', 'model:a')])
        .size,
    ).toBe(3)
  })

  it('initialize a new gate, and never override its own state', async () => {
    const store = memoryStore()
    const dead = calling(async () =>
      Promise.reject(Object.assign(new Error('down'), { status: 503 })),
    )
    const first = portsOf(dead, { store })
    await drive(
      {
        ...first,
        graph: {
          ...dead,
          machine: {
            ...dead.machine,
            policy: { ...dead.machine.policy, breaker: { threshold: 1, reset: 60_000 } },
          },
        },
      },
      't',
      {
        ...START,
        leave: AbortSignal.timeout(300),
      },
    ).catch(() => {})
    expect((await store.rows('t')).some(({ event }) => event.type === 'circuit.opened')).toBe(true)
    const next = portsOf(dead, { store })
    const looked = async () => {
      await drive(next, 't', { leave: AbortSignal.abort(new Error('only a look')) }).catch(() => {})
      return next.gate.enter(resourceOf('calling', 'tool:work'), terms(Date.now() + looks * 60_000))
    }
    let looks = 0
    expect(await looked()).toMatchObject({ kind: 'refused', why: 'open' })
    looks = 2
    await ((await looked()) as Permit).report('success', Date.now())
    looks = 0
    expect(await looked()).toMatchObject({ kind: 'pass' })
  })
})

describe('a gate with shared breakers', () => {
  /** Counts the calls of the store. */
  const counting = () => {
    const kept = memoryBreakers()
    const asked = { reads: 0, changes: 0 }
    const breakers: Breakers = {
      ...kept,
      breaker: resource => {
        asked.reads++
        return kept.breaker(resource)
      },
      changeBreaker: (resource, change) => {
        asked.changes++
        return kept.changeBreaker(resource, change)
      },
    }
    return { asked, gate: createGate(breakers), kept }
  }

  it('reads once for a successful call, and writes nothing', async () => {
    const { asked, gate } = counting()
    const permit = await entered(gate, terms(0))
    await permit.report('success', 5)
    const cancelled = await entered(gate, terms(10))
    await cancelled.report('neither', 15)
    expect(asked).toEqual({ reads: 2, changes: 0 })
  })

  it('resets failures after a success, also those of parallel calls', async () => {
    const { gate, kept } = counting()
    const both = [
      await entered(gate, terms(0, { threshold: 2 })),
      await entered(gate, terms(0, { threshold: 2 })),
    ] as const
    await both[0].report('failure', 1)
    expect(await kept.breaker('m')).toEqual({ state: 'closed', failures: 1 })
    await both[1].report('success', 2)
    expect(await kept.breaker('m')).toEqual({ state: 'closed', failures: 0 })
  })

  it('uses its last state if the store is unavailable, and loses no answer', async () => {
    const kept = memoryBreakers()
    let gone = false
    const reached = async <T>(work: () => Promise<T>): Promise<T> =>
      gone ? Promise.reject(new StoreUnavailable('locked')) : work()
    const gate = createGate({
      breakers: kept.breakers,
      breaker: resource => reached(() => kept.breaker(resource)),
      changeBreaker: (resource, change) => reached(() => kept.changeBreaker(resource, change)),
    })
    const permit = await entered(gate, terms(0))
    gone = true
    expect(await permit.report('failure', 1)).toEqual({
      change: 'opened',
      failures: 1,
      retryAt: 30_001,
      refusal: { retryAt: 30_001 },
    })
    expect(await gate.enter('m', terms(2))).toEqual({
      kind: 'refused',
      why: 'open',
      retryAt: 30_001,
    })
    expect((await gate.enter('unheard of', terms(2))).kind).toBe('pass')
  })

  it('that observes counts and opens, and refuses nothing', async () => {
    const gate = await opened()
    const passed = (await gate.enter('m', { ...terms(1), observe: true })) as Permit
    expect(passed.kind).toBe('pass')
    expect(await passed.report('failure', 2)).toEqual({ change: 'none' })
    expect((await gate.enter('m', terms(3))).kind).toBe('refused')
  })

  it('limits concurrency for itself: two gates on one store have two bulkheads', async () => {
    const shared = memoryBreakers()
    const [one, other] = [createGate(shared), createGate(shared)]
    const narrow = { ...terms(0), concurrency: 1 }
    const permit = await entered(one, narrow)
    expect(await one.enter('m', narrow)).toEqual({ kind: 'refused', why: 'full', retryAt: 0 })
    expect((await other.enter('m', narrow)).kind).toBe('pass')
    permit.leave()
    permit.leave()
    expect((await one.enter('m', narrow)).kind).toBe('pass')
    expect((await one.enter('m', narrow)).kind).toBe('refused')
  })
})

describe('threads of one process on one store', () => {
  it('share one gate: one of them probes, and the others are refused until it returns', async () => {
    const store = memoryStore()
    const { opened: answered, open: answer } = webhookServer()
    let [down, calls] = [true, 0]
    const graph = calling(async () => {
      calls++
      if (down) throw Object.assign(new Error('down'), { status: 503 })
      await answered
    })
    const { machine } = graph
    const quick = {
      ...graph,
      machine: {
        ...machine,
        policy: {
          ...machine.policy,
          retry: { ...machine.policy.retry, attempts: 1 },
          breaker: { threshold: 1, reset: 40 },
        },
      },
    }
    const driven = (thread: string) => drive(nodePorts({ graph: quick, store }), thread, START)
    await driven('first')
    expect((await store.breakers()).get(resourceOf('calling', 'tool:work'))).toMatchObject({
      state: 'open',
      failures: 1,
    })
    down = false
    await pause(60)
    const threads = ['a', 'b', 'c', 'd'].map(driven)
    await pause(40)
    expect(calls).toBe(2)
    answer()
    const ends = await Promise.all(threads)
    expect(ends.map(({ ended }) => ended?.outcome).toSorted()).toEqual([
      'stopped',
      'stopped',
      'stopped',
      'success',
    ])
    expect(calls).toBe(2)
  })
})

it('journals a refused call with its arguments', async () => {
  const failing = calling(() => Promise.reject(Object.assign(new Error('down'), { status: 503 })))
  const ports = portsOf(failing)
  await ports.store.changeBreaker('calling/tool:work', before =>
    tripBreaker(before, Date.now(), 60_000),
  )
  await drive({ ...ports, gate: createGate(ports.store) }, 't', START)
  const rows = await ports.store.rows('t')
  const refused = rows.flatMap(({ event }) => (event.type === 'circuit.refused' ? event : []))
  expect(refused[0]).toMatchObject({ args: {} })
})
