/** Events of the graphs that run as child threads, in the journal of their parent. */
import type { Reason } from '../reason/reason.ts'
import type { EventsIn, OfCall, OfEffect, Spent } from './call-event.ts'
import type { Failure } from '../failure/failure.ts'
import type { Digest, Json } from '../data/json.ts'

/** An item of a map, counted from 0. */
export type Item = Readonly<{ index: number; of: number }>

/** A graph that runs as a child thread. `subject` is its name in the spec, `key` the identity of graph and input. */
type OfChild = OfCall & Readonly<{ thread: string; item?: Item }>

/** How a thread ends. */
export type ChildOutcome = 'success' | 'failure' | 'stopped' | 'cancelled' | 'error'

export type ChildEvent = EventsIn<{
  /** `reserved`: the part of the remaining budget that the child may spend. */
  'child.started': OfChild & { readonly reserved: Partial<Spent> }
  /**
   * `result` is `null` if it is too long. Then `cut` is its length in characters, and the child's journal holds it. `effects`:
   * whether the child wrote to an external system. `quoted`: the longest texts of its input that stand in the result.
   * `unresolved`: the tools of the writes whose outcome the child does not know, as a text: `pay and ship (2 calls)`.
   */
  'child.done': OfChild & {
    readonly outcome: ChildOutcome
    readonly reason: string
    readonly because?: Reason
    readonly result: Json
    readonly cut?: number
    readonly spent: Spent
    readonly digest: Digest
    readonly effects: 'read' | 'write'
    readonly quoted?: readonly string[]
    readonly unresolved?: string
  }
  /** The child did not start: its input is invalid, its graph is recursive or nested too deeply, or this fork disables its writes. */
  'child.refused': OfCall & {
    readonly why: 'input' | 'recursion' | 'depth' | 'fork' | 'restricted'
    readonly failure: Failure
    readonly way: readonly string[]
    readonly item?: Item
  }
  /** All remaining work is in children that wait for people. */
  'child.waiting': OfEffect & { readonly children: readonly ChildLink[] }
}>

export type ChildLink = Readonly<{ call: string; thread: string }>
