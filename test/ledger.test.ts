/** The ledger of effects after a process has ended during writes. The rows are those of a journal. */
import { expect, test } from 'vitest'
import { effectsOf } from '../src/core/review/ledger.ts'
import type { Row } from '../src/core/run/run.ts'
import { failureMessage } from '../src/core/watch/failure/failure.ts'
import { explain } from '../src/core/watch/reason/reason.ts'

type Event = Readonly<{ type: string; call?: string; [field: string]: unknown }>

const ENDED = { outcome: 'cancelled', reason: 'cancelled' }

/** The kind of each write and what became of it. `ended` ends the thread with the last event. */
function ledgerOf(events: readonly Event[], ended?: typeof ENDED) {
  const rows = events.map((event, seq) => {
    const defaults = { effect: 'book#1', subject: 'pay', args: {}, effects: 'write', at: seq }
    const isLast = seq === events.length - 1
    const judged = { findings: [], verdict: { kind: 'continue' }, edges: [] }
    return { seq, event: { ...defaults, ...event }, ...judged, ...(isLast && ended && { ended }) }
  }) as unknown as readonly Row[]
  return effectsOf(rows).map(({ call, kind, seq, became }) => {
    const cause = became.cause ? `: ${explain(became.cause)}` : ''
    return `${call} ${kind} at ${seq}, ${became.code}${cause}`
  })
}

const start = (epoch: number): Event => ({ type: 'turn.started', epoch })
const called = (call: string, attempt = 1): Event => ({ type: 'tool.called', call, attempt })
const done = (call: string): Event => ({ type: 'tool.done', call, result: 1 })
const died = 'the process ended during a call of pay'

test('a write of a process that has ended is unknown as soon as its node starts again', () => {
  const crashed = [start(1), called('book#1/1'), called('book#1/2'), done('book#1/2')]
  expect(ledgerOf(crashed)[0]).toBe('book#1/1 indeterminate at 1, effect-pending')
  expect(ledgerOf([...crashed, start(2)])).toEqual([
    `book#1/1 indeterminate at 4, effect-unknown: ${died}`,
    'book#1/2 irreversible at 3, effect-applied',
  ])
})

test('a write of another node is in progress', () => {
  const other = { type: 'turn.started', effect: 'other#1', epoch: 1 }
  expect(ledgerOf([start(1), called('book#1/1'), other])).toEqual([
    'book#1/1 indeterminate at 1, effect-pending',
  ])
})

test.each(['node.done', 'node.failed'])('%s ends the writes that its node left', type => {
  expect(ledgerOf([start(1), called('book#1/1'), { type }])).toEqual([
    'book#1/1 indeterminate at 2, effect-unknown',
  ])
})

test('the end of the thread ends all writes, and a late answer still counts', () => {
  const cancelled = [start(1), called('book#1/1'), { type: 'cancel', effect: undefined }]
  expect(ledgerOf(cancelled, ENDED)).toEqual(['book#1/1 indeterminate at 2, effect-unknown'])
  const late = { type: 'call.late', call: 'book#1/1', ok: true }
  expect(ledgerOf([...cancelled, late])).toEqual(['book#1/1 irreversible at 3, effect-applied'])
})

test('a refused repetition does not prove that the interrupted attempt had no effect', () => {
  const failure = {
    name: 'HttpError',
    message: 'HTTP 400',
    status: 400,
    class: 'persistent',
    scope: 'request',
  }
  const refused = { type: 'tool.failed', call: 'book#1/1', attempt: 2, final: true, failure }
  expect(
    ledgerOf([start(1), called('book#1/1'), start(2), called('book#1/1', 2), refused]),
  ).toEqual([`book#1/1 indeterminate at 4, effect-unknown: ${failureMessage(failure as never)}`])
})

test('an interrupted compensation is unknown once its rollback starts again', () => {
  const undo = { effect: 'rollback#1', call: 'rollback#1/book#1/1', compensates: 'book#1/1' }
  const undoing = [
    start(1),
    called('book#1/1'),
    done('book#1/1'),
    { ...start(1), effect: 'rollback#1' },
    { ...called(''), ...undo },
  ]
  expect(ledgerOf(undoing)).toEqual(['book#1/1 indeterminate at 4, undo-pending'])
  expect(ledgerOf([...undoing, { ...start(2), effect: 'rollback#1' }])).toEqual([
    `book#1/1 indeterminate at 5, undo-unknown: ${died}`,
  ])
})
