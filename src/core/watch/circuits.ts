/** What a thread knows of breakers that are open: from what it met itself, so that a replay knows the same. */

import type { Stamped } from './event/event.ts'
import type { ResourceKind } from './event/call-event.ts'

export interface OpenCircuit {
  readonly openedAt: number
  /** 0 where others have opened it. */
  readonly failures: number
  /** When the next probe is due, in ms. */
  readonly retryAt: number
}

/** By dependency. One whose time is over stays until a probe has closed it. */
export type Circuits = Readonly<Record<string, OpenCircuit>>

export function circuitsAfter(circuits: Circuits, event: Stamped): Circuits {
  switch (event.type) {
    case 'circuit.opened':
      return {
        ...circuits,
        [dependencyOf(event.kind, event.subject)]: {
          openedAt: event.at,
          failures: event.failures,
          retryAt: event.retryAt,
        },
      }
    case 'circuit.refused':
    case 'call.substituted': {
      const dependency = dependencyOf(event.kind, event.subject)
      return {
        ...circuits,
        [dependency]: {
          openedAt: event.at,
          failures: 0,
          ...circuits[dependency],
          retryAt: event.retryAt,
        },
      }
    }
    case 'circuit.closed': {
      const { [dependencyOf(event.kind, event.subject)]: _, ...rest } = circuits
      return rest
    }
    default:
      return circuits
  }
}

/** When a dependency may be tried again, if it is known to be out of order at `at`. */
export function openUntil(circuits: Circuits, dependency: string, at: number): number | undefined {
  const { retryAt = 0 } = circuits[dependency] ?? {}
  return at < retryAt ? retryAt : undefined
}

/** What a thread depends on, as it keeps book of it: `tool:search`, `model:fast`. */
export function dependencyOf(kind: ResourceKind, subject: string): string {
  return `${kind}:${subject}`
}
