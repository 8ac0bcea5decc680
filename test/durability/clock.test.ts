/** A clock that is set back or forward, during a run or between two: time in the journal never decreases, and every run ends in time. */
import { describe, expect, it } from 'vitest'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import {
  bindGraph,
  type Clock,
  drive,
  memoryStore,
  nodePorts,
  parseSpec,
  type Store,
  systemClock,
  tool,
} from '../../src/index.ts'
import { virtualClock } from '../../src/testing/clock.ts'

const HOUR = 3_600_000

const spec = parseSpec({
  escapement: 1,
  id: 'late',
  start: 'A',
  nodes: {
    A: { use: 'tool', tool: 'busy', args: {}, on: { done: 'B', error: 'B', 'breaker.open': 'B' } },
    B: { use: 'tool', tool: 'hung', args: {}, on: { done: 'E', error: 'E' } },
    E: { final: 'success' },
  },
  tools: {
    busy: { use: './here.ts#busy', retry: { base: 5 }, breaker: { threshold: 2, reset: 20 } },
    hung: { use: './here.ts#hung', timeout: 30, retry: 0 },
  },
})

const reading = { description: '', inputSchema: z.strictObject({}), effects: 'read' } as const
const tools = {
  busy: tool({
    ...reading,
    name: 'busy',
    execute: async (_, { attempt }) => {
      if (attempt < 3) throw Object.assign(new Error('too busy'), { status: 503 })
      return attempt
    },
  }),
  hung: tool({ ...reading, name: 'hung', execute: async (_, { sleep }) => sleep(60_000) }),
}
const graph = bindGraph(spec, {
  workspace: '.',
  tools,
  model: () => {
    throw new Error('unexpected model call')
  },
})

/** Is set back by an hour when it has been read so often. */
function jumpingClock(reads: number): Clock {
  let left = reads
  return { ...systemClock, now: () => Date.now() - (left-- > 0 ? 0 : HOUR) }
}

async function driven(store: Store, clock: Clock) {
  return drive(nodePorts({ graph, store, clock }), 't', { start: { input: {}, seed: 1 } })
}

async function expectInOrder(store: Store): Promise<void> {
  const times = (await store.rows('t')).map(({ event }) => event.at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
}

/** Begins to leap by hours when it has been read so often: `leap` says where it stands at each reading after that. */
function leapingClock(reads: number, leap: (reading: number) => number): Clock {
  let readings = -reads
  return { ...systemClock, now: () => Date.now() + (++readings > 0 ? leap(readings) * HOUR : 0) }
}

/** A clock that runs behind real time. */
function lateClock(ms: number): Clock {
  return { ...systemClock, now: () => Date.now() - ms }
}

describe('a clock that is set back', () => {
  it('at any moment of a run changes neither its order nor its result', {
    timeout: 20_000,
  }, async () => {
    for (let reads = 0; reads < 60; reads++) {
      const store = memoryStore()
      const run = await driven(store, jumpingClock(reads))
      expect(run.ended, `after ${reads} reads`).toMatchObject({ outcome: 'success' })
      await expectInOrder(store)
    }
  })

  it('between two drivers delays neither the next attempt nor the timeout of a hanging call', async () => {
    const store = memoryStore()
    const before = nodePorts({ graph, store, clock: systemClock })
    const left = new AbortController()
    // A process that dies in its backoff: all that it had stored is there, and its lease is given back.
    const dying = {
      ...before,
      store: {
        ...store,
        append: async (batch: Parameters<Store['append']>[0]) =>
          left.signal.aborted
            ? new Promise<never>(() => {})
            : store
                .append(batch)
                .then(
                  () =>
                    batch.rows.some(({ event }) => event.type === 'call.waiting') && left.abort(),
                ),
      },
    }
    void drive(dying as typeof before, 't', { start: { input: {}, seed: 1 } })
    while (!left.signal.aborted) await systemClock.sleep(1)
    const run = await drive(
      { ...before, owner: 'another', isOwnerDead: () => true, clock: lateClock(HOUR) },
      't',
    )
    expect(run.ended).toMatchObject({ outcome: 'success' })
    await expectInOrder(store)
  })
})

describe('a clock that jumps by hours', () => {
  const LEAPS: Readonly<Record<string, (reading: number) => number>> = {
    forward: () => 5,
    'forward and back again': reading => (reading <= 8 ? 5 : 0),
    'back and forward again': reading => (reading <= 8 ? -5 : 0),
    'both ways all the time': reading => [3, -2, 0][reading % 3] ?? 0,
  }
  it.for(Object.entries(LEAPS))(
    '%s does not delay calls that work, wait, retry or are rejected',
    { timeout: 60_000 },
    async ([, leap]) => {
      for (let reads = 0; reads < 60; reads += 6) {
        const store = memoryStore()
        const late = new AbortController()
        const giveUp = setTimeout(() => late.abort(new Error('it was held up')), 5_000)
        const run = await drive(
          nodePorts({ graph, store, clock: leapingClock(reads, leap) }),
          't',
          { start: { input: {}, seed: 1 }, signal: late.signal },
        )
        clearTimeout(giveUp)
        expect(run.ended, `after ${reads} reads`).toMatchObject({ outcome: 'success' })
        await expectInOrder(store)
      }
    },
  )
})

/** A store whose every call takes some real time, as over a network. */
function distantStore(): Store {
  const store = memoryStore()
  const late =
    (call: (...given: never[]) => Promise<unknown>) =>
    async (...given: never[]) => {
      await pause(20)
      return call(...given)
    }
  const calls = Object.entries(store).map(([name, call]) => [name, late(call as never)])
  return Object.fromEntries(calls) as Store
}

describe('virtual time', () => {
  it('waits for a distant store, so that no wait and no timeout ends early', async () => {
    const [near, far] = await Promise.all(
      [memoryStore(), distantStore()].map(store => driven(store, virtualClock())),
    )
    expect(far).toEqual(near)
  })
})
