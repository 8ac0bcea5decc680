/** What the journal already holds of an effect that is performed again: its calls are answered from these records. */
import { originOf } from '../../core/fork.ts'
import { callOfQuestion } from '../../core/run/question-id.ts'
import type { Row, Run } from '../../core/run/run.ts'
import type {
  CallEvent,
  CircuitEvent,
  Edited,
  NotApplied,
} from '../../core/watch/event/call-event.ts'
import type { ChildEvent, EventOf, Stamped } from '../../core/watch/event/event.ts'
import { type Failure, failureReason } from '../../core/watch/failure/failure.ts'
import { isRefusal } from '../../core/watch/failure/doubt.ts'
import { type Json, defined } from '../../core/watch/data/json.ts'
import type { ModelAnswer } from '../model-message.ts'
import type { Answer, ChildAnswer } from '../ports.ts'

export type RecordedAnswer = Answer<Json | ModelAnswer> | ChildAnswer

export interface CallRecord {
  readonly subject: string
  readonly key: string
  /** The substitutes in their order: the last one was to answer. */
  readonly by: readonly string[]
  /** The latest attempt of the subject or substitute that was to answer. */
  readonly attempt: number
  /** The attempts that a clean shutdown of their driver interrupted: they do not count as crashes. */
  readonly cleanStops: number
  /** The seq of the row of that attempt. */
  readonly called: number
  /** Its driver, for a write that must not be repeated. */
  readonly owner?: string
  /** That attempt was a repeatable write. */
  readonly writing: boolean
  /** An earlier write may have taken effect. */
  readonly doubt: boolean
  readonly state:
    | { readonly kind: 'answered'; readonly answer: RecordedAnswer }
    /** The process ended during the attempt, and its outcome is unknown. */
    | { readonly kind: 'open' }
    /** The attempt failed. Another one is due at `until`. */
    | { readonly kind: 'failed'; readonly until: number }
  /** What the answer of a person leads to that the attempt had no effect. Absent: the attempt failed otherwise. */
  readonly notApplied?: NotApplied
  /** The cost of the attempt is booked although it has no answer. */
  readonly booked?: true
  readonly edited?: Edited
  /** When the call began to wait for an open breaker. */
  readonly waitingSince?: number
}

export interface CallRecords {
  readonly calls: ReadonlyMap<string, CallRecord>
  readonly reports: ReadonlySet<string>
}

export const NO_CALL_RECORDS: CallRecords = { calls: new Map(), reports: new Set() }

/** Whether the call was made or continues, so that it needs no permission. What the parent of a fork left without an answer is a new call in the fork. */
export const isUnderWay = (run: Run, record: CallRecord | undefined): boolean =>
  record !== undefined &&
  (record.state.kind === 'answered' || originOf(run, record.called) === undefined)

export function callRecords(rows: readonly Row[], effect: string): CallRecords {
  const calls = new Map<string, CallRecord>()
  const reports = new Set<string>()
  for (const { seq, event } of rows) {
    if (event.type === 'resume') {
      const { effect: question, decision } = event
      const call = callOfQuestion(question) ?? ''
      const before = calls.get(call)
      const isKnown = decision === 'applied' || decision === 'not-applied'
      if (before && isKnown) calls.set(call, afterAnswer(before, decision === 'applied', event))
    } else if (event.type === 'turn.left' && event.effect === effect) {
      for (const [call, record] of calls)
        if (record.state.kind === 'open')
          calls.set(call, { ...record, cleanStops: record.cleanStops + 1 })
    } else if ('call' in event && event.effect === effect) {
      if (event.type === 'reported') reports.add(event.call)
      const record = isCallRow(event) ? applyRow(calls.get(event.call), event, seq) : undefined
      if (record) calls.set(event.call, record)
    }
  }
  return { calls, reports }
}

/** A journaled event of a call. */
export type CallRow = Extract<Stamped<CallEvent | CircuitEvent | ChildEvent>, { call: string }>

export const isCallRow = (event: Stamped): event is CallRow =>
  'call' in event && event.type !== 'reported'

/** The calls of a fork's parent after the fork: the events of each call by its effect and its id. */
export type Recording = ReadonlyMap<string, ReadonlyMap<string, readonly CallRow[]>>

/** The record of one call, from its events alone. */
export const callRecordOf = (events: readonly CallRow[]): CallRecord | undefined =>
  events.reduce<Known>((record, event) => applyRow(record, event, -1), undefined)

const UNCALLED = {
  attempt: 0,
  cleanStops: 0,
  writing: false,
  state: { kind: 'failed', until: 0 },
} as const
const OPEN = { kind: 'open' } as const

/** An attempt that a person answers reaches no external system: it can be made again. */
const openAfter = ({ injected, at }: CallRow): CallRecord['state'] =>
  injected ? { kind: 'failed', until: at } : OPEN

