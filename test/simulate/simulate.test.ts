/** One simulated run: faults innermost, everything on the tape, and the same seed gives the same journal. */
import { describe, expect, test } from 'vitest'
import { loadScenario } from '../../src/host/simulation/load-scenario.ts'
import { monteCarlo } from '../../src/simulate/monte/monte.ts'
import { faultsOfTape } from '../../src/simulate/inject/decide.ts'
import type { Tool } from '../../src/runtime/ports.ts'
import { simulate, type SimulatedRun } from '../../src/simulate/run/simulate.ts'
import { inShop, shop, subjectOf, TURNS } from './fixture.ts'

const failures = (run: Awaited<ReturnType<typeof inShop>>) =>
  run.journal.flatMap(({ event }) =>
    event.type === 'tool.failed' || event.type === 'model.failed'
      ? [`${event.subject} ${event.failure.class} ${event.attempt}`]
      : [],
  )

const results = (run: Awaited<ReturnType<typeof inShop>>, subject: string) =>
  run.journal.flatMap(({ event }) =>
    event.type === 'tool.done' && event.subject === subject ? [event.result] : [],
  )

const requests = (run: Awaited<ReturnType<typeof inShop>>) =>
  run.journal.flatMap(({ event }) =>
    event.type === 'model.done' ? event.calls.map(({ tool, args }) => [tool, args]) : [],
  )

describe('faults on tools', () => {
  test('a transient error is retried by the runtime, and both attempts are on the tape', async () => {
    const run = await inShop([
      { id: 'down', on: 'tool:stock', how: { first: 2 }, what: { error: 'transient' } },
    ])
    expect(run.outcome).toBe('success')
    expect(failures(run)).toEqual(['stock transient 1', 'stock transient 2'])
    expect(run.tape.map(({ target, index, fault, node }) => [target, index, fault, node])).toEqual([
      ['tool:stock', 1, 'down', 'act'],
      ['tool:stock', 2, 'down', 'act'],
    ])
  })

  test('a hang ends with the timeout of the tool, in virtual time', async () => {
    const run = await inShop([{ id: 'hang', on: 'tool:stock', how: { nth: [1] }, what: 'hang' }])
    expect(failures(run)).toEqual(['stock transient 1'])
    expect(run.took).toBeGreaterThanOrEqual(30_000)
  })

  test('latency adds up', async () => {
    const slow = { on: 'tool:stock', how: { nth: [1] }, what: { latency: '2s' } } as const
    const run = await inShop([
      { id: 'a', ...slow },
      { id: 'b', ...slow },
    ])
    expect(run.took).toBe(4_000)
  })

  test('a lost acknowledgement and a duplicate take effect twice', async () => {
    let ordered = 0
    const create = () => ({ tools: { order: () => ({ number: ++ordered }) } })
    await inShop([{ id: 'lost', on: 'tool:order', how: { nth: [1] }, what: 'lostAck' }], { create })
    expect(ordered).toBe(2)
    await inShop([{ id: 'twice', on: 'tool:order', how: { nth: [1] }, what: 'duplicate' }], {
      create,
    })
    expect(ordered).toBe(4)
  })

  test('noop reports success without an effect', async () => {
    let ordered = 0
    const create = () => ({ tools: { order: () => ({ number: ++ordered }) } })
    const run = await inShop([{ id: 'noop', on: 'tool:order', what: 'noop' }], { create })
    expect([ordered, results(run, 'order')]).toEqual([0, [{ done: true }]])
  })

  test.each([
    ['wrong', { wrong: { value: { left: 0 } } }, { left: 0 }],
    ['plausible', { wrong: 'plausible' }, { left: 9 }],
    ['empty', 'empty', null],
    ['flipFlop', { flipFlop: ['A', 'B'] }, 'B'],
  ] as const)('%s changes the value', async (_, what, expected) => {
    const run = await inShop([{ id: 'lie', on: 'tool:stock', what }])
    expect(results(run, 'stock')).toEqual([expected])
  })

  test('truncate cuts texts and lists', async () => {
    const create = () => ({ tools: { stock: () => ({ rows: [1, 2, 3], note: 'abcdef' }) } })
    const run = await inShop([{ id: 'cut', on: 'tool:stock', what: { truncate: 2 } }], { create })
    expect(results(run, 'stock')).toEqual([{ rows: [1, 2], note: 'ab' }])
  })

  test('stale returns an earlier answer to the same arguments', async () => {
    let left = 10
    const create = () => ({ tools: { stock: () => ({ left: left-- }) } })
    const look = { calls: [{ tool: 'stock', args: { item: 'a b' } }] }
    const turns = [look, look, { say: 'Done.', times: 'always' as const }]
    const run = await inShop([{ id: 'old', on: 'tool:stock', what: 'stale' }], { create, turns })
    expect(results(run, 'stock')).toEqual([{ left: 10 }, { left: 10 }])
  })

  test('a fault can be limited to a node, an attempt, a span of time, and what came before', async () => {
    const error = { on: 'tool:stock', what: { error: 'transient' } } as const
    const run = await inShop([
      { id: 'first', ...error, when: { attempt: 1, node: 'act' } },
      { id: 'then', ...error, when: { afterFault: 'first', attempt: 2 } },
      { id: 'elsewhere', ...error, when: { node: 'plan' } },
      { id: 'later', ...error, when: { time: ['1h', '2h'] } },
    ])
    expect(run.tape.map(({ fault }) => fault)).toEqual(['first', 'then'])
  })

  test('a fault is chosen by the effects of the tool', async () => {
    const run = await inShop([
      { id: 'writes', on: { tool: '*', effects: 'write' }, what: { latency: '1s' } },
    ])
    expect(run.tape.map(({ target }) => target)).toEqual(['tool:order'])
  })
})

