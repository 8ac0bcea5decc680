/** Scopes: what threads share through their store, and that a journal alone reproduces the result. */
import { deepStrictEqual } from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import type { Run } from '../../src/core/run/run.ts'
import { sharesOf } from '../../src/core/run/view.ts'
import { standingsOf } from '../../src/core/watch/budget/scope.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import { drive, type DriveOptions } from '../../src/runtime/drive/drive.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Graph, Ports } from '../../src/runtime/ports.ts'
import { foldRows } from '../../src/runtime/store/replay.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { play } from '../../src/testing.ts'

const HOUR = 3_600_000

/** A job that calls its tool as often as its input says, with equal or with different arguments. */
function jobWith(scopes: object, more: object = {}): Graph {
  const read = readSpec({
    escapement: 1,
    id: 'job',
    start: 'A',
    channels: {
      times: { type: 'integer', default: 3 },
      loops: { type: 'boolean', default: false },
    },
    nodes: {
      A: { use: './job.ts#work', timeout: '1d', on: { done: 'E' } },
      E: { final: 'success' },
    },
    tools: { work: { use: './job.ts#work' } },
    limits: { scopes },
    ...more,
  })
  if (!read.spec) throw new Error(JSON.stringify(read.faults))
  let count = 0
  const work = {
    name: 'work',
    description: '',
    parameters: {},
    effects: 'read',
    idempotent: true,
    timeout: 1_000,
    parse: (args: unknown) => args,
  } as const
  return {
    machine: machineOfSpec(read.spec),
    nodes: {
      A: async task => {
        const { times, loops } = task.input as { times: number; loops: boolean }
        for (let time = 0; time < times; time++) await task.call('work', loops ? {} : { time })
        return {}
      },
    },
    tools: {
      work: {
        ...work,
        execute: async (args: unknown) =>
          (args as { time?: number }).time === undefined ? 'nothing' : `news ${++count}`,
      },
    } as unknown as Graph['tools'],
    models: {},
    source: {},
  }
}

function desk(graph: Graph, store: Store = memoryStore()) {
  const clock = virtualClock(1_000_000)
  const ports: Ports = {
    graph,
    store,
    clock,
    wall: clock.now,
    gate: createGate(),
    owner: 'desk',
    isOwnerDead: () => true,
    heartbeat: () => () => {},
    redact: value => value,
  }
  const run = (thread: string, start: Partial<DriveOptions['start']> = {}): Promise<Run> =>
    drive(ports, thread, { start: { input: {}, seed: 1, ...start } })
  return { store, clock, run, ports }
}

const LOOPING = { input: { loops: true } }

describe('a scope', () => {
  it('is shared by its key: the id of the graph, unless the spec or the start of the thread names another', async () => {
    const { run } = desk(jobWith({ job: { toolCalls: 5 } }))
    await run('one')
    expect((await run('two')).ended?.reason).toBe('budget.scope.job.toolCalls')
    expect((await run('three', { keys: { job: 'elsewhere' } })).ended?.reason).toBe('goal')
    expect((await run('four', { keys: { job: 'elsewhere' } })).ended?.reason).toBe(
      'budget.scope.job.toolCalls',
    )
    await expect(run('five', { keys: { jbo: 'x' } })).rejects.toMatchObject({
      name: 'InvalidInput',
      message: "unknown scope 'jbo'; known scopes: job",
    })
  })

  it('that is unknown rejects the start before anything is stored', async () => {
    const memory = memoryStore()
    const stored: string[] = []
    const putBlob = async (hash: string) => void stored.push(hash)
    const { run } = desk(jobWith({ job: { toolCalls: 5 } }), { ...memory, putBlob })
    await expect(run('one', { keys: { jbo: 'x' } })).rejects.toThrow("unknown scope 'jbo'")
    expect(stored).toEqual([])
    await run('one')
    expect(stored).toHaveLength(1)
  })

  it('takes no empty key, and none that is longer than that of a spec', async () => {
    const { run } = desk(jobWith({ job: { toolCalls: 5 } }))
    for (const job of ['', 'x'.repeat(201), 7, null, undefined])
      await expect(run('one', { keys: { job } as never })).rejects.toMatchObject({
        name: 'InvalidInput',
        message: 'keys.job: expected a text from 1 to 200 characters',
      })
  })

  it('is one of several, and the first reached limit stops the thread', async () => {
    const { run } = desk(jobWith({ job: { toolCalls: 100 }, team: { key: 'all', toolCalls: 4 } }))
    await run('one')
    expect((await run('two')).ended?.reason).toBe('budget.scope.team.toolCalls')
  })

  it('drops spending older than its window, also that of a long thread', async () => {
    const { run, clock } = desk(jobWith({ job: { toolCalls: 4, per: '1h' } }))
    expect((await run('one')).ended?.reason).toBe('goal')
    await clock.sleep(HOUR / 2)
    expect((await run('two')).ended?.reason).toBe('budget.scope.job.toolCalls')
    await clock.sleep(HOUR / 2)
    // The three calls of the first are an hour old, the one of the second half an hour.
    expect((await run('three', { input: { times: 4 } })).ended?.reason).toBe(
      'budget.scope.job.toolCalls',
    )
    expect((await run('four', { input: { times: 1 } })).ended?.reason).toBe(
      'budget.scope.job.toolCalls',
    )
    await clock.sleep(HOUR)
    expect((await run('five')).ended?.reason).toBe('goal')
  })

  it('counts a long thread within the window only', async () => {
    let naps = 0
    const graph = jobWith({ job: { toolCalls: 3, per: '1h' } })
    const slow = {
      ...graph,
      tools: {
        work: {
          ...graph.tools.work,
          timeout: HOUR,
          execute: async (_: unknown, call: { sleep: (ms: number) => Promise<void> }) =>
            call.sleep(HOUR / 2).then(() => `slept ${++naps}`),
        },
      },
    }
    const { run } = desk(slow as unknown as Graph)
    // Two calls an hour, ten in all.
    expect((await run('one', { input: { times: 10 } })).watch.account.spent.toolCalls).toBe(10)
  })

  it('holds back no thread in observe mode, but its limits apply', async () => {
    const { run } = desk(
      jobWith(
        { job: { loops: 2, toolCalls: 9 } },
        { mode: 'observe', escape: { review: { deadline: '1h' } } },
      ),
    )
    expect((await run('one', { input: { loops: true, times: 4 } })).ended?.reason).toBe('goal')
    expect((await run('two', { input: { loops: true, times: 4 } })).ended?.reason).toBe('goal')
    expect((await run('three', { input: { loops: true, times: 4 } })).ended?.reason).toBe(
      'budget.scope.job.toolCalls',
    )
  })
})