type Known = CallRecord | undefined

function applyRow(known: Known, event: CallRow, seq: number): Known {
  const { subject, key, edited } = event
  const before = withoutOutcome(event, known) ?? {
    ...{ subject, key, ...UNCALLED, ...defined({ edited }) },
    ...{ by: [], doubt: false, called: seq },
  }
  switch (event.type) {
    case 'child.started':
      return { ...before, attempt: 1, state: OPEN }
    case 'child.done':
      return withAnswer(before, childAnswer(event))
    case 'child.refused':
      return withAnswer(before, rejectionAnswer(event.failure))
    case 'tool.called': {
      const writing = event.effects === 'write' && event.repeatable
      const doubt = before.doubt || (before.writing && before.state.kind === 'open')
      const { attempt, owner } = event
      const state = openAfter(event)
      return { ...before, attempt, writing, doubt, state, called: seq, ...defined({ owner }) }
    }
    case 'model.called': {
      const { booked: _, ...rest } = before
      return { ...rest, attempt: event.attempt, state: openAfter(event), called: seq }
    }
    case 'call.substituted':
      return { ...before, ...UNCALLED, by: [...before.by, event.by] }
    case 'tool.done':
      return withAnswer(before, { ok: true, value: event.result })
    case 'model.done':
      return withAnswer(before, { ok: true, value: modelAnswer(event) })
    case 'tool.failed':
    case 'model.failed': {
      // The answer of an indeterminate call comes as a resume or a reconciliation.
      if (event.failure.class === 'indeterminate') {
        const { notApplied } = event.type === 'tool.failed' ? event : {}
        return { ...before, state: OPEN, ...defined({ notApplied }) }
      }
      if (event.final) return withAnswer(before, { ok: false, failure: event.failure })
      const doubt = before.doubt || (before.writing && !isRefusal(event.failure))
      return { ...before, doubt, state: { kind: 'failed', until: event.at } }
    }
    case 'call.waiting':
      return {
        ...before,
        state: { kind: 'failed', until: event.until },
        ...defined({ waitingSince: event.since }),
      }
    case 'circuit.refused':
      return withAnswer(before, { ok: false, failure: event.failure })
    case 'call.late':
      if (event.usage) return { ...before, booked: true }
      // An earlier answer by a person stands.
      return event.ok && before.state.kind !== 'answered'
        ? withAnswer(before, { ok: true, value: event.result })
        : before
    case 'call.reconciled':
      return event.answer === 'unknown'
        ? before
        : reconciledRecord(before, event.answer === 'applied', event.result, event.at)
    default:
      return known
  }
}

/** An attempt, and its end, replace what a person was asked about the attempt before. */
function withoutOutcome({ type }: CallRow, known: Known): Known {
  if (known?.notApplied === undefined) return known
  const { notApplied: _, ...rest } = known
  return type === 'tool.called' || type === 'tool.failed' ? rest : known
}

/** The record after a person has said whether the call took effect. The own answer of a child stands: it has ended. */
function afterAnswer(of: CallRecord, applied: boolean, event: Stamped<EventOf<'resume'>>) {
  const { output, at } = event
  const result = output ?? null
  const answer = of.state.kind === 'answered' ? of.state.answer : undefined
  if (!answer || !('outcome' in answer))
    return applied && output === undefined
      ? withAnswer(of, { ok: true, value: null, confirmed: true })
      : reconciledRecord(of, applied, result, at)
  const hasResult = answer.outcome === 'success' && output === undefined
  return applied && !hasResult ? withAnswer(of, { outcome: 'success', reason: 'goal', result }) : of
}

/** The record after it is known whether the call took effect. */
export function reconciledRecord(
  of: CallRecord,
  applied: boolean,
  value: Json,
  at: number,
): CallRecord {
  return applied
    ? withAnswer(of, { ok: true, value })
    : { ...of, doubt: false, state: { kind: 'failed', until: at } }
}

function withAnswer(before: CallRecord, answer: RecordedAnswer): CallRecord {
  const { edited } = before
  return { ...before, state: { kind: 'answered', answer: edited ? { ...answer, edited } : answer } }
}

export function modelAnswer(event: Extract<CallEvent, { type: 'model.done' }>): ModelAnswer {
  const { call, text, reasoning, calls, usage } = event
  return { call, text, calls, usage, ...defined({ reasoning }) }
}

export function childAnswer(event: Extract<ChildEvent, { type: 'child.done' }>): ChildAnswer {
  const { outcome, reason, because, result, cut, thread } = event
  return { outcome, reason, result, thread, ...defined({ because, cut }) }
}

export function rejectionAnswer(failure: Failure): ChildAnswer {
  const because = failureReason(failure)
  return { outcome: 'error', reason: failure.message, because, result: null }
}
