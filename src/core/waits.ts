/** Threads that wait for other threads: the waits of a run, and the cycles of waits in which no thread can continue. */
import { type Invoke, pendingEffect } from './run/effects.ts'
import { type Pair, roundTrip } from './graph/spec/cycle.ts'
import type { Run } from './run/run.ts'
import { defined } from './watch/data/json.ts'
import type { AgentEvent, EventOf } from './watch/event/event.ts'
import type { ThreadWait } from './watch/event/wait-event.ts'

/** The waits that a store keeps of a thread. */
const WAITS_MAX = 64

/** What a run waits for: the threads of its open calls, and its children. */
export function waitsOf({ pending, watch }: Run): readonly ThreadWait[] {
  const calls = pending.flatMap(effect => (effect.type === 'invoke' && effect.waits) || [])
  const children = Object.entries(watch.account.reserved).flatMap(([call, child]) =>
    pendingEffect(pending, child.effect) ? [{ call, thread: child.thread, since: child.seq }] : [],
  )
  return [...calls, ...children].slice(0, WAITS_MAX)
}

/** Whether the call of a deadlock still waits. */
export const isWaiting = (run: Run, { call, since }: EventOf<'deadlock.found'>): boolean =>
  waitsOf(run).some(wait => wait.call === call && wait.since === since)

type OfCall = Extract<AgentEvent, { readonly call: string }>

/** The effect after an event of one of its calls: an attempt begins to wait, or its end ends the wait. */
export function withWait(effect: Invoke, event: OfCall, seq: number): Invoke {
  const thread = event.type === 'tool.called' ? event.waitsFor : undefined
  if (thread === undefined && !(effect.waits && ENDS_WAIT.has(event.type))) return effect
  const { waits = [], ...rest } = effect
  const { call } = event
  const others = waits.filter(wait => wait.call !== call)
  const next = thread === undefined ? others : [...others, { call, thread, since: seq }]
  return { ...rest, ...defined({ waits: next.length > 0 ? next : undefined }) }
}

/** A further attempt waits again, or a substitute that waits for nothing answers. */
const ENDS_WAIT: ReadonlySet<AgentEvent['type']> = new Set([
  ...(['tool.called', 'tool.done', 'tool.failed', 'call.late'] as const),
  ...(['circuit.refused', 'call.substituted', 'call.reconciled'] as const),
])

/** A thread as a store lists it. */
export interface StoredWaits {
  readonly thread: string
  readonly startedAt: number
  readonly waits?: readonly ThreadWait[]
}

/** The threads of a cycle: each waits for the next, and the last for the first, which is the youngest. */
export type Deadlock = readonly { readonly thread: string; readonly wait: ThreadWait }[]

/** A shortest cycle of waits through `thread`. */
export function deadlockOf(thread: string, threads: readonly StoredWaits[]): Deadlock | undefined {
  const byName = new Map(threads.map(of => [of.thread, of]))
  const [, ...path] = roundTrip(thread, pairsIn(threads))
  const members = path.flatMap(name => byName.get(name) ?? [])
  const [youngest] = members.toSorted(
    (a, b) => b.startedAt - a.startedAt || (a.thread < b.thread ? 1 : -1),
  )
  if (!youngest) return undefined
  const first = members.indexOf(youngest)
  const inOrder = [...members.slice(first), ...members.slice(0, first)]
  return inOrder.flatMap(({ thread, waits = [] }, index) => {
    const next = inOrder[(index + 1) % inOrder.length]?.thread
    const wait = waits.find(wait => wait.thread === next)
    return wait ? [{ thread, wait }] : []
  })
}

const pairsIn = (threads: readonly StoredWaits[]): readonly Pair[] =>
  threads.flatMap(({ thread, waits = [] }) => waits.map(wait => [thread, wait.thread] as const))