describe('faults on models', () => {
  test('repeat emits the last request again', async () => {
    const run = await inShop([{ id: 'again', on: 'model:*', how: { nth: [2] }, what: 'repeat' }])
    expect(requests(run).map(([tool]) => tool)).toEqual(['stock', 'stock', 'order'])
  })

  test('reword changes the words of the request', async () => {
    const run = await inShop([{ id: 'words', on: 'model:fast', how: { nth: [2] }, what: 'reword' }])
    const [[, first], [tool, second]] = requests(run) as [[string, object], [string, object]]
    expect(tool).toBe('stock')
    expect(second).not.toEqual(first)
    expect(JSON.stringify(second)).toContain('wall clock ')
  })

  test('a stubborn model is found as a loop', async () => {
    const run = await inShop([
      { id: 'stubborn', on: 'model:*', how: { nth: [2] }, what: { stubborn: 30 } },
    ])
    expect(run.findings.map(({ kind }) => kind)).toContain('loop')
  })

  test('a malformed call and an unknown tool are answered by the runtime', async () => {
    const run = await inShop([
      { id: 'broken', on: 'model:*', how: { nth: [1] }, what: 'malformedCall' },
      { id: 'invented', on: 'model:*', how: { nth: [2] }, what: 'unknownTool' },
    ])
    expect(failures(run).map(text => text.split(' ')[0])).toEqual(['stock', 'order_v2'])
  })

  test('an early stop ends without the request', async () => {
    const run = await inShop([{ id: 'early', on: 'model:*', how: { nth: [2] }, what: 'earlyStop' }])
    expect(requests(run)).toHaveLength(1)
    expect(run.outcome).toBe('success')
  })
})

describe('a process that stops at a commit', () => {
  test.each(['before', 'after'] as const)('%s it is followed by another one', async side => {
    for (const nth of [1, 2, 5, 9]) {
      let ordered = 0
      const create = () => ({ tools: { order: () => ({ number: ++ordered }) } })
      const crash = {
        id: 'crash',
        on: 'commit',
        how: { nth: [nth] },
        what: { crash: side },
      } as const
      const run = await inShop([crash], { create })
      expect([nth, run.outcome, run.tape.length]).toEqual([nth, 'success', 1])
      expect(ordered).toBeGreaterThanOrEqual(1)
      expect(ordered).toBeLessThanOrEqual(2)
    }
  })

  test('each time ends the run, and after an outage it goes on', async () => {
    const crash = { id: 'crash', on: 'commit', what: { crash: 'before' } } as const
    const run = await inShop([crash])
    expect(run.outcome).toBe('crashed')
    expect(run.tape.length).toBeGreaterThan(50)
    const brief = await inShop([{ ...crash, how: { outage: { at: 0, for: 3_000 } } }])
    expect(brief.outcome).toBe('success')
  })

  test('gives the same journal for the same seed', async () => {
    const crash = { id: 'crash', on: 'commit', how: { p: 0.2 }, limit: 3, what: 'crash' } as const
    const [one, other] = [await inShop([crash]), await inShop([crash])]
    expect(one.tape.length).toBeGreaterThan(0)
    expect(one.hash).toBe(other.hash)
  })
})

