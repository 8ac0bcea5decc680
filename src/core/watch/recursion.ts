import type { AgentEvent } from './event/event.ts'
import { failureReason } from './failure/failure.ts'
import type { FindingDraft } from './event/finding.ts'

/**
 * A graph that would be started inside itself.
 *
 * Intuition: two officials who send a citizen to one another, each waiting for the other's paper. The same graph asked the
 * same thing while it is still at work on it can only ask again. With other input it may get nearer to its end at each
 * depth, so that alone is no loop: how deep it may go is a limit.
 */
export function recursion(
  { why, way, subject, key, failure }: Extract<AgentEvent, { type: 'child.refused' }>,
  seq: number,
): FindingDraft {
  const members = way.length > 0 ? way : [subject]
  return {
    kind: 'loop',
    detector: 'recursion',
    id: why === 'depth' ? 'recursion depth' : `recursion ${key}`,
    members,
    period: members.length,
    repeats: 2,
    onset: seq,
    events: [seq],
    reason: failureReason(failure),
  }
}
