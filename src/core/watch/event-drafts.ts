/** Findings that an event brings itself: no detector has to look for them. */
import type { PeerSummary } from './event/peer-summary.ts'
import type { Stamped } from './event/event.ts'
import type { FindingDraft, FindingKind } from './event/finding.ts'
import type { WatchInput } from './input.ts'
import type { Scopes } from './policy/policy.ts'
import { excerptOf } from './reason/reason.ts'
import { recursion } from './recursion.ts'
import type { PlacedDraft } from './regions.ts'

const NONE: readonly PlacedDraft[] = []

export function eventDrafts(
  event: Stamped,
  { region, seq, unhandled }: WatchInput,
  scopes: Scopes | undefined,
): readonly PlacedDraft[] {
  const own = ownDraft(event, seq, scopes)
  if (!own && !unhandled) return NONE
  return [
    ...(own ? [{ region: own.kind === 'scope' ? '' : region, draft: own }] : NONE),
    ...(unhandled ? [{ region, draft: unhandledDraft(unhandled, seq) }] : NONE),
  ]
}

function ownDraft(
  event: Stamped,
  seq: number,
  scopes: Scopes | undefined,
): FindingDraft | undefined {
  switch (event.type) {
    case 'tool.done':
      return event.stuck === undefined ? undefined : stuckDraft(event.subject, event.stuck, seq)
    case 'child.refused':
      return event.why === 'recursion' || event.why === 'depth' ? recursion(event, seq) : undefined
    case 'scope.noted':
      return event.held && scopes?.[event.scope] ? heldDraft(event, event.held, seq) : undefined
    default:
      return undefined
  }
}

/** What all findings of a single event have in common. */
function single(seq: number) {
  return { period: 1, repeats: 1, onset: seq, events: [seq] }
}

/** The agent says itself that it is stuck: believed like any detector. */
function stuckDraft(subject: string, stuck: string, seq: number): FindingDraft {
  return {
    kind: 'stall',
    detector: 'report',
    id: `report ${subject}`,
    members: [subject],
    ...single(seq),
    reason: { code: 'agent-stuck', params: { text: excerptOf(stuck) } },
  }
}

/** Another thread of the scope asks a person about it: this one does not begin. */
function heldDraft(
  { scope, key }: PeerSummary,
  held: NonNullable<PeerSummary['held']>,
  seq: number,
): FindingDraft {
  return {
    kind: 'scope',
    detector: 'held',
    id: `scope ${scope}`,
    members: [scope],
    ...single(seq),
    reason: {
      code: 'scope-held',
      params: { scope, key, thread: held.thread, effect: held.effect },
      cause: held.reason,
    },
    scope,
  }
}

const CIRCUIT = 'breaker.open'

/** An outcome that no edge takes. */
function unhandledDraft(
  unhandled: NonNullable<WatchInput['unhandled']>,
  seq: number,
): FindingDraft {
  const { outcome, state, class: failureClass, reason, as = failureClass } = unhandled
  const kind: FindingKind = outcome === CIRCUIT ? 'circuit' : 'failure'
  return {
    kind,
    detector: as,
    id: `${kind} ${state} ${outcome}`,
    members: [state],
    ...single(seq),
    reason,
    class: failureClass,
  }
}
