/** Writes since the savepoint: what a person's answer and a write in flight mean for a rollback and for the ledger. */
import { describe, expect, test } from 'vitest'
import { effectsOf } from '../src/core/review/ledger.ts'
import type { Row } from '../src/core/run/run.ts'
import { rollbackTarget, sinceSavepoint } from '../src/core/run/savepoint.ts'
import type { AgentEvent } from '../src/core/watch/event/event.ts'

const CALL = 'pay#1/1'
const called = {
  type: 'tool.called',
  effect: 'pay#1',
  region: '',
  call: CALL,
  subject: 'pay',
  key: 'k',
  args: {},
  attempt: 1,
  effects: 'write',
  repeatable: false,
  compensable: true,
} as unknown as AgentEvent
const resume = (decision: string) =>
  ({ type: 'resume', effect: `${CALL}?`, decision }) as unknown as AgentEvent

const since = (...events: readonly AgentEvent[]) =>
  events.reduce((known, event, seq) => sinceSavepoint(known, event, seq), {
    compensable: [],
    uncompensatable: [],
  } as Parameters<typeof sinceSavepoint>[0])

describe('a write whose outcome a person states', () => {
  test('as applied is compensated by a rollback', () => {
    expect(since(called, resume('applied')).compensable).toEqual([
      { call: CALL, tool: 'pay', called: 0, done: 1 },
    ])
  })

  test('as not applied is not', () => {
    expect(since(called, resume('not-applied')).compensable).toEqual([])
  })

  test('with another answer stays open', () => {
    expect(since(called, resume('rejected')).compensable).toEqual([
      { call: CALL, tool: 'pay', called: 0 },
    ])
  })

  test.each([
    ['applied', ['pay']],
    ['not-applied', []],
  ])('as %s is listed among the effects of %j', (decision, tools) => {
    const rows = [called, resume(decision)].map(
      (event, seq) =>
        ({ seq, event: { ...event, at: seq }, verdict: { kind: 'continue' } }) as unknown as Row,
    )
    expect(effectsOf(rows).map(({ tool }) => tool)).toEqual(tools)
  })
})

test('a rollback is refused while a write of a running node is open', () => {
  const run = {
    savepoint: { seq: 5 },
    opening: { seq: 0 },
    pending: [{ type: 'invoke', writing: [{ call: CALL, tool: 'pay' }] }],
    compensable: [],
    uncompensatable: [],
  } as never
  expect(rollbackTarget(run, { rollback: {} } as never)).toEqual({
    code: 'call-unresolved',
    params: { call: 'pay' },
  })
})