test('the same seed gives the same journal for a write that must not be repeated', async () => {
  const run = () => {
    const graph = shop()
    const order = Object.assign(Object.create(graph.tools.order as Tool) as Tool, {
      idempotent: false,
    })
    return simulate(subjectOf({ ...graph, tools: { ...graph.tools, order } }, {}), { seed: 1 })
  }
  const [one, other] = [await run(), await run()]
  expect(one.journal.some(({ event }) => 'owner' in event)).toBe(true)
  expect(other.journal).toEqual(one.journal)
})

describe('a full disk', () => {
  const full = (how: object) => ({ id: 'disk', on: 'commit', how, what: 'full' }) as const

  test('ends the process at any commit, and another one continues a minute later', async () => {
    for (let nth = 1; ; nth++) {
      let ordered = 0
      const create = () => ({ tools: { order: () => ++ordered } })
      const run = await inShop([full({ nth: [nth] })], { create })
      // The run has fewer commits.
      if (run.tape.length === 0) return expect(nth).toBeGreaterThan(8)
      expect([nth, run.outcome, run.tape.length]).toEqual([nth, 'success', 1])
      expect(run.took).toBeGreaterThanOrEqual(nth === 1 ? 0 : 60_000)
      expect(ordered).toBeLessThanOrEqual(2)
    }
  })

  test('for good is a crash, not a run without an end', async () => {
    const { outcome, because } = await inShop([full({ after: 3 })])
    expect(outcome).toBe('crashed')
    expect(because).toContain('database or disk is full')
  })
})

describe('a clock that jumps', () => {
  const skew = (what: object, nth = 4) =>
    ({ id: 'clock', on: 'commit', how: { nth: [nth] }, what }) as const

  test('ahead and behind: events stay in order, and the run ends well', async () => {
    const ahead = await inShop([skew({ skew: '2h' })])
    expect(ahead.outcome).toBe('success')
    expect(ahead.took).toBeGreaterThanOrEqual(7_200_000)
    for (const run of [ahead, await inShop([skew({ skew: { back: '2h' } })])]) {
      const times = run.journal.map(({ event }) => event.at)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(run.outcome).toBe('success')
    }
  })

  test('a jump behind takes nothing away from the time of the run', async () => {
    const behind = await inShop([skew({ skew: { back: '2h' } })])
    expect(behind.took).toBeGreaterThanOrEqual(0)
    expect(behind.tape).toHaveLength(1)
  })
})

describe('until', () => {
  const seedsOf = async (until: object) => {
    const subject = subjectOf(shop(), { until } as never)
    const seen: number[] = []
    const report = await monteCarlo(
      subject.scenario,
      { default: subject },
      {
        onRun: ({ seed }) => seen.push(seed),
      },
    )
    return { seeds: report.seeds, last: Math.max(...seen) }
  }

  test('runs seeds until the interval is narrow enough, at the looks only', async () => {
    // All runs reach the goal: the Wilson interval of 100 of 100 is 0.037 wide.
    expect(await seedsOf({ width: 0.04 })).toEqual({ seeds: 100, last: 100 })
    expect(await seedsOf({ width: 0.03, most: 200 })).toEqual({ seeds: 200, last: 200 })
  })

  test('ends at `most`, and a number of seeds overrides it', async () => {
    expect(await seedsOf({ width: 0.0001, most: 130 })).toEqual({ seeds: 130, last: 130 })
    const subject = subjectOf(shop(), { until: { width: 0.0001 } } as never)
    const seeds = { from: 5, count: 3 }
    const report = await monteCarlo(subject.scenario, { default: subject }, { seeds })
    expect(report.seeds).toBe(3)
  })
})

