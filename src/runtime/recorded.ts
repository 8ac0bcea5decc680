/** What the journal already holds of an effect that is performed again: its calls are answered from here, in order. */
import type { Row } from '../core/run.ts'
import type { CallEvent, CircuitEvent, Stamped } from '../core/watch/event.ts'
import type { Failure } from '../core/watch/failure.ts'
import type { Json } from '../core/watch/json.ts'
import type { Answer, ModelAnswer } from './ports.ts'

export interface Recorded {
  readonly subject: string
  readonly key: string
  /** The latest attempt. */
  readonly attempt: number
  readonly state: /** Answered, for good. */
    | { readonly kind: 'answered'; readonly answer: Answer<Json | ModelAnswer> }
    /** On its way when the process died: nobody knows what became of it. */
    | { readonly kind: 'open' }
    /** The attempt failed, and another is due, not before `until`. */
    | { readonly kind: 'failed'; readonly until: number }
}

export interface Records {
  readonly calls: ReadonlyMap<string, Recorded>
  readonly reports: ReadonlySet<string>
}

export const NO_RECORDS: Records = { calls: new Map(), reports: new Set() }

export function recordsOf(rows: readonly Row[], effect: string): Records {
  const calls = new Map<string, Recorded>()
  const reports = new Set<string>()
  for (const { event } of rows) {
    if (event.type === 'resume') {
      const call = event.effect.endsWith('?') ? event.effect.slice(0, -1) : undefined
      const before = call === undefined ? undefined : calls.get(call)
      if (call !== undefined && before) calls.set(call, reconciled(before, event.decision === 'applied', event.output ?? null, event.at))
    } else if ('call' in event && event.effect === effect) {
      if (event.type === 'reported') reports.add(event.call)
      else noteCall(calls, event)
    }
  }
  return { calls, reports }
}

type OfCall = Extract<Stamped<CallEvent | CircuitEvent>, { call: string }>

function noteCall(calls: Map<string, Recorded>, event: OfCall): void {
  const { call, subject, key } = event
  const before = calls.get(call) ?? { subject, key, attempt: 0, state: { kind: 'failed', until: 0 } as const }
  const next = afterEvent(before, event)
  if (next) calls.set(call, next)
}

function afterEvent(before: Recorded, event: OfCall): Recorded | undefined {
  switch (event.type) {
    case 'tool.called':
    case 'model.called':
      return { ...before, attempt: event.attempt, state: { kind: 'open' } }
    case 'tool.done':
      return answered(before, { ok: true, value: event.result })
    case 'model.done':
      return answered(before, { ok: true, value: modelAnswer(event) })
    case 'tool.failed':
    case 'model.failed':
      // An indeterminate call waits for its answer; that comes as a resume or a reconciliation.
      if (event.failure.class === 'indeterminate') return { ...before, state: { kind: 'open' } }
      return event.final ? failedWith(before, event.failure) : { ...before, state: { kind: 'failed', until: event.at } }
    case 'call.waiting':
      return { ...before, state: { kind: 'failed', until: event.until } }
    case 'circuit.refused':
      return failedWith(before, event.failure)
    case 'call.late':
      // Whoever has said before that it was applied has been believed.
      return event.ok && before.state.kind !== 'answered' ? answered(before, { ok: true, value: event.result }) : before
    case 'call.reconciled':
      return event.answer === 'unknown' ? before : reconciled(before, event.answer === 'applied', event.result, event.at)
    default:
      return undefined
  }
}

function reconciled(before: Recorded, applied: boolean, result: Json, at: number): Recorded {
  return applied ? answered(before, { ok: true, value: result }) : { ...before, state: { kind: 'failed', until: at } }
}

function answered(before: Recorded, answer: Answer<Json | ModelAnswer>): Recorded {
  return { ...before, state: { kind: 'answered', answer } }
}

function failedWith(before: Recorded, failure: Failure): Recorded {
  return answered(before, { ok: false, failure })
}

export function modelAnswer({ call, text, reasoning, calls, usage }: Extract<CallEvent, { type: 'model.done' }>): ModelAnswer {
  return { call, text, calls, usage, ...(reasoning === undefined ? {} : { reasoning }) }
}
