/** `escape.learn`: the order of rungs from how earlier threads ended, within the safety order of the ladder. */
import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Row } from '../src/core/run/run.ts'
import { trialsIn } from '../src/core/run/trials.ts'
import { type Chance, ordersFrom, type Trial } from '../src/core/watch/escape/bandit.ts'
import { exchangeableIn, ladderFor, type RungOrder } from '../src/core/watch/escape/order.ts'
import { draw } from '../src/core/watch/data/json.ts'
import type { Finding } from '../src/core/watch/event/event.ts'
import { IN_PLACE, POLICY } from '../src/core/watch/policy/policy.ts'
import { ORDERS_MAX, RUNGS } from '../src/core/watch/policy/policy-keys.ts'
import { loadScenario } from '../src/host/simulation/load-scenario.ts'
import { memoryStore } from '../src/runtime/store/memory-store.ts'
import { foldRows, rejudge, replay } from '../src/runtime/store/replay.ts'
import { StoreUnavailable } from '../src/runtime/store/store.ts'
import { latestTrials } from '../src/runtime/store/trials.ts'
import { replayThread } from '../src/simulate/replay/replay.ts'
import { simulate, type SimulateOptions, type Subject } from '../src/simulate/run/simulate.ts'

const finding = (subject: string, kind = 'loop') =>
  ({ kind, members: subject.split(' → ') }) as unknown as Finding

const anyRung = fc.constantFrom(...RUNGS, 'mine')
const anyLadder = fc.uniqueArray(anyRung)
const anyOrder: fc.Arbitrary<RungOrder> = fc.record({
  subject: fc.constantFrom('search', 'order'),
  problem: fc.constantFrom('loop', 'stall'),
  rungs: fc.uniqueArray(anyRung),
})
const anyTrial: fc.Arbitrary<Trial> = fc.record({
  subject: fc.constantFrom('search', 'order'),
  problem: fc.constantFrom('loop', 'stall'),
  rung: fc.constantFrom('rethink', 'alternative'),
  sufficed: fc.boolean(),
})

const chanceOf =
  (seed: number): Chance =>
  (...purpose) =>
    draw(seed, ...purpose)

describe('an order', () => {
  test('is a permutation of the ladder in which only equally safe neighbors change their places', () => {
    fc.assert(
      fc.property(anyLadder, fc.array(anyOrder), (ladder, orders) => {
        const ordered = ladderFor(ladder, orders, finding('search'))
        expect(ordered.toSorted()).toEqual(ladder.toSorted())
        for (const [index, rung] of ladder.entries()) {
          if (ordered[index] === rung) continue
          expect(['rethink', 'alternative']).toContain(rung)
          // No rung that answers findings is passed: not a rollback, a person, the stop, nor a custom one.
          const other = ordered.indexOf(rung)
          const between = ladder.slice(Math.min(index, other) + 1, Math.max(index, other))
          expect(between.filter(rung => !IN_PLACE.has(rung))).toEqual([])
        }
      }),
    )
  })

  test('of another problem changes nothing', () => {
    const { ladder } = POLICY.escape
    const orders = [{ subject: 'search', problem: 'loop', rungs: ['alternative', 'rethink'] }]
    expect(ladderFor(ladder, orders, finding('search', 'stall'))).toEqual(ladder)
    expect(ladderFor(ladder, orders, finding('order'))).toEqual(ladder)
    expect(ladderFor(ladder, orders, finding('search'))).toEqual([
      ...['retry', 'alternative', 'substitute', 'wait', 'rethink', 'rollback', 'review', 'stop'],
    ])
  })

  test.each([
    [['rethink', 'rollback', 'alternative', 'stop']],
    [['rethink', 'mine', 'alternative', 'stop']],
    [['alternative', 'rollback', 'stop']],
    [[]],
  ])('is impossible where another rung stands between: %j', ladder => {
    expect(exchangeableIn(ladder)).toEqual([])
  })
})