describe('a journal of a thread with scopes', () => {
  it('folds to the run without the store, because it contains the spending of others', async () => {
    const { run, store, ports, clock } = desk(jobWith({ job: { loops: 3, toolCalls: 20 } }))
    for (const thread of ['one', 'two', 'three']) {
      await clock.sleep(HOUR)
      const ended = await run(thread, LOOPING)
      deepStrictEqual(foldRows(ports.graph.machine, undefined, await store.rows(thread)), ended)
    }
    const [, noted] = await store.rows('three')
    expect(noted?.event).toMatchObject({
      type: 'scope.noted',
      scope: 'job',
      key: 'job',
      spent: { toolCalls: 6 },
      loops: [{ threads: [{ thread: 'one' }, { thread: 'two' }] }],
    })
    const finding = (await store.rows('three')).flatMap(({ findings }) => findings)[0]
    expect(finding).toMatchObject({
      kind: 'loop',
      scope: 'job',
      earlier: [{ thread: 'one' }, { thread: 'two' }],
    })
  })

  it('continues after a crash with its recorded notes, and records only new ones', async () => {
    const store = memoryStore()
    let appends = 0
    const dying: Store = {
      ...store,
      append: batch =>
        batch.lease.thread === 'two' && ++appends === 3
          ? Promise.reject(new Error('the process is gone'))
          : store.append(batch),
    }
    const { run } = desk(jobWith({ job: { toolCalls: 9 } }), dying)
    await run('one')
    await expect(run('two')).rejects.toThrow('gone')
    expect((await run('two')).ended?.reason).toBe('goal')
    expect(
      (await store.rows('two')).filter(({ event }) => event.type === 'scope.noted'),
    ).toHaveLength(1)
  })

  it('and the published share of its thread are stored together', async () => {
    const store = memoryStore()
    const { run } = desk(jobWith({ job: {} }), {
      ...store,
      append: batch => (batch.shares ? Promise.reject(new Error('no space')) : store.append(batch)),
    })
    await expect(run('one', LOOPING)).rejects.toThrow('no space')
    expect(await store.shares()).toEqual([])
  })
})

describe('the standings of scopes', () => {
  it('is listed by key: threads, spending and limits, loops, and what holds it', async () => {
    const { run, store, clock } = desk(
      jobWith({ job: { toolCalls: 20, loops: 3 } }, { escape: { review: { deadline: '2h' } } }),
    )
    expect(standingsOf(await store.shares(), clock.now())).toEqual([])
    for (const thread of ['one', 'two']) await run(thread, LOOPING)
    expect(standingsOf(await store.shares(), clock.now())).toMatchObject([
      {
        scope: 'job',
        key: 'job (virtual)',
        spent: { toolCalls: 6 },
        limits: { toolCalls: 20 },
        threads: ['one', 'two'],
        held: { thread: 'one', effect: 'review#1' },
        dismissed: [],
      },
    ])
    await clock.sleep(25 * HOUR)
    expect(standingsOf(await store.shares(), clock.now())).toMatchObject([
      { spent: { toolCalls: 0 }, threads: [], loops: [] },
    ])
  })
})

it('keeps the share of a thread that asks about a loop until the answer, and others for their window', async () => {
  const { spec } = readSpec({
    escapement: 1,
    id: 'circles',
    start: 'A',
    nodes: {
      A: { use: 'tool', tool: 'look', args: {}, on: { done: 'A', error: 'E' } },
      E: { final: 'failure' },
    },
    tools: { look: { use: 'flaky', with: { p: 0 } } },
    limits: { scopes: { job: { per: '1h', steps: 50 } } },
    escape: { ladder: ['review', 'stop'], review: { deadline: '2h' } },
  })
  const graph = bindGraph(spec as NonNullable<typeof spec>, {
    workspace: '.',
    model: () => Promise.reject(new Error('no model')) as never,
  })
  const shareAfter = async (answers: readonly 'stop'[]) => {
    const { run } = await play(graph, { input: {}, answers })
    const [share] = sharesOf('t', run)
    return { asks: share?.asks !== undefined, until: share?.until, at: share?.at ?? 0 }
  }
  expect(await shareAfter([])).toMatchObject({ asks: true, until: null })
  const { at, ...ended } = await shareAfter(['stop'])
  expect(ended).toEqual({ asks: false, until: at + 3_600_000 })
})
