/** Properties that hold for every graph and every sequence of events. A failure prints its seed and the path that replays it. */
import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { isStateless, restricts } from '../src/core/run/restriction.ts'
import { refold } from '../src/core/advance.ts'
import { type AgentMachine, machineOfSpec } from '../src/core/graph/agent-machine.ts'
import { readSpec } from '../src/core/graph/spec/read.ts'
import type { Spec } from '../src/core/graph/spec/spec.ts'
import type { Row, Run } from '../src/core/run/run.ts'
import type { Stamped } from '../src/core/watch/event/event.ts'
import { DETECTORS_VERSION } from '../src/core/watch/detect/detectors.ts'
import { CALL_BATCH } from '../src/core/watch/normalize/call-batch.ts'
import { mustConfirm } from './must-confirm.ts'
import type { Json } from '../src/core/watch/data/json.ts'
import type { Counted, Policy } from '../src/core/watch/policy/policy.ts'
import { foldRows } from '../src/runtime/store/replay.ts'
import { randomEvents, applyRandomEvent } from './properties/events.ts'
import { type RandomSpec, randomSpec, writing } from './properties/specs.ts'
import { MACHINES } from './story-runner/machines.ts'
import { driveToEnd, harshSimulation, simulation } from './properties/simulations.ts'
import './properties/parts.ts'
import './properties/scopes.ts'
import './properties/wrapped.ts'
import { withoutDefaultLimits } from './properties/endless.ts'

/** A graph with an unlimited ladder budget, for long runs. */
const ENDLESS = withoutDefaultLimits(
  machineOfSpec(
    readSpec({
      escapement: 1,
      id: 'endless',
      start: 'A',
      nodes: {
        A: { use: 'pass', on: { done: 'B' } },
        B: { use: 'pass', on: { done: 'A' } },
        C: { use: 'pass', on: { done: 'A' } },
        D: { use: 'pass', on: { done: 'B' } },
      },
      limits: { steps: 1_000_000 },
      detect: { visits: 32 },
      escape: {
        alternatives: { A: ['C', 'D'], B: ['C', 'D'], C: ['D'], D: ['C'] },
        budget: { alternative: { perLoop: 1_000_000, total: 1_000_000 } },
      },
    }).spec as Spec,
  ),
)

/** `PROPERTY_RUNS=20 npx vitest run test/properties.test.ts` runs each property 20 times as often. */
const TIMES = Number(process.env.PROPERTY_RUNS ?? 1)
vi.setConfig({ testTimeout: 60_000 * TIMES })
const often = (numRuns: number) => ({ numRuns: numRuns * TIMES })

const COUNTED = ['steps', 'toolCalls', 'modelCalls'] as const

