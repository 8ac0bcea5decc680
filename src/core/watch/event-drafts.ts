/** Findings that follow from a single event, without a detector. */
import type { FindingDraft, FindingKind, PeerSummary } from './event/event.ts'
import { type Stamped, type EventOf, type AgentEvent, findingDraft } from './event/event.ts'
import { failureReason } from './failure/failure.ts'
import { type Observation, foundNothing } from './normalize/observed.ts'
import { type Code, type Reason, excerptOf } from './reason/reason.ts'
import { degenerateDraft, findRepeatedChunk } from './detect/degenerate-output.ts'
import type { PlacedDraft, WatchInput } from './regions.ts'
import type { DetectPolicy, Scopes } from './policy/policy.ts'

export function addEventDrafts(
  drafts: PlacedDraft[],
  event: Stamped,
  { region, seq, unhandled }: WatchInput,
  scopes: Scopes | undefined,
): void {
  const draft = draftOf(event, seq, scopes)
  if (draft) drafts.push({ region: draft.kind === 'scope' ? '' : region, draft })
  if (unhandled) drafts.push({ region, draft: unhandledDraft(unhandled, seq) })
}

function draftOf(event: Stamped, seq: number, scopes: Scopes = {}): FindingDraft | undefined {
  switch (event.type) {
    case 'tool.done':
      return event.stuck === undefined ? undefined : stuckDraft(event.subject, event.stuck, seq)
    case 'child.refused':
      return event.why === 'recursion' || event.why === 'depth' ? recursion(event, seq) : undefined
    case 'scope.noted':
      return event.held && scopes[event.scope] ? heldDraft(event, event.held, seq) : undefined
    case 'deadlock.found':
      return deadlockDraft(event, seq)
    default:
      return undefined
  }
}

/** A whole answer that repeats itself. */
export function degenerateAnswer(text: string, by: string, seq: number, policy: DetectPolicy) {
  const { degenerateOutput: options } = policy
  const chunk = options === false ? undefined : findRepeatedChunk(text, options)
  return chunk && degenerateDraft(chunk, by, seq)
}

/** The agent reports that it is stuck. The report counts like a detector. */
function stuckDraft(subject: string, stuck: string, seq: number): FindingDraft {
  const reason = { code: 'agent-stuck', params: { text: excerptOf(stuck) } } as const
  return findingDraft('stall', 'report', { members: [subject], events: [seq], reason })
}

type Held = NonNullable<PeerSummary['held']>

/** Another thread of the scope asks a person, so this one does not start. */
function heldDraft({ scope, key }: PeerSummary, held: Held, seq: number): FindingDraft {
  const { thread, effect, reason } = held
  const params = { scope, key, thread, effect }
  const because = { code: 'scope-held', params, cause: reason } as const
  const seen = { id: `scope ${scope}`, members: [scope], events: [seq], scope }
  return findingDraft('scope', 'held', { ...seen, reason: because })
}

/**
 * Threads that wait for each other.
 *
 * Intuition: none of them can continue before another one does.
 * Hard case: a wait may end while the others are read. The cycle is read twice, and only waits that are in both readings count.
 * Rejected: the timeout of the call as the only way out. It ends all waits of the cycle, also those that could continue.
 */
function deadlockDraft({ threads, since }: EventOf<'deadlock.found'>, seq: number): FindingDraft {
  const params = { threads: [...threads, ...threads.slice(0, 1)] }
  const seen = { members: threads, period: threads.length, onset: since, events: [since, seq] }
  return findingDraft('deadlock', 'waits', { ...seen, reason: { code: 'deadlock', params } })
}

/** An outcome without a matching edge. */
function unhandledDraft(of: NonNullable<WatchInput['unhandled']>, seq: number): FindingDraft {
  const { outcome, state, class: failureClass, reason, as } = of
  const kind = outcome === 'breaker.open' ? 'circuit' : 'failure'
  const seen = { id: `${kind} ${state} ${outcome}`, members: [state], events: [seq], reason }
  return findingDraft(kind, as ?? failureClass, { ...seen, class: failureClass })
}

/**
 * A graph that would start inside itself.
 *
 * Intuition: a graph that receives the same input while it still works on that input can only ask again.
 * Hard case: with other input, each level may come closer to the goal.
 * Rejected: any graph inside itself as a loop. A depth limit bounds such graphs instead.
 */
function recursion(event: EventOf<'child.refused'>, seq: number): FindingDraft {
  const { why, way, subject, key, failure } = event
  const members = way.length > 0 ? way : [subject]
  const id = why === 'depth' ? 'recursion depth' : `recursion ${key}`
  const cycle = { id, members, period: members.length, repeats: 2, events: [seq] }
  return findingDraft('loop', 'recursion', { ...cycle, reason: failureReason(failure) })
}

export interface Failing {
  readonly call: string
  /** The number of failed attempts since the last success. A refused call was not attempted. */
  readonly times: number
  /** The seq of the latest failure, and its reason. */
  readonly seq: number
  readonly reason: Reason
  readonly past?: true
  /** The latest failed call of the tool or model, and its attempts so far. */
  readonly of?: string
  readonly attempt?: number
}

/** The reasons of calls that the runtime refused: the tool or model was not called. */
const REFUSED: ReadonlySet<Code> = new Set(['circuit-open', 'retries-spent', 'concurrency-limit'])

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
    const isMade = !REFUSED.has(reason.code)
    const counted = same && before.of === event.call ? (before.attempt ?? 0) : 0
    const attempt = Math.max(counted, 'attempt' in event ? event.attempt : isMade ? 1 : 0)
    const times = (same ? before.times : 0) + (isMade ? attempt - counted : 0)
    // The failures that led to a refusal explain more than the refusal.
    const why = same && !isMade ? before.reason : reason
    return { call: subject, times, seq, reason: why, of: event.call, attempt }
  }
  if (!before || (event.type !== 'model.done' && observation?.kind !== 'answered')) return before
  if (before.call === subject) return undefined
  return before.past || event.type === 'model.done' ? before : { ...before, past: true }
}

function reasonOf(event: AgentEvent, observation: Observation | undefined): Reason | undefined {
  if (event.type === 'model.failed' || event.type === 'tool.failed')
    return 'compensates' in event ? undefined : failureReason(event.failure)
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
  // A decision of a person spends no budget.
  if (kind === 'budget' && cause.code === 'call-rejected') return reason
  return { ...reason, cause: { code: 'call-failed', params: { call, times }, cause } }
}
