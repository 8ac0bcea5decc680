/** Events with which people control a thread: pauses, steps, escapes, dismissals, injected faults and migrations. */
import type { FailureClass } from '../failure/failure.ts'
import type { Json } from '../data/json.ts'
import type { EventsIn } from './call-event.ts'

/** The driver that took the event. */
export type Driven = { readonly epoch?: number }
/** The command behind the event. */
export type Commanded = Driven & { readonly command?: string }

/** The rungs that a person may choose. */
export const CHOSEN_RUNGS = ['rethink', 'alternative', 'rollback', 'restrict'] as const
export type ChosenRung = (typeof CHOSEN_RUNGS)[number]

/**
 * A dismissed repetition: the id of the finding, the signatures of its calls, and its states. `detector` and `members` raise the
 * threshold of the detector for these tools or states; dismissals of earlier versions lack them.
 */
export interface Dismissed {
  readonly detector?: string
  readonly members?: readonly string[]
  readonly id: string
  readonly signs: readonly string[]
  readonly states: readonly string[]
}

/** What the next attempts of a tool or model meet. The external system is not called. */
export type Injection = InjectedFault | InjectedAnswer

interface Injected {
  readonly kind: 'tool' | 'model'
  /** The name of the tool or model in the graph. */
  readonly name: string
  /** The number of attempts. */
  readonly times: number
}

interface InjectedFault extends Injected {
  readonly class: FailureClass
  readonly message: string
  readonly result?: undefined
}

/** `result`: the result of a tool. For a model: a text, or `{ text, reasoning, calls }`. */
interface InjectedAnswer extends Injected {
  readonly result: Json
  readonly class?: undefined
  readonly message?: undefined
}

/** A row that made the condition of a breakpoint true. */
export type MetCondition = Readonly<{ when: string; seq: number }>

type Inherited = { readonly inherited?: number }

export type ControlEvent = EventsIn<{
  /**
   * No node starts until `continue`. `before`: the effect whose node has a breakpoint. `met`: the condition of a breakpoint.
   * `inherited`: the thread pauses with its parent, which is paused since this event of its own.
   */
  pause: Commanded &
    Inherited & {
      readonly reason?: string
      readonly before?: string
      readonly met?: MetCondition
    }
  continue: Commanded
  /**
   * The nodes that can start now run, and the thread pauses after them. With `until`, it runs on, and pauses before the next node of
   * one of these states. `inherited`: the event with which its parent has stepped.
   */
  step: Commanded & Inherited & { readonly until?: readonly string[] }
  /** Takes a route out of the current state, or answers the open review with it. */
  escape: Commanded & {
    readonly rung: ChosenRung
    readonly to?: string
    readonly note?: string
  }
  stop: Commanded & { readonly reason: string }
  /** The finding is not a loop. The detectors ignore it from now on. */
  dismiss: Commanded & { readonly finding: Dismissed }
  /** The next attempts of a tool or model fail, or have this result. */
  inject: Commanded & Injection
}>

/** A version of a graph, as the first event of a thread records it. */
export interface GraphVersion {
  /** The identity of the spec, or the hash of the chart of a machine in code. */
  readonly specHash: string
  /** The hash of the stored source: the spec, and the paths of its files and workspace. */
  readonly source?: string
  /** The versions that folded these events: `{ escapement, detectors, machine }`. */
  readonly versions: Readonly<Record<string, string>>
}

/** The version that a thread runs since its last migration. `left`: the versions before, oldest first. */
export type MigratedVersion = GraphVersion & { readonly left: readonly GraphVersion[] }

export type MigrationEvent = EventsIn<{
  /** The thread continues in `node` of this version of its graph, with these channels. */
  migrated: Commanded &
    MigratedVersion & {
      readonly node: string
      readonly channels: Readonly<Record<string, Json>>
    }
}>
