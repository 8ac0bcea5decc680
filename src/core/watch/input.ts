/** What the watchdog receives with an event. */
import type { EscapeRoutes } from './escape/rungs.ts'
import type { Finding } from './event/finding.ts'
import type { FailureClass } from './failure/failure.ts'
import type { WatchParts } from './parts.ts'
import type { Reason } from './reason/reason.ts'

/** The parts of a step that the watchdog needs. Optional fields are absent for agents without a machine. */
export interface WatchInput {
  readonly seq: number
  readonly region: string
  readonly entered: readonly {
    readonly state: string
    readonly region: string
    readonly hash: string
    readonly phase: boolean
  }[]
  readonly unhandled?: {
    readonly outcome: string
    readonly state: string
    readonly class: FailureClass
    readonly reason: Reason
    readonly as?: string
  }
  /** The value of the declared progress; `null` if nothing could have changed it; absent if none is declared. */
  readonly progress?: number | null
  readonly dismissed?: readonly Finding[]
  /** The event counts as a step: the first work of a node in its state, or the end of a wait or question. */
  readonly begins: boolean
  /** Before this event the thread was waiting only for people. */
  readonly waiting: boolean
  /** This event ends the machine, so an escape is unnecessary. */
  readonly over?: boolean
  /** Model answers cannot be aborted while they stream, so degenerate output is checked in whole answers. */
  readonly wholeAnswers?: boolean
  readonly ways: EscapeRoutes
  /** Detectors, rungs and classifier. Default: the built-in ones. */
  readonly parts?: WatchParts
}
