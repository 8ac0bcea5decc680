/** One call at a target, as faults see it, and the record of what was injected. */
import type { Effect } from '../scenario/effect.ts'
import type { TargetKind } from '../scenario/fault.ts'
import type { Occasion } from '../process/occurrence.ts'

export interface TargetCall extends Occasion {
  readonly kind: TargetKind
  /** The tool or the model. Empty for people and commits. */
  readonly name: string
  readonly effects?: 'read' | 'write' | undefined
  readonly attempt: number
  readonly node: string
  /** The number of the entry of the node, from 1. */
  readonly visit: number
}

/** An effect to apply to a call, and the fault that it belongs to. */
export type Hit = Readonly<{ fault: string; effect: Effect }>

/** Chooses the effects on a call. */
export type Decide = (call: TargetCall) => readonly Hit[]

/** One injected effect. `at` is in ms since the start. */
export interface TapeEntry {
  readonly at: number
  /** `tool:search` */
  readonly target: string
  /** The number of the call of the target, from 1. */
  readonly index: number
  readonly node: string
  readonly fault: string
  readonly effect: Effect
}

/** A call at a target, as tapes name it. */
export type CallName = Pick<TapeEntry, 'target' | 'index'>

/** Everything that was injected into a run, in order. */
export type Tape = readonly TapeEntry[]

export const targetOf = ({ kind, name }: Pick<TargetCall, 'kind' | 'name'>): string =>
  name === '' ? kind : `${kind}:${name}`

/** What an effect needs: a keyed random number, and virtual time. */
export interface Effects {
  readonly hits: readonly Hit[]
  readonly index: number
  /** In ms since the start. */
  readonly now: () => number
  readonly chance: (purpose: string) => number
}
