/** What the journal already holds of an effect that is performed again: its calls are answered from here, in order. */
import type { Row } from '../../core/run.ts'
import type { CallEvent, CircuitEvent } from '../../core/watch/event/call-event.ts'
import type { ChildEvent, Stamped } from '../../core/watch/event/event.ts'
import { type Failure, failureReason, leavesDoubt } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { ModelAnswer } from '../model-message.ts'
import type { Answer, ChildAnswer } from '../ports.ts'

export interface CallRecord {
  readonly subject: string
  readonly key: string
  /** Who has stood in for the subject, in this order: the last of them was to answer. */
  readonly by: readonly string[]
  /** The latest attempt of whoever was to answer. */
  readonly attempt: number
  /** The seq of the row that says so. */
  readonly called: number
  /** It was at a write that may be repeated. */
  readonly writing: boolean
  /** One of these was not known to have had no effect. */
  readonly doubt: boolean
  readonly state: /** Answered, for good. */
    | { readonly kind: 'answered'; readonly answer: Answer<Json | ModelAnswer> | ChildAnswer }
    /** On its way when the process died: nobody knows what became of it. */
    | { readonly kind: 'open' }
    /** The attempt failed, and another is due, not before `until`. */
    | { readonly kind: 'failed'; readonly until: number }
}

export interface CallRecords {
  readonly calls: ReadonlyMap<string, CallRecord>
  readonly reports: ReadonlySet<string>
}

export const NO_CALL_RECORDS: CallRecords = { calls: new Map(), reports: new Set() }

export function callRecords(rows: readonly Row[], effect: string): CallRecords {
  const calls = new Map<string, CallRecord>()
  const reports = new Set<string>()
  for (const { seq, event } of rows) {
    if (event.type === 'resume') {
      const call = event.effect.endsWith('?') ? event.effect.slice(0, -1) : undefined
      const before = call === undefined ? undefined : calls.get(call)
      if (call !== undefined && before)
        calls.set(
          call,
          applyReconciled(before, event.decision === 'applied', event.output ?? null, event.at),
        )
    } else if ('call' in event && event.effect === effect) {
      if (event.type === 'reported') reports.add(event.call)
      const now = isCallRow(event) ? applyRow(calls.get(event.call), event, seq) : undefined
      if (now) calls.set(event.call, now)
    }
  }
  return { calls, reports }
}

const NEW_RECORD = { attempt: 0, writing: false, state: { kind: 'failed', until: 0 } } as const

/** An event of a call, as it stands in a journal. */
export type CallRow = Extract<Stamped<CallEvent | CircuitEvent | ChildEvent>, { call: string }>

export function isCallRow(event: Stamped): event is CallRow {
  return 'call' in event && event.type !== 'reported'
}

/** What another thread was answered: the events of each call, by its id. */
export type Recording = ReadonlyMap<string, readonly CallRow[]>

/** What became of one call, by its events alone. */
export function callRecordOf(events: readonly CallRow[]): CallRecord | undefined {
  return events.reduce<CallRecord | undefined>(
    (before, event) => applyRow(before, event, -1),
    undefined,
  )
}

function applyRow(
  before: CallRecord | undefined,
  event: CallRow,
  seq: number,
): CallRecord | undefined {
  const { subject, key } = event
  const next = applyCallEvent(
    before ?? { subject, key, ...NEW_RECORD, by: [], doubt: false, called: seq },
    event,
  )
  const isCalled = event.type === 'tool.called' || event.type === 'model.called'
  return next && isCalled ? { ...next, called: seq } : (next ?? before)
}

function applyCallEvent(before: CallRecord, event: CallRow): CallRecord | undefined {
  switch (event.type) {
    case 'child.started':
      return { ...before, attempt: 1, state: { kind: 'open' } }
    case 'child.done':
      return withAnswer(before, childAnswer(event))
    case 'child.refused':
      return withAnswer(before, rejectionAnswer(event.failure))
    case 'tool.called': {
      const writing = event.effects === 'write' && event.repeatable
      return {
        ...before,
        attempt: event.attempt,
        writing,
        doubt: before.doubt || (before.writing && before.state.kind === 'open'),
        state: { kind: 'open' },
      }
    }
    case 'model.called':
      return { ...before, attempt: event.attempt, state: { kind: 'open' } }
    case 'call.substituted':
      return { ...before, ...NEW_RECORD, by: [...before.by, event.by] }
    case 'tool.done':
      return withAnswer(before, { ok: true, value: event.result })
    case 'model.done':
      return withAnswer(before, { ok: true, value: modelAnswer(event) })
    case 'tool.failed':
    case 'model.failed':
      // An indeterminate call waits for its answer; that comes as a resume or a reconciliation.
      if (event.failure.class === 'indeterminate') return { ...before, state: { kind: 'open' } }
      if (event.final) return withFailure(before, event.failure)
      return {
        ...before,
        doubt: before.doubt || (before.writing && leavesDoubt(event.failure)),
        state: { kind: 'failed', until: event.at },
      }
    case 'call.waiting':
      return { ...before, state: { kind: 'failed', until: event.until } }
    case 'circuit.refused':
      return withFailure(before, event.failure)
    case 'call.late':
      // Whoever has said before that it was applied has been believed.
      return event.ok && before.state.kind !== 'answered'
        ? withAnswer(before, { ok: true, value: event.result })
        : before
    case 'call.reconciled':
      return event.answer === 'unknown'
        ? before
        : applyReconciled(before, event.answer === 'applied', event.result, event.at)
    default:
      return undefined
  }
}

function applyReconciled(
  before: CallRecord,
  applied: boolean,
  result: Json,
  at: number,
): CallRecord {
  return applied
    ? withAnswer(before, { ok: true, value: result })
    : { ...before, state: { kind: 'failed', until: at } }
}

function withAnswer(
  before: CallRecord,
  answer: Answer<Json | ModelAnswer> | ChildAnswer,
): CallRecord {
  return { ...before, state: { kind: 'answered', answer } }
}

function withFailure(before: CallRecord, failure: Failure): CallRecord {
  return withAnswer(before, { ok: false, failure })
}

export function modelAnswer({
  call,
  text,
  reasoning,
  calls,
  usage,
}: Extract<CallEvent, { type: 'model.done' }>): ModelAnswer {
  return { call, text, calls, usage, ...(reasoning === undefined ? {} : { reasoning }) }
}

export function childAnswer({
  outcome,
  reason,
  because,
  result,
  cut,
  thread,
}: Extract<ChildEvent, { type: 'child.done' }>): ChildAnswer {
  const more = { ...(because && { because }), ...(cut === undefined ? {} : { cut }) }
  return { outcome, reason, result, thread, ...more }
}

export function rejectionAnswer(failure: Failure): ChildAnswer {
  const because = failureReason(failure)
  return { outcome: 'error', reason: failure.message, because, result: null }
}
