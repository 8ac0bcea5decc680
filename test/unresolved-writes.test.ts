/** The writes in doubt of a thread: each is asked about once, and one whose late answer is known is not asked about. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineGraph, tool } from '../src/index.ts'
import { advance } from '../src/core/advance.ts'
import { initialRun, type Run, type Started } from '../src/core/run/run.ts'
import { digest } from '../src/core/watch/data/json.ts'
import { NOTHING_SPENT } from '../src/core/watch/event/call-event.ts'
import type { AgentEvent, Stamped } from '../src/core/watch/event/event.ts'

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
    pay: {
      use: 'tool',
      tool: 'pay',
      args: {},
      on: { done: 'end', 'error.indeterminate': 'ask', loop: 'aside' },
    },
    aside: { use: 'pass', on: { done: 'end' } },
    ask: { use: 'human', question: 'Go on?', on: { 'human.approved': 'end' } },
    end: { final: 'success' },
  },
})

const EFFECT = { effect: 'pay#1', region: '' }
const CALL = { ...EFFECT, call: 'pay#1/1', subject: 'pay', key: 'k' }
const BEGIN: readonly AgentEvent[] = [
  {
    ...{ type: 'thread.started', input: { m: 'one' }, seed: 1, specHash: machine.hash },
    ...{ versions: {}, policy: machine.policy },
  },
  { ...EFFECT, type: 'turn.started', epoch: 1 },
  { ...CALL, type: 'tool.called', attempt: 1, args: {}, effects: 'write', repeatable: false },
]
const say: AgentEvent = { type: 'message', input: { m: 'one' } }
const cancel: AgentEvent = { type: 'cancel', reason: 'enough' }
const late: AgentEvent = { ...CALL, type: 'call.late', ok: true, effects: 'write', result: 'paid' }

/** A question waits for a day, a node for less than an hour. */
const timeOf = (effect: string) => (effect.includes('?') ? 86_400_000 : 3_600_000)

function runOf(events: readonly AgentEvent[], begin = BEGIN): Run {
  let run: Run | undefined
  for (const [at, event] of [...begin, ...events].entries()) {
    const stamped = {
      ...event,
      at: 1_000 + at + (event.type === 'tick' ? timeOf(event.effect) : 0),
    } as Stamped
    run = advance(machine, run ?? initialRun(stamped as Stamped<Started>), stamped)
  }
  return run as Run
}

it.each([3, 6, 12])('each is asked about once after %s resent messages', times => {
  const rounds = Array.from({ length: times }, () => [say, cancel]).flat()
  const run = runOf([cancel, ...rounds, say])
  const ids = run.pending.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter(id => id.startsWith('pay#1/1?'))).toHaveLength(1)
  expect(runOf([cancel, ...rounds]).unresolved?.map(({ call }) => call)).toEqual(['pay#1/1'])
})

/** The question about the write expires, and the graph goes on beside it. */
const EXPIRED: readonly AgentEvent[] = [
  {
    ...{ ...CALL, type: 'tool.failed', tries: 1, attempt: 1, final: true },
    failure: {
      ...{ name: 'Error', message: 'lost', class: 'indeterminate' },
      ...{ scope: 'request', rule: 'test' },
    },
  },
  { type: 'tick', effect: 'pay#1/1?' },
]

it.each([
  ['while its round runs', [...EXPIRED, late, cancel, say]],
  ['between rounds', [...EXPIRED, cancel, late, say]],
])('a late answer %s leaves nothing to ask', (_, events) => {
  expect(runOf(events).pending.map(({ id }) => id)).toEqual(['pay#2'])
})

it('a late answer leaves no list of writes', () => {
  expect(runOf(EXPIRED).unresolved).toHaveLength(1)
  expect('unresolved' in runOf([...EXPIRED, late])).toBe(false)
})

it('without the late answer, the next round asks', () => {
  expect(runOf([...EXPIRED, cancel, say]).pending.map(({ id }) => id)).toEqual([
    'pay#2',
    'pay#1/1?r2',
  ])
})

const SECOND = { ...CALL, call: 'pay#1/2', key: 'k2' }
const [, turn, called] = BEGIN as readonly [
  AgentEvent,
  AgentEvent,
  AgentEvent & { type: 'tool.called' },
]
const [failed, expires] = EXPIRED as readonly [AgentEvent, AgentEvent]
/** Two writes side by side, of which the first is asked about. */
const TWO: readonly AgentEvent[] = [{ ...called, ...SECOND }, failed]
const lateFailure: AgentEvent = {
  ...SECOND,
  type: 'call.late',
  ok: false,
  effects: 'write',
  result: null,
}
const answer = (effect: string, decision: 'applied' | 'not-applied'): AgentEvent => ({
  type: 'resume',
  effect,
  decision,
})
const asked = ({ pending }: Run) =>
  pending.flatMap(({ id, type }) => (type === 'interrupt' ? [id] : []))