describe('of any graph and any events', () => {
  test('folding the journal equals the live run', () => {
    fc.assert(
      fc.property(randomSpec, randomEvents(40), ({ machine }, list) => {
        const { run, rows } = applyRandomEvent(machine, list)
        deepStrictEqual(foldRows(machine, undefined, rows), run)
      }),
      often(150),
    )
  })

  test('a stored run continues like one that was not stored', () => {
    fc.assert(
      fc.property(randomSpec, randomEvents(25), ({ machine }, list) => {
        const { run, rows } = applyRandomEvent(machine, list)
        const stored = applyRandomEvent(
          machine,
          list,
          each => JSON.parse(JSON.stringify(each)) as Run,
        )
        deepStrictEqual(stored.rows, rows)
        deepStrictEqual(JSON.parse(JSON.stringify(stored.run)), JSON.parse(JSON.stringify(run)))
      }),
      often(60),
    )
  })

  test('with other detectors or lost detector states, it is equal except for these states', () => {
    fc.assert(
      fc.property(randomSpec, randomEvents(40), fc.nat(), ({ machine }, list, cut) => {
        const { run, rows, runs } = applyRandomEvent(machine, list)
        const at = cut % rows.length
        const forgetful = forgotten(runs[at] as Run)
        const after = rows
          .slice(at + 1)
          .reduce((before, row) => refold(machine, before, row), forgetful)
        deepStrictEqual(withoutEyes(after), withoutEyes(run))
        const lived = runs
          .slice(at + 1)
          .some(({ ended }, index) => !ended || !runs[at + index]?.ended)
        expect(after.watch.version).toBe(lived ? DETECTORS_VERSION : forgetful.watch.version)
      }),
      often(120),
    )
  })

  test('with another detection policy, it is equal except for detector states', () => {
    fc.assert(
      fc.property(randomSpec, randomEvents(40), ({ machine }, list) => {
        const { run, rows } = applyRandomEvent(machine, list)
        const otherwise = rows.map(row => ({ ...row, event: blinded(row.event) }))
        const after = foldRows(machine, undefined, otherwise) as Run
        deepStrictEqual(
          { ...withoutEyes(after), policy: undefined },
          { ...withoutEyes(run), policy: undefined },
        )
      }),
      often(80),
    )
  })

  test('`advance` is total: it accepts any event, and time never decreases', () => {
    fc.assert(
      fc.property(randomSpec, randomEvents(50), ({ machine }, list) => {
        expectSound(machine, applyRandomEvent(machine, list).runs)
      }),
      often(150),
    )
  })

  test('all of this holds for hand-written statecharts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(MACHINES)),
        randomEvents(40),
        (machine, list) => {
          const { run, rows, runs } = applyRandomEvent(machine, list)
          expectSound(machine, runs)
          deepStrictEqual(foldRows(machine, undefined, rows), run)
        },
      ),
      often(100),
    )
  })

  test('the ladder descends only on progress, and a bounded number of times', () => {
    fc.assert(
      fc.property(randomSpec, randomEvents(60), ({ machine }, list) => {
        const { runs } = applyRandomEvent(machine, list)
        for (const [index, { watch, policy, last }] of runs.entries()) {
          // A round begins with a new ladder.
          const before =
            runs[index - 1]?.round === runs[index]?.round
              ? runs[index - 1]?.watch.ladder
              : undefined
          if (before && watch.ladder.restarts === before.restarts)
            expect(watch.ladder.position).toBeGreaterThanOrEqual(before.position)
          // The rung that was taken is the highest so far, or higher.
          const { verdict } = last
          const place =
            verdict.kind === 'escape' ? policy.escape.ladder.indexOf(verdict.route.rung) : -1
          if (place >= 0) expect(watch.ladder.position).toBe(place)
          expect(watch.ladder.restarts).toBeLessThanOrEqual(policy.escape.restarts)
          for (const [rung, { total }] of Object.entries(policy.escape.budget))
            expect(watch.ladder.used[rung as Counted] ?? 0).toBeLessThanOrEqual(total)
        }
      }),
      often(100),
    )
  })

  test('an escape always has a recorded finding', () => {
    fc.assert(
      fc.property(randomSpec, randomEvents(60), ({ machine }, list) => {
        const seen = new Set<string>()
        for (const { findings, verdict } of applyRandomEvent(machine, list).rows) {
          for (const finding of findings) seen.add(JSON.stringify(finding))
          if (verdict.kind === 'continue') continue
          expect(verdict.because.length).toBeGreaterThan(0)
          expect(verdict.because.filter(finding => !seen.has(JSON.stringify(finding)))).toEqual([])
        }
      }),
      often(100),
    )
  })

  test('spending never exceeds its limit', () => {
    fc.assert(
      fc.property(randomSpec, randomEvents(60), ({ machine }, list) => {
        const { runs } = applyRandomEvent(machine, list)
        for (const [index, run] of runs.entries()) {
          for (const unit of COUNTED) expect(overspent(run, runs[index - 1], unit)).toBe(false)
          for (const unit of COUNTED)
            expect(overspentInRound(run, runs[index - 1], unit)).toBe(false)
        }
      }),
      often(100),
    )
  })

  test('a watch is at most 8 KB of JSON, however long the run', () => {
    const calm = randomEvents(600).map(list =>
      list.filter(
        ({ kind, what }) =>
          kind !== 'cancel' &&
          kind !== 'message' &&
          kind !== 'migrated' &&
          kind !== 'resume' &&
          !(kind === 'callFailed' && what === 5),
      ),
    )
    fc.assert(
      fc.property(calm, list => {
        const { run } = applyRandomEvent(ENDLESS, list)
        expect(run.ended).toBeUndefined()
        expect(JSON.stringify(run.watch).length).toBeLessThanOrEqual(8_192)
      }),
      often(20),
    )
  })
})

