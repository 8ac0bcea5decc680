/** What detectors are shown of an event. */
import type { Sighting } from './detector.ts'
import type { AgentEvent, Stamped } from './event.ts'
import { errorKey } from './signature.ts'

export function sightingOf(event: Stamped, seq: number): Sighting | undefined {
  switch (event.type) {
    case 'tool.done':
      // What is undone on the way back is no work of the agent.
      if (event.compensates !== undefined) return undefined
      return {
        kind: 'answered',
        seq,
        at: event.at,
        subject: event.subject,
        key: event.key,
        outcome: event.digest.hash,
        ok: true,
        ...(event.effects === 'write' ? { wrote: true as const } : {}),
      }
    case 'circuit.refused':
      return failedCall(event, seq)
    // The items of a map are told apart by their places, not by what they are: none is asked twice.
    case 'child.done':
      return event.item ? undefined : answeredChild(event, seq)
    case 'child.refused':
      return event.item ? undefined : failedCall(event, seq)
    case 'tool.failed':
      // An indeterminate call is not answered until it has been reconciled.
      return event.final && event.failure.class !== 'indeterminate' && event.compensates === undefined ? failedCall(event, seq) : undefined
    case 'model.done':
      return { kind: 'said', seq, at: event.at, subject: event.subject, hash: event.digest.hash, command: event.calls.length > 0 || !event.commandExpected }
    default:
      return undefined
  }
}

function failedCall(event: Stamped<Extract<AgentEvent, { type: 'circuit.refused' } | { type: 'tool.failed' } | { type: 'child.refused' }>>, seq: number): Sighting {
  const { failure, subject, key, at } = event
  return { kind: 'answered', seq, at, subject, key, outcome: errorKey(failure), ok: false, class: failure.class, message: failure.message.slice(0, 160) }
}

function answeredChild(event: Stamped<Extract<AgentEvent, { type: 'child.done' }>>, seq: number): Sighting {
  const { subject, key, at, outcome, reason } = event
  const of = { kind: 'answered', seq, at, subject, key } as const
  if (outcome === 'success') return { ...of, outcome: event.digest.hash, ok: true, ...(event.effects === 'write' ? { wrote: true as const } : {}) }
  const message = `${outcome}: ${reason}`
  return { ...of, outcome: errorKey({ name: outcome, message }), ok: false, class: outcome === 'failure' ? 'business' : 'persistent', message: message.slice(0, 160) }
}
