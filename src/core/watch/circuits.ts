/** The open breakers that a thread has met. Derived from its own events so that a replay has the same knowledge. */
import type { ResourceKind } from './event/call-event.ts'
import type { Stamped } from './event/event.ts'

interface OpenCircuit {
  readonly openedAt: number
  /** 0 if another thread opened it. */
  readonly failures: number
  readonly retryAt: number
}

/** Keyed by dependency. An expired entry remains until a probe closes the breaker. */
export type Circuits = Readonly<Record<string, OpenCircuit>>

export function circuitsAfter(circuits: Circuits, event: Stamped): Circuits {
  switch (event.type) {
    case 'circuit.opened': {
      const { kind, subject, at: openedAt, failures, retryAt } = event
      return { ...circuits, [dependencyOf(kind, subject)]: { openedAt, failures, retryAt } }
    }
    case 'circuit.refused':
    case 'call.substituted': {
      const { kind, subject, at: openedAt, retryAt } = event
      const dependency = dependencyOf(kind, subject)
      const known = circuits[dependency]
      return { ...circuits, [dependency]: { openedAt, failures: 0, ...known, retryAt } }
    }
    case 'circuit.closed': {
      const { [dependencyOf(event.kind, event.subject)]: _, ...rest } = circuits
      return rest
    }
    default:
      return circuits
  }
}

/** When a dependency may be tried again, if its breaker is known to be open at `at`. */
export function openUntil(circuits: Circuits, dependency: string, at: number): number | undefined {
  const { retryAt = 0 } = circuits[dependency] ?? {}
  return at < retryAt ? retryAt : undefined
}

/** The key of a tool or model: `tool:search`, `model:fast`. */
export function dependencyOf(kind: ResourceKind, subject: string): string {
  return `${kind}:${subject}`
}