describe('of any graph with any tools and models', () => {
  test('every run ends or waits for a person; its journal folds to it, and spending never exceeds its limit', async () => {
    await fc.assert(
      fc.asyncProperty(randomSpec, simulation, async (graph, around) => {
        const { run, store } = await driveToEnd(graph, around)
        expect(run.ended, 'the run has ended').toBeDefined()
        const rows = await store.rows('thread')
        expect(rows.length).toBeLessThan(1_000)
        deepStrictEqual(foldRows(graph.machine, undefined, rows), run)
        for (const unit of COUNTED)
          expect(run.watch.account.spent[unit]).toBeLessThanOrEqual(limitOf(run, unit))
      }),
      often(150),
    )
  })

  test('the same seed gives the same journal', async () => {
    await fc.assert(
      fc.asyncProperty(randomSpec, simulation, async (graph, around) => {
        const [once, again] = [await driveToEnd(graph, around), await driveToEnd(graph, around)]
        // The driver of a write is named by its process: no part of what the seed decides.
        const rowsOf = async ({ store }: typeof once) =>
          JSON.stringify(await store.rows('thread'), (key, value) =>
            key === 'owner' ? 'driver' : value,
          )
        expect(await rowsOf(again)).toBe(await rowsOf(once))
      }),
      often(60),
    )
  })

  test('no answer is requested twice, and no non-repeatable write is made twice, whenever its process dies', async () => {
    await fc.assert(
      fc.asyncProperty(randomSpec, simulation, async (graph, around) => {
        const { store, done, died } = await driveToEnd(graph, around)
        expect(askedAgain(await store.rows('thread'))).toEqual([])
        // An idempotent write that may have taken effect gives its key to the next identical call.
        const once = done.filter(
          one => one.startsWith('write ') || (died === 0 && !one.startsWith('put')),
        )
        expect(once.filter((one, index) => once.indexOf(one) !== index)).toEqual([])
      }),
      often(150),
    )
  })

  test('no call runs without its required confirmation, or after a rejection', async () => {
    await fc.assert(
      fc.asyncProperty(randomSpec, simulation, async (graph, around) => {
        const { store } = await driveToEnd(graph, around)
        expect(callsWithoutAWord(graph, await store.rows('thread'))).toEqual([])
      }),
      often(100),
    )
  })

  test('a write that may have taken effect is never substituted', async () => {
    await fc.assert(
      fc.asyncProperty(writing, harshSimulation, async (graph, around) => {
        const { doers } = await driveToEnd(graph, around)
        const several = [...doers].filter(
          ([, tools]) => tools.size > 1 && ![...tools].some(tool => tool.startsWith('read')),
        )
        expect(several).toEqual([])
      }),
      often(150),
    )
  })

  test('a breaker closes only from half-open', async () => {
    await fc.assert(
      fc.asyncProperty(randomSpec, simulation, async (graph, around) => {
        const { store } = await driveToEnd(graph, { ...around, deaths: [] })
        expect(wrongTurnsOfBreakers(await store.rows('thread'))).toEqual([])
      }),
      often(100),
    )
  })
})

/** What holds after every event. */
function expectSound(machine: AgentMachine, runs: readonly Run[]): void {
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1]
    expect(run.seq).toBe(index)
    if (before) expect(run.at).toBeGreaterThanOrEqual(before.at)
    expect(new Set(run.pending.map(({ id }) => id)).size).toBe(run.pending.length)
    const alive = run.snapshot.status === 'active' ? machine.active(run.snapshot) : new Set()
    expect(run.pending.filter(each => !alive.has(each.state) && !isStateless(each))).toEqual([])
    // During a rollback, no other work is active. A restriction stays a question.
    if (run.pending.some(({ type }) => type === 'rollback'))
      expect(run.pending.filter(each => !restricts(each))).toHaveLength(1)
    // Never stuck: a run that has not ended waits for work, a person or a time.
    expect(run.ended !== undefined || run.pending.length > 0).toBe(true)
    if (before?.ended && run.round === before.round) expectAtRest(run, before)
    expect(run.round).toBeGreaterThanOrEqual(before?.round ?? 1)
  }
}

/** Between its rounds a thread accepts events and starts no effects. */
function expectAtRest(run: Run, before: Run): void {
  const { queue, policy, fork, compensable, uncompensatable, unresolved, requested, wrote } = run
  const { seenLoops, scopes, account } = run.watch
  // A child that was left with its round may end later, and what it has spent counts.
  const { spent, reserved } = account
  const watch = {
    ...before.watch,
    seenLoops,
    scopes,
    account: { ...before.watch.account, spent, reserved },
  }
  expect(run).toEqual({
    ...before,
    queue,
    policy,
    compensable,
    uncompensatable,
    watch,
    ...(fork ? { fork } : {}),
    ...(unresolved ? { unresolved } : {}),
    // A child may write, and a late answer says what a write has done.
    ...(requested ? { requested } : {}),
    ...(wrote ? { wrote } : {}),
    seq: run.seq,
    at: run.at,
    last: run.last,
  })
  expect(unresolved ?? []).toEqual(expect.arrayContaining([...(before.unresolved ?? [])]))
  expect(run.last).toMatchObject({ findings: [], verdict: { kind: 'continue' }, edges: [] })
  if (run.last.ignored)
    expect([queue, policy, fork]).toEqual([before.queue, before.policy, before.fork])
}

