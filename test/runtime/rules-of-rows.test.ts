/** Journals of earlier versions were recorded without some rules. Their threads stay as they were, and events of today follow the rules. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineGraph, tool } from '../../src/index.ts'
import { advance } from '../../src/core/advance.ts'
import { initialRun, type Row, type Run, runnable, type Started } from '../../src/core/run/run.ts'
import type { AgentEvent, Stamped } from '../../src/core/watch/event/event.ts'
import { withDefaults } from '../../src/core/watch/policy/policy.ts'
import { rowFault } from '../../src/runtime/store/row-schema.ts'
import { foldRows } from '../../src/runtime/store/replay.ts'

const pay = tool({
  name: 'pay',
  description: 'Pays.',
  effects: 'write',
  inputSchema: z.object({}),
  execute: async () => 'paid',
})

const { machine } = defineGraph({
  id: 'g',
  start: 'pay',
  input: ['m'],
  channels: { m: {} },
  tools: { pay },
  rounds: { busy: 'interrupt' },
  nodes: {
    pay: { use: 'tool', tool: 'pay', args: {}, on: { done: 'end', loop: 'aside' } },
    aside: { use: 'pass', on: { done: 'end' } },
    end: { final: 'success' },
  },
})

const START: AgentEvent = {
  type: 'thread.started',
  input: { m: 'one' },
  seed: 1,
  specHash: machine.hash,
  versions: {},
  policy: machine.policy,
}
const turn = (round: number): AgentEvent => ({
  type: 'turn.started',
  effect: `pay#${round}`,
  region: '',
  epoch: 1,
})
const called: AgentEvent = {
  ...{ type: 'tool.called', effect: 'pay#1', region: '', call: 'pay#1/1', subject: 'pay' },
  ...{ key: 'k', attempt: 1, args: {}, effects: 'write', repeatable: false },
}
const failed: AgentEvent = {
  ...{ type: 'tool.failed', effect: 'pay#1', region: '', call: 'pay#1/1', subject: 'pay' },
  ...{ key: 'k', tries: 1, attempt: 1, final: true },
  failure: {
    ...{ name: 'Error', message: 'lost', class: 'indeterminate' },
    ...{ scope: 'request', rule: 'test' },
  },
}
const say = (m: string): AgentEvent => ({ type: 'message', input: { m } })
const cancel: AgentEvent = { type: 'cancel', reason: 'enough' }
const next: AgentEvent = { type: 'round.started' }

function recorded(events: readonly AgentEvent[]): { readonly run: Run; readonly rows: Row[] } {
  const rows: Row[] = []
  let run: Run | undefined
  for (const event of events) {
    const stamped = { ...event, at: 1_000 + rows.length } as Stamped
    run = advance(machine, run ?? initialRun(stamped as Stamped<Started>), stamped)
    rows.push({ seq: run.seq, event: stamped, ...run.last })
  }
  return { run: run as Run, rows }
}

const fold = (rows: readonly Row[]) => foldRows(machine, undefined, rows) as Run

/** The rows as an earlier version recorded them. */
const earlier = (rows: readonly Row[]) => rows.map(({ rules: _, ...row }): Row => row)

const ruled = (rows: readonly Row[]) => rows.flatMap(({ seq, rules }) => (rules ? [seq] : []))
const inputs = ({ queue }: Run) => queue.map(({ input }) => input)

describe('a round after a write in doubt', () => {
  const events = [START, turn(1), called, cancel, say('two')]

  it('begins with a question where its row has the rules', () => {
    const { run, rows } = recorded(events)
    expect(ruled(rows)).toEqual([4])
    expect(rows.flatMap(row => rowFault(row) ?? [])).toEqual([])
    expect(fold(rows)).toEqual(run)
    expect(run.pending.map(({ id }) => id)).toEqual(['pay#2', 'pay#1/1?r2'])
    expect(runnable(run)).toEqual([])
  })

  it('began without one where its row has no rules', () => {
    const old = fold(earlier(recorded(events).rows))
    expect(old.pending.map(({ id }) => id)).toEqual(['pay#2'])
    expect(runnable(old)).toHaveLength(1)
    expect(old.unresolved).toBeUndefined()
  })

  it.each([
    ['a message', say('two')],
    ['the next round', next],
  ])('has the rules where %s opens it', (_, opener) => {
    const waits = opener === next ? [say('two')] : [cancel]
    const { run, rows } = recorded([START, turn(1), called, ...waits, opener])
    expect(ruled(rows)).toEqual([4])
    expect(run.pending).toHaveLength(2)
  })
})

describe('messages between rounds', () => {
  const between = (busy: 'interrupt' | 'rollback'): readonly AgentEvent[] => [
    START,
    { type: 'policy.changed', policy: { ...withDefaults(machine.policy), rounds: { busy } } },
    say('two'),
    say('three'),
  ]

  it.each([
    ['interrupt', [{ m: 'two' }, { m: 'three' }]],
    ['rollback', [{ m: 'three' }]],
  ] as const)('follow the rules of %s where their rows have them', (busy, queue) => {
    const { run, rows } = recorded(between(busy))
    expect(ruled(rows)).toEqual([3])
    expect(fold(rows)).toEqual(run)
    expect(inputs(run)).toEqual(queue)
  })

  it.each(['interrupt', 'rollback'] as const)(
    'go first under %s, and none is dropped, where their rows have no rules',
    busy => {
      const old = fold(earlier(recorded(between(busy)).rows))
      expect(inputs(old)).toEqual([{ m: 'three' }, { m: 'two' }])
    },
  )
})

describe('a write beside one that is asked about', () => {
  const second = { ...called, call: 'pay#1/2', key: 'k2' } as AgentEvent
  const events = [START, turn(1), called, second, failed, cancel, say('two')]

  it('is in doubt where its row has the rules', () => {
    const { run, rows } = recorded(events)
    expect(ruled(rows)).toEqual([4, 6])
    expect(fold(rows)).toEqual(run)
    expect(run.pending).toHaveLength(3)
  })

  it('was forgotten where its row has no rules', () => {
    const { rows } = recorded(events)
    const before = fold(earlier(rows.slice(0, -1)))
    expect(before.unresolved?.map(({ call }) => call)).toEqual(['pay#1/1'])
  })
})

describe('a write that a person says was applied', () => {
  const applied: AgentEvent = { type: 'resume', effect: 'pay#1/1?', decision: 'applied' }
  const { run, rows } = recorded([START, turn(1), called, failed, applied])

  it('keeps from a rollback where its row has the rules', () => {
    expect(ruled(rows)).toEqual([4])
    expect(fold(rows)).toEqual(run)
    expect(run.uncompensatable).toEqual(['pay'])
  })

  it('did not keep from one where its row has no rules', () => {
    expect(fold(earlier(rows)).uncompensatable).toEqual([])
  })
})

it('refuses a row of later rules', () => {
  const [row] = recorded([START]).rows
  expect(rowFault({ ...row, rules: 2 })).toEqual({ path: 'rules', message: 'expected 1' })
})
