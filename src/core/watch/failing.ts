/** The call that currently fails: the cause of most loops and of many exhausted budgets. */
import type { AgentEvent } from './event/event.ts'
import type { FindingDraft, FindingKind } from './event/finding.ts'
import { failureReason } from './failure/failure.ts'
import { foundNothing, type Observation } from './normalize/observed.ts'
import type { Reason } from './reason/reason.ts'

export interface Failing {
  readonly call: string
  /** The number of failures since the last success. */
  readonly times: number
  /** The seq of the latest failure, and its reason. */
  readonly seq: number
  readonly reason: Reason
  readonly past?: true
}

/** The failing call after an event. A success of the same call clears it. */
export function failingAfter(
  before: Failing | undefined,
  event: AgentEvent,
  observation: Observation | undefined,
  seq: number,
): Failing | undefined {
  if (!('subject' in event)) return before
  const { subject } = event
  const reason = reasonOf(event, observation)
  if (reason) {
    const same = before?.call === subject
    // The failures that opened a breaker explain more than the open breaker.
    const kept = same && event.type === 'circuit.refused' ? before.reason : reason
    return { call: subject, times: same ? before.times + 1 : 1, seq, reason: kept }
  }
  if (!before || (event.type !== 'model.done' && observation?.kind !== 'answered')) return before
  if (before.call === subject) return undefined
  return before.past || event.type === 'model.done' ? before : { ...before, past: true }
}

function reasonOf(event: AgentEvent, observation: Observation | undefined): Reason | undefined {
  if (event.type === 'model.failed' || event.type === 'tool.failed')
    return event.final && !('compensates' in event) ? failureReason(event.failure) : undefined
  if ('failure' in event) return failureReason(event.failure)
  return observation?.kind === 'answered' && observation.failed && !foundNothing(observation)
    ? { code: 'error', params: { message: observation.message ?? '' } }
    : undefined
}

const CAUSED: ReadonlySet<FindingKind> = new Set(['loop', 'stall', 'noToolCall', 'budget'])

/** The reason of a finding, with the failing call as its cause. */
export function causedReason(draft: FindingDraft, failing: Failing | undefined): Reason {
  const { kind, onset, reason } = draft
  // A finding about the failure itself needs no cause.
  if (!failing || !CAUSED.has(kind) || reason === failing.reason) return reason
  if (failing.past && failing.seq < onset) return reason
  const { call, times, reason: cause } = failing
  return { ...reason, cause: { code: 'call-failed', params: { call, times }, cause } }
}