describe('the bandit', () => {
  const { ladder } = POLICY.escape
  const trials = (rung: string, sufficed: boolean, count: number): readonly Trial[] =>
    Array.from({ length: count }, () => ({ subject: 'search', problem: 'loop', rung, sufficed }))
  const firstRungs = (known: readonly Trial[], seeds = 200) =>
    Array.from(
      { length: seeds },
      (_, seed) => ordersFrom(known, ladder, chanceOf(seed))[0]?.rungs[0] ?? 'rethink',
    )
  const share = (known: readonly Trial[]) =>
    firstRungs(known).filter(rung => rung === 'alternative').length / 200

  test('orders exactly the exchangeable rungs, and a seed gives the same order again', () => {
    fc.assert(
      fc.property(
        fc.array(anyTrial, { maxLength: 120 }),
        anyLadder,
        fc.nat(),
        (known, of, seed) => {
          const orders = ordersFrom(known, of, chanceOf(seed))
          for (const { rungs } of orders)
            expect(rungs.toSorted()).toEqual(exchangeableIn(of).toSorted())
          expect(ordersFrom(known, of, chanceOf(seed))).toEqual(orders)
          expect(orders.length).toBeLessThanOrEqual(ORDERS_MAX)
        },
      ),
    )
  })

  test('keeps the ladder for a problem that fewer than ten threads have met', () => {
    expect(share(trials('rethink', false, 9))).toBe(0)
    expect(share(trials('rethink', false, 10))).toBeGreaterThan(0.5)
  })

  test('prefers what sufficed, and still tries the other rung now and then', () => {
    expect(share([...trials('rethink', false, 20), ...trials('alternative', true, 20)])).toBe(1)
    expect(share([...trials('rethink', true, 20), ...trials('alternative', false, 20)])).toBe(0)
    const untried = share(trials('rethink', true, 10))
    expect(untried).toBeGreaterThan(0)
    expect(untried).toBeLessThan(0.25)
  })

  test('draws from the beta distribution: as often as the other rung is better', () => {
    // P(Beta(1, 1) > Beta(11, 1)) is 1/12, and P(Beta(2, 1) > Beta(1, 10)) is 1 - 2 / (11 * 12).
    const draws = (known: readonly Trial[]) =>
      firstRungs(known, 4_000).filter(rung => rung === 'alternative').length / 4_000
    expect(draws(trials('rethink', true, 10))).toBeCloseTo(1 / 12, 1)
    expect(
      draws([...trials('rethink', false, 9), ...trials('alternative', true, 1)]),
    ).toBeGreaterThan(0.97)
  })

  test('keeps the most frequent problems', () => {
    const many = Array.from({ length: ORDERS_MAX + 5 }, (_, index) =>
      trials('rethink', false, 11 + index).map(trial => ({ ...trial, subject: `tool${index}` })),
    ).flat()
    const orders = ordersFrom(many, ladder, (_, __, rung) => (rung === 'alternative' ? 0.9 : 0.1))
    expect(orders).toHaveLength(ORDERS_MAX)
    expect(orders[0]?.subject).toBe(`tool${ORDERS_MAX + 4}`)
  })
})

describe('trials', () => {
  const row = (of: object) =>
    ({ event: { type: 'tick' }, verdict: { kind: 'continue' }, ...of }) as unknown as Row
  const escape = (rung: string, subject = 'search') =>
    row({ verdict: { kind: 'escape', route: { rung }, because: [finding(subject)] } })
  const end = (outcome: string) => row({ ended: { outcome } })

  test.each<[string, readonly Row[], readonly (readonly [string, string, boolean])[]]>([
    [
      'a rung that led to the goal',
      [escape('rethink'), end('success')],
      [['search', 'rethink', true]],
    ],
    [
      'a rung after which another was needed',
      [escape('rethink'), escape('alternative'), end('success')],
      [['search', 'rethink', false]],
    ],
    [
      'rungs against two problems',
      [escape('rethink'), escape('alternative', 'order'), end('success')],
      [
        ['search', 'rethink', false],
        ['order', 'alternative', true],
      ],
    ],
    ['a thread that failed', [escape('rethink'), end('stopped')], [['search', 'rethink', false]]],
    ['a cancelled thread', [escape('rethink'), end('cancelled')], []],
    ['a rung that keeps its place', [escape('review'), end('success')], []],
    [
      'the rows that a fork copied',
      [escape('rethink'), end('success'), row({ event: { type: 'forked' } }), end('success')],
      [],
    ],
    [
      'each round',
      [escape('rethink'), end('success'), escape('rethink'), end('failure')],
      [
        ['search', 'rethink', true],
        ['search', 'rethink', false],
      ],
    ],
  ])('%s', (_, rows, expected) => {
    expect(trialsIn(rows).map(({ subject, rung, sufficed }) => [subject, rung, sufficed])).toEqual(
      expected,
    )
  })
})

