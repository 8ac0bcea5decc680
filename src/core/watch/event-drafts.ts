/** Findings that follow from a single event, without a detector. */
import { degenerateDraft, findRepeatedChunk } from './detect/degenerate-output.ts'
import type { EventOf, Stamped } from './event/event.ts'
import { findingDraft, type FindingDraft } from './event/finding.ts'
import type { PeerSummary } from './event/peer-summary.ts'
import { failureReason } from './failure/failure.ts'
import type { WatchInput } from './input.ts'
import type { DetectPolicy, Scopes } from './policy/policy.ts'
import { excerptOf } from './reason/reason.ts'
import type { PlacedDraft } from './regions.ts'

const NONE: readonly PlacedDraft[] = []

export function eventDrafts(event: Stamped, input: WatchInput, scopes: Scopes | undefined) {
  const { region, seq, unhandled } = input
  const draft = draftOf(event, seq, scopes)
  if (!draft && !unhandled) return NONE
  return [
    ...(draft ? [{ region: draft.kind === 'scope' ? '' : region, draft }] : NONE),
    ...(unhandled ? [{ region, draft: unhandledDraft(unhandled, seq) }] : NONE),
  ]
}

function draftOf(event: Stamped, seq: number, scopes: Scopes = {}): FindingDraft | undefined {
  switch (event.type) {
    case 'tool.done':
      return event.stuck === undefined ? undefined : stuckDraft(event.subject, event.stuck, seq)
    case 'child.refused':
      return event.why === 'recursion' || event.why === 'depth' ? recursion(event, seq) : undefined
    case 'scope.noted':
      return event.held && scopes[event.scope] ? heldDraft(event, event.held, seq) : undefined
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
  const seen = { id: `scope ${scope}`, members: [scope], events: [seq] }
  return findingDraft('scope', 'held', { ...seen, reason: because, scope })
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
  const cycle = { id, members, period: members.length, repeats: 2 }
  return findingDraft('loop', 'recursion', {
    ...cycle,
    events: [seq],
    reason: failureReason(failure),
  })
}
