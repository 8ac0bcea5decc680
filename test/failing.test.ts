/** The failing call that a finding names as its cause: its attempts that were made, and their latest error. */
import { expect, test } from 'vitest'
import { type Failing, failingAfter } from '../src/core/watch/event-drafts.ts'
import type { AgentEvent } from '../src/core/watch/event/event.ts'
import { type Failure, stated } from '../src/core/watch/failure/failure.ts'
import type { Reason } from '../src/core/watch/reason/reason.ts'
import { DOWN } from './kit/fake.ts'

const refusal = (name: string, reason: Reason): Failure =>
  ({ name, ...stated(reason), class: 'persistent', scope: 'request', rule: name }) as const

const SPENT = { code: 'retries-spent', params: { call: 'search', retries: 2 } } as const
const OPEN = { code: 'circuit-open', params: { call: 'search', seconds: 30 } } as const
const FULL = { code: 'concurrency-limit', params: { call: 'search' } } as const

const failed = (n: number, attempt: number, failure: Failure): AgentEvent => ({
  ...{ type: 'tool.failed', effect: 'act#1', region: '', call: `act#1/${n}` },
  ...{ subject: 'search', key: 'k', failure, attempt, final: true },
})
const refused: AgentEvent = {
  ...{ type: 'circuit.refused', effect: 'act#1', region: '', call: 'act#1/9', kind: 'tool' },
  ...{ subject: 'search', key: 'k', failure: refusal('CircuitOpen', OPEN), retryAt: 1 },
}
const after = (...events: readonly AgentEvent[]) =>
  events.reduce<Failing | undefined>(
    (before, event, seq) => failingAfter(before, event, undefined, seq),
    undefined,
  )

test('a call that a breaker or the retry budget refuses does not count', () => {
  const made = [failed(1, 1, DOWN), failed(1, 2, DOWN), failed(2, 1, DOWN)]
  const spent = failed(3, 1, refusal('RetriesSpent', SPENT))
  expect(after(...made, spent, spent, refused)).toMatchObject({
    times: 3,
    reason: { code: 'error', params: { message: 'down', status: 503 } },
  })
})

test('an attempt after a full bulkhead counts once', () => {
  const full = refusal('BulkheadFull', FULL)
  expect(after(failed(1, 1, full))).toMatchObject({ times: 0, reason: FULL })
  expect(after(failed(1, 1, full), failed(1, 2, full), failed(1, 3, DOWN))).toMatchObject({
    times: 1,
    reason: { code: 'error' },
  })
})
