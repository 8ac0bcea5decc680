/** Control by people: pauses, single steps, breakpoints, and the faults and answers that calls meet on request. */
import type { Effect } from './effects.ts'
import type { EventOf, Injection, MetCondition, Stamped } from '../watch/event/event.ts'
import type { Failure } from '../watch/failure/failure.ts'
import { defined, hash, type Json } from '../watch/data/json.ts'

/** A paused thread starts no node. Nodes that run when it is paused end first. */
export interface Pause {
  /** The seq of the event. */
  readonly since: number
  readonly reason?: string
  /** The effect whose node has a breakpoint. */
  readonly before?: string
  /** The condition of a breakpoint, and the row that made it true. */
  readonly met?: MetCondition
  /** The thread pauses with its parent, which is paused since this event of its own. */
  readonly inherited?: number
}

/** The fields of a run that people control. */
export interface Controlled {
  /** Set while a person or a breakpoint pauses the thread. */
  readonly paused?: Pause
  /** The effects that may start although the thread is paused or their nodes have breakpoints. */
  readonly released?: readonly string[]
  /** The states before whose next node the thread pauses: a step runs up to them. */
  readonly until?: readonly string[]
  /** Faults and answers that a person has injected, oldest first. */
  readonly faults?: readonly Injection[]
}

/** A run, as far as control needs it. */
type Controllable = Controlled & { readonly pending: readonly Effect[] }

/** The rule of a failure that a person has injected. */
export const INJECTED = 'injected'

/** The run after an event that controls it. Returns the same run for all other events. */
export function controlAfter<R extends Controllable>(run: R, event: Stamped, seq: number): R {
  const changed = changesOf(run, event, seq)
  if (!changed) return run
  return { ...uncontrolled(run), ...changed }
}

function changesOf(run: Controllable, event: Stamped, seq: number): Controlled | undefined {
  const { paused, released, until, faults } = run
  const kept = faults && { faults }
  switch (event.type) {
    case 'pause': {
      const { reason, before, met, inherited } = event
      const of = defined({ reason, before, met, inherited })
      const working = run.pending.filter(each => 'starts' in each && each.starts > 0)
      return { ...kept, paused: { since: seq, ...of }, released: working.map(({ id }) => id) }
    }
    case 'continue':
      return { ...kept, released: startableIn(run) }
    case 'step': {
      const { inherited, until } = event
      if (until) return { ...kept, released: startableIn(run), until }
      return {
        ...kept,
        paused: { since: seq, ...defined({ inherited }) },
        released: startableIn(run),
      }
    }
    case 'inject': {
      return {
        ...pausesIn(run),
        faults: [...(faults ?? []), injectionOf(event)].slice(-FAULTS_MAX),
      }
    }
    case 'tool.failed':
    case 'model.failed':
    case 'tool.done':
    case 'model.done': {
      if (!faults || !isInjected(event)) return undefined
      const kind = event.type.startsWith('tool.') ? 'tool' : 'model'
      const left = withoutOne(faults, kind, event.subject)
      return { ...pausesIn({ paused, released, until }), ...(left.length > 0 && { faults: left }) }
    }
    default:
      return undefined
  }
}

const FAULTS_MAX = 16

type AttemptEnd = EventOf<'tool.failed' | 'model.failed' | 'tool.done' | 'model.done'>

/** Whether a person has injected the end of an attempt, in this thread and not in the parent of a fork. */
const isInjected = (event: AttemptEnd): boolean =>
  !event.recorded &&
  ('failure' in event ? event.failure.rule === INJECTED : event.injected === true)

function injectionOf(event: EventOf<'inject'>): Injection {
  const { kind, name, times } = event
  return event.result === undefined
    ? { kind, name, class: event.class, message: event.message, times }
    : { kind, name, result: event.result, times }
}

const pausesIn = ({ paused, released, until }: Undefinable<Controlled>): Controlled =>
  defined({ paused, released, until })

type Undefinable<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** The run without pauses and injected faults: the end of a round lifts them, and a fork does not take them. */
export function uncontrolled<R extends Controlled>(run: R): R {
  if (!run.paused && !run.released && !run.until && !run.faults) return run
  const { paused: _, released: __, until: ___, faults: ____, ...rest } = run
  return rest as R
}

/** The effects that may start although the thread is paused, or although their nodes have breakpoints. */
const startableIn = ({ pending }: Controllable): readonly string[] =>
  pending.flatMap(effect => {
    // A node that waits for children moves with them.
    const isBlocked =
      effect.type === 'invoke' && effect.blocked !== undefined && effect.children === undefined
    return isBlocked || (effect.type !== 'invoke' && effect.type !== 'rollback') ? [] : [effect.id]
  })

function withoutOne(faults: readonly Injection[], kind: 'tool' | 'model', name: string) {
  const met = faults.find(fault => fault.kind === kind && fault.name === name)
  return faults.flatMap(fault => {
    if (fault !== met) return [fault]
    return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : []
  })
}

/** Whether an effect may start: the thread is not paused, or a step has released the effect. */
export const isReleased = ({ paused, released }: Controlled, id: string): boolean =>
  paused === undefined || released?.includes(id) === true

/** What the next call of a tool or model meets. */
export const injectionFor = (
  { faults }: Controlled,
  kind: 'tool' | 'model',
  name: string,
): Injection | undefined => faults?.find(each => each.kind === kind && each.name === name)

/** The failure of an injected fault; `undefined` for an injected answer. */
export function injectedFailure(injection: Injection | undefined): Failure | undefined {
  if (injection?.class === undefined) return undefined
  const { class: failureClass, message } = injection
  return { name: 'InjectedFault', message, class: failureClass, scope: 'request', rule: INJECTED }
}

/** Where threads of a graph pause. `thread`: only this thread. */
export type Breakpoint = NodeBreakpoint | ConditionBreakpoint

/** Threads pause before this node. */
export interface NodeBreakpoint {
  readonly graph: string
  readonly node: string
  readonly thread?: string
  readonly when?: undefined
}

/** Threads pause after a row that makes this condition true (`conditionOf`). */
interface ConditionBreakpoint {
  readonly graph: string
  readonly when: string
  readonly thread?: string
  readonly node?: undefined
}

/** The first effect that a breakpoint or the end of a step stops. An effect that has started, or that a person has released, passes. */
export function breakpointIn(
  run: Controllable,
  of: GraphThread,
  breakpoints: readonly Breakpoint[],
): string | undefined {
  if (run.paused || (breakpoints.length === 0 && !run.until)) return undefined
  const isHit = (node: string) =>
    breakpoints.some(point => point.node === node && appliesTo(point, of))
  return run.pending.find(effect => {
    if (effect.type !== 'invoke' || effect.blocked !== undefined || effect.resumed) return false
    if (effect.starts > 0 || run.released?.includes(effect.id)) return false
    return isHit(effect.node) || run.until?.includes(effect.state) === true
  })?.id
}

type GraphThread = { readonly graph: string; readonly thread: string }

/** Whether a breakpoint applies to a thread. */
export const appliesTo = ({ graph, thread }: Breakpoint, of: GraphThread): boolean =>
  graph === of.graph && (thread ?? of.thread) === of.thread

/** The key of a breakpoint in a store. */
export const breakpointText = ({ graph, node, thread, when }: Breakpoint): string =>
  JSON.stringify([
    ...[graph, node ?? null, thread ?? null],
    ...(when === undefined ? [] : [hash(when)]),
  ] satisfies Json)
