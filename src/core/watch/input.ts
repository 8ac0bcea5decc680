/** What the watchdog is given with an event. */
import type { FailureClass } from './failure/failure.ts'
import type { Finding } from './event/finding.ts'
import type { EscapeRoutes } from './escape/rungs.ts'
import type { WatchParts } from './parts.ts'
import type { Reason } from './reason/reason.ts'

/** What the machine made of the event, as far as the watchdog must know. Optional where there is no machine. */
export interface WatchInput {
  readonly seq: number
  readonly region: string
  /** States entered by this event. */
  readonly entered: readonly {
    readonly state: string
    readonly region: string
    readonly hash: string
    readonly phase: boolean
  }[]
  /** An outcome that no edge takes. */
  readonly unhandled?: {
    readonly outcome: string
    readonly state: string
    readonly class: FailureClass
    readonly reason: Reason
    readonly as?: string
  }
  /** The value of the declared progress, `null` where nothing could have changed it; absent where none is declared. */
  readonly progress?: number | null
  /** Findings that a person has just dismissed. */
  readonly dismissed?: readonly Finding[]
  /** The event counts as a step: a node is about to work for the first time since its state was entered, or a wait or a question of its own is over. */
  readonly begins: boolean
  /** Before this event the thread was waiting for people only. */
  readonly waiting: boolean
  /** With this event the machine has come to an end of its own: there is nothing left to escape from. */
  readonly over?: boolean
  readonly ways: EscapeRoutes
  /** What is looked with and chosen by; absent: what ships. */
  readonly parts?: WatchParts
}
