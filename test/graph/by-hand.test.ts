/** Hand-written statecharts, alone and named by a spec. */
import { describe, expect, test } from 'vitest'
import { type AnyStateMachine, assign, setup } from 'xstate'
import { advance } from '../../src/core/advance.ts'
import { type AgentMachine, machineOf, machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import type { MachineEvent } from '../../src/core/graph/machine.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { type Run, initialRun } from '../../src/core/run/run.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { createRuntime, done as labeled, memoryStore } from '../../src/index.ts'

const effects = { actions: { invoke: () => {}, interrupt: () => {} } }

/** Keeps what its one node returns. */
function keeping(initial: object = { kept: null }): AnyStateMachine {
  return setup(effects).createMachine({
    id: 'keeping',
    context: initial,
    initial: 'work',
    states: {
      work: {
        id: 'work',
        entry: { type: 'invoke', params: { node: 'work' } } as never,
        on: {
          'done.enough': 'end',
          done: {
            target: 'work',
            reenter: true,
            actions: assign(({ event }) => (event as unknown as MachineEvent).output as object),
          },
        },
      },
      end: { type: 'final' },
    },
  }) as unknown as AnyStateMachine
}

const SPEC = { escapement: 1, id: 'g', machine: './m.ts#m', nodes: { work: { use: 'pass' } } }

function beside(part: object): AgentMachine {
  const { spec, faults } = readSpec({ ...SPEC, ...part })
  if (!spec) throw new Error(JSON.stringify(faults))
  return machineOfSpec(spec, keeping({ kept: null, score: 0 }))
}

function started(machine: AgentMachine, input: Json = {}): Run {
  const start = {
    type: 'thread.started',
    input,
    seed: 1,
    specHash: '',
    policy: machine.policy,
    versions: {},
    at: 0,
  } as const
  return advance(machine, initialRun(start), start)
}

function done(machine: AgentMachine, run: Run, output: unknown): Run {
  const effect = run.pending[0]?.id ?? ''
  const begun = advance(machine, run, {
    type: 'turn.started',
    effect,
    region: '',
    epoch: 1,
    at: run.at,
  })
  return advance(machine, begun, {
    type: 'node.done',
    effect,
    region: '',
    output: output as Json,
    at: run.at,
  })
}

describe('another round of a hand-written statechart', () => {
  test('begins in its initial state with its context, merged with the keys of the message', () => {
    const machine = machineOf(keeping({ kept: null, score: 0 }), { version: '1' })
    const run = done(machine, started(machine), { kept: 'a' })
    const enough = advance(machine, run, {
      type: 'node.done',
      effect: 'work#2',
      region: '',
      output: null,
      label: 'enough',
      at: run.at,
    })
    expect(enough.ended).toMatchObject({ outcome: 'success' })
    const next = advance(machine, enough, { type: 'message', input: { score: 7 }, at: run.at })
    expect(next).toMatchObject({
      round: 2,
      snapshot: { value: 'work', context: { kept: 'a', score: 7 } },
      pending: [{ id: 'work#3' }],
    })
    expect(done(machine, next, { kept: 'b' }).snapshot.context).toEqual({ kept: 'b', score: 7 })
  })
})

describe('the context of a hand-written statechart', () => {
  test.each<[string, unknown, string]>([
    ['a Map', { kept: { deep: new Map() } }, 'context.kept.deep is a Map'],
    ['undefined', { kept: [1, undefined] }, 'context.kept[1] is undefined'],
    ['NaN', { other: Number.NaN }, 'context.other is NaN'],
  ])('with %s ends the thread at once and reports the path', (_, output, fault) => {
    const machine = machineOf(keeping(), { version: '1' })
    const run = done(machine, done(machine, started(machine), { kept: [1, 2] }), output)
    expect(run.ended).toMatchObject({
      outcome: 'error',
      reason: 'machine',
      because: { code: 'machine-failed', params: { message: expect.stringContaining(fault) } },
      result: { kept: [1, 2] },
    })
    expect(run.snapshot.context).toEqual({ kept: [1, 2] })
  })

  test('must also begin with plain data', () => {
    expect(
      started(machineOf(keeping({ when: new Date(0) }), { version: '1' })).ended,
    ).toMatchObject({
      outcome: 'error',
      reason: 'machine',
      because: {
        code: 'machine-failed',
        params: { message: expect.stringContaining('context.when is a Date') },
      },
    })
  })

  test('its input must be plain data', () => {
    expect(
      machineOf(keeping(), { version: '1' }).checkInput({ a: { b: new Map() } } as unknown as Json),
    ).toEqual([{ path: 'input', message: 'is not JSON: a.b is a Map' }])
  })

  test('unchanged parts are neither checked nor hashed again', () => {
    let read = 0
    const heavy = new Proxy({ pages: 1 } as Record<string, unknown>, {
      ownKeys(target) {
        read++
        return Reflect.ownKeys(target)
      },
    })
    const machine = machineOf(keeping({ heavy, count: 0 }), { version: '1' })
    const first = started(machine)
    read = 0
    const run = [1, 2, 3].reduce((before, count) => done(machine, before, { count }), first)
    expect(run.snapshot.context.count).toBe(3)
    expect(read).toBe(0)
  })

  test('volatile keys of the chart, the options or `detect.ignore` do not affect the comparison of states', () => {
    const chart = keeping()
    const named = (meta: object) =>
      machineOf(
        { ...chart, root: chart.root, config: { ...chart.config, meta } } as AnyStateMachine,
        { version: '1', volatile: ['second'] },
      )
    const machine = named({ volatile: ['first'] })
    const hashOf = (first: number, second: number, third: number, kept: number) =>
      machine.hashOf({ first, second, third, kept }, ['third'])
    expect(hashOf(1, 1, 1, 1)).toBe(hashOf(2, 2, 2, 1))
    expect(hashOf(1, 1, 1, 1)).not.toBe(hashOf(1, 1, 1, 2))
  })
})

describe('a spec that names a statechart', () => {
  test('applies its timeouts, labels, input, output and progress', () => {
    const machine = beside({
      nodes: { work: { use: 'pass', timeout: '5s', when: { enough: 'output.score + score > 4' } } },
      input: ['goal'],
      output: ['score'],
      progress: 'score * 2',
    })
    expect(machine.checkInput({})).toEqual([{ path: 'input.goal', message: 'is missing' }])
    expect(machine.checkInput({ goal: 1 })).toEqual([])
    const first = started(machine, { goal: 1 })
    expect(first.pending).toMatchObject([{ node: 'work', timeout: 5_000 }])
    const second = done(machine, first, { score: 2 })
    expect(machine.measure(second.snapshot.context)).toBe(4)
    expect(done(machine, second, { score: 3 }).ended).toMatchObject({
      outcome: 'success',
      result: { score: 2 },
    })
  })

  test('a condition that throws fails its node with the path', () => {
    const machine = beside({
      nodes: { work: { use: 'pass', when: { enough: 'output.none > 1' } } },
    })
    expect(done(machine, started(machine), {}).ended?.reason).toBe('failure.persistent')
  })

  test.each([
    ['channels', { channels: { a: {} } }],
    ['nodes.work.in', { nodes: { work: { use: 'pass', in: ['a'] } } }],
    ['nodes.work.out', { nodes: { work: { use: 'pass', out: ['a'] } } }],
    ['nodes.work.phase', { nodes: { work: { use: 'pass', phase: true } } }],
  ])('rejects %s, which the statechart defines', (path, part) => {
    expect(readSpec({ ...SPEC, ...part }).faults).toMatchObject([
      { path, message: expect.stringContaining('not allowed beside `machine`') },
    ])
  })

  test('rejects an invalid expression', () => {
    expect(readSpec({ ...SPEC, progress: 'score +' }).faults).toMatchObject([{ path: 'progress' }])
  })
})

test('without `output`, the result contains all channels that do not append', () => {
  const { spec } = readSpec({
    escapement: 1,
    id: 'g',
    start: 'A',
    channels: { messages: { reducer: 'append', default: ['hello'] }, answer: { default: 42 } },
    nodes: { A: { use: 'pass', on: { done: 'E' } }, E: { final: 'success' } },
  })
  const machine = machineOfSpec(spec as NonNullable<typeof spec>)
  expect(done(machine, started(machine), {}).ended?.result).toEqual({ answer: 42 })
  expect(machine.checkInput({ answer: new Map() } as unknown as Json)).toEqual([
    { path: 'input', message: 'is not JSON: answer is a Map' },
  ])
})

test('a state of a hand-written statechart rethinks with the smarter model of its node', () => {
  const models = {
    small: { id: 's', baseURL: 'http://127.0.0.1:1', smarter: 'large' },
    large: { id: 'l', baseURL: 'http://127.0.0.1:1' },
  }
  const asking = { work: { use: 'model', model: 'small' } }
  expect(beside({ nodes: asking, models }).rethinks('work')).toBe(true)
  expect(beside({}).rethinks('work')).toBe(false)
})

test.each([
  ['a state', { id: 'c', key: 'a/b' }, 'states.w.states.a/b.id: "c.w.a/b" has a character'],
  ['a state with a line break', { id: 'c', key: 'a\nb' }, 'states.w.states.a\\nb.id: '],
  ['the machine', { id: 'a/b', key: 'c' }, 'id: "a/b" has a character'],
])('the id of %s cannot have a slash: its child threads could not be found', (_, of, expected) => {
  const { id, key } = of
  const chart = setup(effects).createMachine({
    id,
    initial: 'w',
    states: { w: { initial: key, states: { [key]: {} } }, end: { type: 'final' } },
  }) as unknown as AnyStateMachine
  expect(() => machineOf(chart, { version: '1' })).toThrow(expected)
})

test('a runtime drives a graph without a source', async () => {
  const machine = machineOf(keeping(), { version: '1' })
  const work = async () => labeled('enough', { kept: 1 })
  const graph = { machine, nodes: { work }, tools: {}, models: {}, graphs: {}, source: null }
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph, {})
  expect(await thread.result()).toMatchObject({ outcome: 'success' })
  await runtime.close()
})