describe('two writes side by side, of which the first is asked about', () => {
  it.each([
    ['the end of the round', [cancel, say]],
    ['a late failure and the end of the round', [lateFailure, cancel, say]],
  ])('are both asked about after %s', (_, events) => {
    expect(asked(runOf([...TWO, ...events])).toSorted()).toEqual(['pay#1/1?r2', 'pay#1/2?r2'])
  })

  it('are both known after the question about the first has expired', () => {
    const run = runOf([...TWO, expires])
    expect(asked(run)).toEqual(['ask#1', 'pay#1/2?'])
    expect(run.unresolved?.map(({ call }) => call)).toEqual(['pay#1/1'])
  })

  it.each([
    ['the starts that count as a crash loop', [turn, turn]],
    ['the end of the time of their node', [{ type: 'tick', effect: 'pay#1' } as AgentEvent]],
  ])('are both asked about after %s and the end of the round', (_, events) => {
    const run = runOf([{ ...called, ...SECOND }, ...events])
    expect(asked(run)).toHaveLength(1)
    const next = runOf([{ ...called, ...SECOND }, ...events, cancel, say])
    expect(asked(next).toSorted()).toEqual(['pay#1/1?r2', 'pay#1/2?r2'])
  })

  it('leave one to ask about where the second is answered in time', () => {
    expect(asked(runOf([...TWO, { ...late, ...SECOND }, cancel, say]))).toEqual(['pay#1/1?r2'])
  })

  it('stay in flight after the late failure of an earlier attempt', () => {
    const first = { ...called, ...SECOND, repeatable: true }
    const [node] = runOf([first, { ...first, attempt: 2 }, lateFailure]).pending
    expect(node).toHaveProperty('repeating')
  })

  it('are each asked about once where the second is tried again', () => {
    const again: AgentEvent = { ...called, ...SECOND, attempt: 2 }
    const run = runOf([...TWO, answer('pay#1/1?', 'not-applied'), again, cancel, say])
    expect(asked(run)).toEqual(['pay#1/2?r2'])
  })
})

describe('a write of a child of a thread without own writes', () => {
  const done: AgentEvent = {
    ...{
      ...CALL,
      type: 'child.done',
      thread: 't/pay#1/1',
      outcome: 'cancelled',
      reason: 'cancelled',
    },
    ...{
      result: null,
      digest: digest(null),
      spent: NOTHING_SPENT,
      effects: 'read',
      unresolved: 'pay',
    },
  }
  const again = (...events: AgentEvent[]) => runOf(events, BEGIN.slice(0, 2))

  it.each([
    ['between rounds', [cancel, done, say]],
    ['in its round', [done, cancel, say]],
  ])('that is in doubt %s is asked about in each round', (_, events) => {
    expect(asked(again(...events))).toEqual(['pay#1/1?r2'])
    expect(asked(again(...events, cancel, say))).toEqual(['pay#1/1?r3'])
  })

  it('keeps from a rollback by the name of its graph', () => {
    const inRound = { ...done, subject: 'payer' } as AgentEvent
    expect(again(inRound).uncompensatable).toEqual(['payer'])
  })

  it('that is known between rounds makes the thread one that has written', () => {
    const known = { ...done, effects: 'write', unresolved: undefined } as unknown as AgentEvent
    expect(again(cancel, known, say).wrote).toBe(true)
  })
})

it('a late success keeps the key of a doubtful write: an identical call may be on its way under it', () => {
  const lost = { ...(failed as AgentEvent & { type: 'tool.failed' }) }
  const unproven = {
    ...lost,
    failure: { ...lost.failure, class: 'transient', unproven: true },
  } as AgentEvent
  const [doubtful] = runOf([unproven, late]).doubtful ?? []
  expect(doubtful).toEqual({ call: 'pay#1/1', tool: 'pay', key: 'k' })
})

describe('a rollback behind a write', () => {
  it.each([
    ['that a person says was applied', [failed, answer('pay#1/1?', 'applied')], ['pay']],
    ['whose question expires', [failed, expires], ['pay']],
    ['that a person says was not applied', [failed, answer('pay#1/1?', 'not-applied')], []],
  ])('%s', (_, events, kept) => {
    expect(runOf(events).uncompensatable).toEqual(kept)
  })
})