describe('a thread', () => {
  /** Both models repeat themselves for long: thinking again is in vain, and the way out is not. */
  const CELL = {
    policies: { default: {}, learn: { escape: { learn: true } } },
    faults: [{ id: 'stubborn', on: 'model:*', how: { nth: [2] }, what: { stubborn: 12 } }],
    oracle: {},
    gates: [],
  }

  async function shopWith(policy: 'default' | 'learn') {
    const { subjects } = await loadScenario('scenarios/stubborn-model.scenario.yaml', CELL as never)
    const subject = subjects[policy] as Subject
    const store = memoryStore()
    const run = (seed: number, options: Omit<SimulateOptions, 'seed'> = {}) =>
      simulate(subject, { seed, store, thread: `shop-${seed}`, ...options })
    return { subject, store, run }
  }

  const ordersOf = ({ journal }: { journal: readonly Row[] }) => {
    const event = journal[0]?.event
    return event?.type === 'thread.started' ? event.policy.escape.orders : undefined
  }

  test('takes the rung first that sufficed before, and records the order', async () => {
    const { run } = await shopWith('learn')
    const early = await run(1)
    expect(ordersOf(early)).toBeUndefined()
    expect(early.escapes[0]).toBe('rethink')
    for (let seed = 2; seed <= 16; seed++) await run(seed)
    const late = await run(17)
    expect(ordersOf(late)?.[0]?.rungs).toEqual(['alternative', 'rethink'])
    expect(late.escapes[0]).toBe('alternative')
    expect(late.spent.modelCalls).toBeLessThan(early.spent.modelCalls)
  })

  test('folds, is judged again and is replayed without the outcomes of other threads', async () => {
    const { subject, store, run } = await shopWith('learn')
    for (let seed = 1; seed <= 16; seed++) await run(seed)
    const { journal } = await run(17)
    const { machine } = subject.graph
    const stored = await replay(machine, store, 'shop-17')
    deepStrictEqual(foldRows(machine, undefined, journal), stored)
    expect(rejudge(machine, journal)).toEqual([])
    const again = await replayThread({ graph: subject.graph, rows: journal })
    expect(again.differsAt).toBeUndefined()
    expect(ordersOf(again)).toEqual(ordersOf({ journal }))
  })

  test('without `learn` has the same journal in a store full of outcomes', async () => {
    const { run } = await shopWith('default')
    const first = await run(1, { store: memoryStore(), thread: 'one' })
    for (let seed = 2; seed <= 16; seed++) await run(seed)
    const later = await run(1, { thread: 'one' })
    expect(later.hash).toBe(first.hash)
    expect(JSON.stringify(first.journal[0])).not.toMatch(/learn|orders/)
  })

  test('starts although an earlier journal is damaged, and learns from the others', async () => {
    const { store, run } = await shopWith('learn')
    for (let seed = 1; seed <= 3; seed++) await run(seed)
    const rows: typeof store.rows = (thread, ...range) =>
      thread === 'shop-2'
        ? Promise.reject(new StoreUnavailable('row 4 is damaged'))
        : store.rows(thread, ...range)
    const damaged = { ...store, rows }
    const query = { graph: 'shop-agent', isVirtual: true }
    expect(await latestTrials(damaged, query)).toHaveLength(2)
    const busy = new StoreUnavailable('locked', { isTemporary: true })
    const locked = { ...store, rows: () => Promise.reject(busy) }
    await expect(latestTrials(locked, query)).rejects.toBe(busy)
  })

  test('on virtual time learns nothing from threads in real time, nor from another graph', async () => {
    const { store, run } = await shopWith('learn')
    for (let seed = 1; seed <= 3; seed++) await run(seed)
    const graph = 'shop-agent'
    expect(await latestTrials(store, { graph, isVirtual: true })).toHaveLength(3)
    expect(await latestTrials(store, { graph, isVirtual: false })).toEqual([])
    expect(await latestTrials(store, { graph: 'other', isVirtual: true })).toEqual([])
    await run(4)
    expect(await latestTrials(store, { graph, isVirtual: true })).toHaveLength(4)
  })
})