function forgotten(run: Run): Run {
  const regions = Object.fromEntries(
    Object.keys(run.watch.regions).map(region => [
      region,
      { detectorStates: ['another shape'], path: [], held: [], batch: CALL_BATCH },
    ]),
  )
  return { ...run, watch: { ...run.watch, version: 'of another time', regions } }
}

function withoutEyes(run: Run) {
  const { regions: _, version: __, reportedLoops: ___, ...watch } = run.watch
  return { ...run, watch }
}

/** The same event, with detectors that find nothing. */
function blinded(event: Stamped): Stamped {
  if (event.type !== 'thread.started' && event.type !== 'policy.changed') return event
  const off = Object.fromEntries(
    Object.keys(event.policy.detect).map(name => [name, false]),
  ) as unknown as Policy['detect']
  const { tools, nodes, ignore } = event.policy.detect
  return { ...event, policy: { ...event.policy, detect: { ...off, tools, nodes, ignore } } }
}

function limitOf({ policy, watch }: Run, unit: (typeof COUNTED)[number]): number {
  return (policy.limits[unit] ?? Number.POSITIVE_INFINITY) + (watch.account.granted[unit] ?? 0)
}

/** A limit may be lowered below the current spending, which then stays constant. */
function overspent(run: Run, before: Run | undefined, unit: (typeof COUNTED)[number]): boolean {
  const spent = run.watch.account.spent[unit]
  return spent > (before?.watch.account.spent[unit] ?? 0) && spent > limitOf(run, unit)
}

/** The same, for what one round may spend. */
function overspentInRound(
  { policy, watch }: Run,
  before: Run | undefined,
  unit: (typeof COUNTED)[number],
): boolean {
  const spent = watch.account.spent[unit]
  const limit =
    (policy.limits.round?.[unit] ?? Number.POSITIVE_INFINITY) +
    (watch.account.granted[`round.${unit}`] ?? 0)
  return (
    spent > (before?.watch.account.spent[unit] ?? 0) && spent - watch.account.before[unit] > limit
  )
}

/** Calls made although they had been answered for good. */
function askedAgain(rows: readonly Row[]): readonly Json[] {
  const answered = new Set<string>()
  return rows.flatMap(({ seq, event }) => {
    if (
      event.type === 'tool.done' ||
      event.type === 'model.done' ||
      event.type === 'circuit.refused'
    )
      answered.add(event.call)
    if (
      (event.type === 'tool.failed' || event.type === 'model.failed') &&
      event.final &&
      event.failure.class !== 'indeterminate'
    )
      answered.add(event.call)
    return (event.type === 'tool.called' || event.type === 'model.called') &&
      answered.has(event.call)
      ? [`${seq}: ${event.call}`]
      : []
  })
}

/** Calls that required confirmation and ran without approval. */
function callsWithoutAWord({ machine }: RandomSpec, rows: readonly Row[]): readonly Json[] {
  const allowed = new Set<string>()
  return rows.flatMap(({ seq, event }) => {
    if (event.type === 'resume' && (event.decision === 'approved' || event.decision === 'edited'))
      allowed.add(event.effect.slice(0, -1))
    if (
      event.type !== 'tool.called' ||
      !mustConfirm(machine.policy.confirm, event.subject, event.effects)
    )
      return []
    return allowed.has(event.call) ? [] : [`${seq}: ${event.call}`]
  })
}

/** Rows in which a breaker closes that was not half-open, or is half-open that was not open. */
function wrongTurnsOfBreakers(rows: readonly Row[]): readonly Json[] {
  const is = new Map<string, string>()
  return rows.flatMap(({ seq, event }) => {
    if (
      event.type !== 'circuit.opened' &&
      event.type !== 'circuit.halfOpened' &&
      event.type !== 'circuit.closed'
    )
      return []
    const before = is.get(event.subject) ?? 'circuit.closed'
    is.set(event.subject, event.type)
    const wrong =
      (event.type === 'circuit.closed' && before !== 'circuit.halfOpened') ||
      (event.type === 'circuit.halfOpened' && before === 'circuit.closed')
    return wrong ? [`${seq}: ${event.subject} ${before} → ${event.type}`] : []
  })
}