describe('runs that are made twice', () => {
  test('are the first three seeds, and each seed with which the policy under test ends badly', async () => {
    const { scenario, subjects } = await loadScenario('scenarios/human-absent.scenario.yaml')
    const runs: SimulatedRun[] = []
    const report = await monteCarlo(scenario, subjects, {
      seeds: { from: 1, count: 12 },
      onRun: run => runs.push(run),
    })
    const tested = runs.filter(({ policy }) => policy === 'default')
    const twice = [...Map.groupBy(tested, ({ seed }) => seed)]
      .filter(([, of]) => of.length === 2)
      .map(([seed]) => seed)
    const bad = tested.filter(({ outcome }) => outcome !== 'success').map(({ seed }) => seed)
    expect(new Set(bad).size).toBeGreaterThan(3)
    expect(new Set(bad).size).toBeLessThan(12)
    expect(twice.toSorted()).toEqual([...new Set([1, 2, 3, ...bad])].toSorted())
    expect(report.seeds).toBe(12)
  })
})

describe('repeatability', () => {
  const loaded = loadScenario('graphs/ring.scenario.yaml')
  const subject = async () => {
    const { subjects } = await loaded
    const { default: of } = subjects
    if (!of) throw new Error('the scenario has no policy `default`')
    return of
  }

  test('the same seed gives the same journal, byte for byte', async () => {
    const of = await subject()
    for (const seed of [1, 2, 3, 4, 5]) {
      const [one, other] = [await simulate(of, { seed }), await simulate(of, { seed })]
      expect(JSON.stringify(one.journal)).toBe(JSON.stringify(other.journal))
      expect(one.tape).toEqual(other.tape)
    }
  })

  test('a tape replays a run without random numbers', async () => {
    const of = await subject()
    for (const seed of [1, 2, 3, 7]) {
      const { tape, hash } = await simulate(of, { seed })
      const replayed = await simulate(of, { seed, decide: faultsOfTape(tape) })
      expect(replayed.hash).toBe(hash)
    }
  })

  test('a further fault that does nothing changes none of 400 runs', async () => {
    const of = await subject()
    const [first] = of.scenario.faults
    if (!first) throw new Error('the scenario has no fault')
    const inert = {
      ...first,
      id: 'inert',
      on: { kind: 'tool', pattern: '*' },
      how: 'never',
    } as const
    const wider = { ...of, scenario: { ...of.scenario, faults: [inert, ...of.scenario.faults] } }
    let changed = 0
    for (let from = 1; from <= 400; from += 20) {
      const seeds = Array.from({ length: 20 }, (_, index) => from + index)
      const hashes = (which: typeof of) =>
        Promise.all(seeds.map(async seed => (await simulate(which, { seed })).hash))
      const [before, after] = [await hashes(of), await hashes(wider)]
      changed += before.filter((hash, index) => hash !== after[index]).length
    }
    expect(changed).toBe(0)
  })

  test('conditions see a change inside the same object of facts', async () => {
    const facts = { looked: 0 }
    const create = () => ({
      tools: {
        stock: () => {
          facts.looked++
          return { left: 10 }
        },
      },
      facts: () => facts,
    })
    const oracle = { never: ['system.looked > 0'], sometimes: ['system.looked == 1'] }
    const run = await inShop([], { oracle, create })
    expect(run.violations).toMatchObject([{ rule: 'never', condition: 'system.looked > 0' }])
    expect(run.seen).toEqual(['system.looked == 1'])
  })

  test('a heal ends all faults', async () => {
    const down = { id: 'down', on: 'tool:stock', what: { error: 'transient' } } as const
    const healed = await inShop([down], { heal: '2s' })
    expect(healed.tape.every(({ at }) => at < 2_000)).toBe(true)
    expect((await inShop([down])).tape.length).toBeGreaterThan(healed.tape.length)
  })

  test('an armed fault exists in a part of the seeds', async () => {
    const fault = { id: 'rare', on: 'tool:stock', arm: 0.5, what: { latency: 1 } } as const
    const runs = await Promise.all(
      Array.from({ length: 40 }, (_, seed) =>
        simulate(subjectOf(shop(TURNS), { faults: [fault] }), { seed }),
      ),
    )
    const armed = runs.filter(({ tape }) => tape.length > 0).length
    expect(armed).toBeGreaterThan(8)
    expect(armed).toBeLessThan(32)
  })
})

