/** Events with which people control a thread: pauses, steps, escapes, dismissals and injected faults. */
import type { FailureClass } from '../failure/failure.ts'
import type { EventsIn } from './call-event.ts'

/** The driver that took the event. */
export type Driven = { readonly epoch?: number }
/** The command behind the event. */
export type Commanded = Driven & { readonly command?: string }

/** The rungs that a person may choose. */
export const CHOSEN_RUNGS = ['rethink', 'alternative', 'rollback'] as const
export type ChosenRung = (typeof CHOSEN_RUNGS)[number]

/** A dismissed repetition: the id of the finding, the signatures of its calls, and its states. */
export interface Dismissed {
  readonly id: string
  readonly signs: readonly string[]
  readonly states: readonly string[]
}

type Inherited = { readonly inherited?: number }

export type ControlEvent = EventsIn<{
  /**
   * No node starts until `continue`. `before`: the effect whose node has a breakpoint. `inherited`: the thread pauses with its parent,
   * which is paused since this event of its own.
   */
  pause: Commanded & Inherited & { readonly reason?: string; readonly before?: string }
  continue: Commanded
  /** The nodes that can start now run, and the thread pauses after them. `inherited`: the event with which its parent has stepped. */
  step: Commanded & Inherited
  /** Takes a route out of the current state, or answers the open review with it. */
  escape: Commanded & {
    readonly rung: ChosenRung
    readonly to?: string
    readonly note?: string
  }
  stop: Commanded & { readonly reason: string }
  /** The finding is not a loop. The detectors ignore it from now on. */
  dismiss: Commanded & { readonly finding: Dismissed }
  /** The next attempts of a tool or model fail. */
  inject: Commanded & {
    readonly kind: 'tool' | 'model'
    /** The name of the tool or model in the graph. */
    readonly name: string
    readonly class: FailureClass
    readonly message: string
    readonly times: number
  }
}>