describe('a fake system', () => {
  test.each([
    [
      'undefined',
      () => {},
      'in its creation: expected an object with tools, progress, correct, facts, not undefined',
    ],
    [
      'a promise',
      async () => ({ tools: {} }),
      'in its creation: expected an object with tools, progress, correct, facts, not a promise',
    ],
    ['a rejected promise', () => Promise.reject(undefined), 'not a promise'],
    ['a list', () => [], 'not a list'],
    [
      'a misspelled part',
      () => ({ tool: {} }),
      'expected an object with tools, progress, correct, facts, not a map',
    ],
    ['tools of another kind', () => ({ tools: null }), 'in its creation: tools: '],
    [
      'a tool of another kind',
      () => ({ tools: { stock: 5 } }),
      'in its creation: tools.stock: expected a function',
    ],
    [
      'progress that is not a number',
      () => ({ progress: () => 5n }),
      'in progress: expected a number, not bigint',
    ],
    [
      'progress that is NaN',
      () => ({ progress: () => Number.NaN }),
      'in progress: expected a number, not NaN',
    ],
    [
      'progress that is a promise',
      () => ({ progress: async () => 1 }),
      'in progress: expected a number, not a promise',
    ],
    [
      'a verdict that is a promise',
      () => ({ correct: async () => false }),
      'in correct: expected true or false, not a promise',
    ],
    [
      'no verdict',
      () => ({ correct: () => undefined }),
      'in correct: expected true or false, not undefined',
    ],
    [
      'facts that are not JSON',
      () => ({ facts: () => ({ a: 5n }) }),
      'in facts: expected JSON; a is a bigint',
    ],
    [
      'facts that are a promise',
      () => ({ facts: async () => 1 }),
      'in facts: expected JSON, not a promise',
    ],
  ] as const)('is refused for %s', async (_, system, message) => {
    await expect(inShop([], { create: system as never })).rejects.toThrow(message)
  })

  test('may be an object of a class', async () => {
    class Shop {
      #looked = 0
      progress() {
        return this.#looked
      }
    }
    expect((await inShop([], { create: () => new Shop() })).outcome).toBe('success')
  })

  test('that throws in its facts ends the run with the reason', async () => {
    const create = () => ({
      facts: () => {
        throw new Error('no facts')
      },
    })
    const oracle = { always: ['system == null'] }
    await expect(inShop([], { create, oracle })).rejects.toThrow(
      'the fake system failed in facts: no facts',
    )
  })

  test('that hangs in real time is named', async () => {
    const create = () => ({ tools: { stock: () => new Promise(() => {}) } })
    await expect(inShop([], { create })).rejects.toThrow(
      "the tool 'stock' of the fake system did not settle within 2 s of real time",
    )
  })

  test('with a tool that the graph lacks is refused', async () => {
    await expect(inShop([], { create: () => ({ tools: { stok: () => 1 } }) })).rejects.toThrow(
      "the fake system has a tool 'stok', and the graph does not",
    )
  })
})

describe('an oracle', () => {
  test('reports each violated condition once, with its event', async () => {
    const oracle = { never: ['toolCalls > 0'], always: ['steps < 100'] }
    const { violations } = await inShop([], { oracle })
    expect(violations).toEqual([
      { rule: 'never', condition: 'toolCalls > 0', seq: expect.any(Number) },
    ])
  })

  test('eventually is bounded in steps', async () => {
    const run = (steps: number) => inShop([], { oracle: { eventually: [{ is: 'ended', steps }] } })
    expect((await run(20)).violations).toEqual([])
    expect((await run(2)).violations.map(({ rule }) => rule)).toEqual(['eventually'])
  })

  test('that throws ends the run with the condition and the event', async () => {
    const oracle = { always: ['context.answers.size() == 0'] }
    await expect(inShop([], { oracle })).rejects.toThrow(
      /the condition `context.answers.size\(\) == 0` failed after event 0: No such key: answers/,
    )
  })

  test('that is not a condition is refused', async () => {
    await expect(inShop([], { oracle: { always: ['steps + 1'] } })).rejects.toThrow(
      /`steps \+ 1` is 1 after event 0; expected true or false/,
    )
  })

  test('a goal with an incorrect result is silently wrong', async () => {
    const oracle = { correct: "output.answer == 'Ordered.'" }
    const early = { id: 'early', on: 'model:*', how: { nth: [1] }, what: 'earlyStop' } as const
    expect((await inShop([], { oracle })).outcome).toBe('success')
    expect((await inShop([early], { oracle })).outcome).toBe('silently wrong')
  })
})
