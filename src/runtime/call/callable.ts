/** One call: its identity and record, its events while it is open, what it calls, and its failures. */
import type { WorkResult } from '../time/cancellation.ts'
import { type Broken, type Reason, ReasonError } from '../../core/watch/reason/reason.ts'
import type { OfCall, Reconciled, Usage } from '../../core/watch/event/call-event.ts'
import type { AgentEvent, Item } from '../../core/watch/event/event.ts'
import { type Json, defined } from '../../core/watch/data/json.ts'
import { type Failure, factsOf, stated } from '../../core/watch/failure/failure.ts'
import { type DoubtfulWrite, identityOf, repeatedWrite } from '../../core/run/doubtful-writes.ts'
import type { Run } from '../../core/run/run.ts'
import { classifyWith } from '../../core/watch/detect/custom.ts'
import type { Permit, Refusal } from '../gate/gate.ts'
import { isCallFailed } from '../outcome.ts'
import type { Calling, Guarded } from '../ports.ts'
import type { CallContext } from './context.ts'

/** A node made a different call than the journal holds: it depends on more than its input. */
export class OtherCall extends ReasonError {
  constructor(id: string, was: string, call: string) {
    super('Nondeterministic', { code: 'call-changed', params: { id, was, call } })
  }
}

/** `compensates`: the call that this one undoes. */
export interface CallId extends Pick<OfCall, 'call' | 'subject' | 'key' | 'received' | 'edited'> {
  readonly compensates?: string
  readonly item?: Item
}

interface OpenCall extends CallId {
  /** The fields of every event of the call. `more`: other calls of the batch are open, and the watchdog waits for them. */
  fields(): OfCall & CallId
  /** Closes the call, before its last event is written. */
  close(): void
}

/** Counts a call as open: verdicts wait until every call of the batch is closed. */
export function openCall(context: CallContext, of: CallId): OpenCall {
  const { effect, region, openCalls } = context
  openCalls.add(of.call)
  const fields = { effect, region, ...of }
  const isOther = () => openCalls.size > (openCalls.has(of.call) ? 1 : 0)
  return {
    ...of,
    fields: () => (isOther() ? { ...fields, more: true } : fields),
    close: () => void openCalls.delete(of.call),
  }
}

/** An entry of a graph by its name. @throws ReasonError when it is missing. */
export function lookUp<T>(
  error: string,
  kind: 'tool' | 'model' | 'graph',
  entries: Readonly<Record<string, T>>,
  name: string,
): T {
  if (Object.hasOwn(entries, name)) return entries[name] as T
  const params = { kind, name, known: Object.keys(entries) }
  throw new ReasonError(error, { code: 'unknown-name', params })
}

/** What gives a result in place of a call: a person, or an earlier call. */
export type Giver = 'injected' | 'cached'

/** A checked call of a tool or a model: how to perform it, and the events of its attempts. `call` is `<effect>/<n>`. */
export interface Callable<A> extends OpenCall {
  readonly kind: 'tool' | 'model'
  /** The name of the subject in breakers and retry counts. */
  readonly dependency: string
  readonly guard: Guarded
  /** Read-only or idempotent: can be made again when its outcome is unknown. */
  readonly repeatable: boolean
  readonly writes: boolean
  called(attempt: number): AgentEvent
  perform(calling: Calling): Promise<unknown>
  /** @throws NotJson for a read whose result cannot be stored. A write that took effect never fails here. */
  done(
    raw: unknown,
    of: { readonly attempt: number; readonly tries?: number },
  ): { readonly event: AgentEvent; readonly answer: A }
  /** The end of an attempt whose result was given without a call: it costs nothing, and has not written. */
  given(result: Json, by: Giver): { readonly event: AgentEvent; readonly answer: A }
  /** The result of an earlier call that answers this one. */
  kept?(): { readonly result: Json } | undefined
  /** The event of a result after its attempt was abandoned. `booked`: what the attempt has cost, as far as the journal holds it. */
  late(
    result: WorkResult<unknown>,
    of: { readonly attempt: number; readonly booked: Usage | undefined },
  ): AgentEvent | undefined
  /** What an attempt of a model has cost although it failed; `undefined` if nothing was sent. */
  spentBy?(failure: Failure, attempt: number): Usage | undefined
  /** Present when the tool can determine afterwards whether a call took effect. @throws ReasonError for a result that says nothing about it */
  reconcile?(calling: Calling): Promise<ReconciledCall>
  /** The tools or models that may answer in place of the subject. */
  readonly substitutes?: {
    /** In order of preference. */
    readonly names: readonly string[]
    /** The same call to a substitute; `undefined` when the substitute does not accept its arguments. */
    callable(name: string): Callable<A> | undefined
  }
}

/** The idempotent write that a call makes again, with its key: it may have taken effect. */
export function repeatedBy<A>(target: Callable<A>, { doubtful }: Run): DoubtfulWrite | undefined {
  const write = repeatedWrite(doubtful, identityOf(target))
  const { subject, substitutes } = target
  const by = write?.tool === subject ? target : write && substitutes?.callable(write.tool)
  // A tool that is not idempotent has another key each time. One that no longer accepts the call may have been idempotent.
  const isRepeatable = by ? by.writes && by.repeatable : target.writes
  return isRepeatable ? write : undefined
}

/** A call that has no final answer yet. */
export interface CallState<A> {
  readonly context: CallContext
  readonly original: Callable<A>
  /** The subjects called so far: the original and its substitutes. */
  readonly tried: Set<string>
  /** A failed write may have taken effect: it can be repeated with its own key, but not by a substitute. */
  doubt: boolean
  /** When the call began to wait for an open breaker. */
  waitingSince: number | undefined
}

/** The next attempt; `permit` when the gate has admitted it already. */
export type DueAttempt<A> = Readonly<{ target: Callable<A>; attempt: number; permit?: Permit }>

export interface EndedAttempt<A> {
  readonly target: Callable<A>
  readonly attempt: number
  readonly tries?: number
  readonly usage?: Usage
  /** The breaker refuses the next attempt, also if a call of another thread opened it. */
  readonly refusal?: Refusal
}

/** Checked, truncated and redacted. `fenced`: an earlier attempt can no longer take effect. `because`: the tool gave no answer. */
export type ReconciledCall = Readonly<{
  answer: Reconciled
  result: Json
  fenced: boolean
  because?: Broken
}>

export const UNKNOWN: ReconciledCall = { answer: 'unknown', result: null, fenced: false }

/** Turns any error into a redacted failure, classified by the custom classifier or by the rules. */
export function failureOf(
  { ports: { graph, redact }, journal }: Pick<CallContext, 'ports' | 'journal'>,
  error: unknown,
  rules = journal.run.policy.failures,
): Failure {
  if (isCallFailed(error)) return error.failure
  const facts = factsOf(error, redact)
  const { breakage, ...classification } = classifyWith(facts, rules, graph.machine.parts.classifier)
  return {
    ...facts,
    ...defined({ reason: redact(facts.reason) }),
    ...classification,
    ...defined({ breakage: redact(breakage) }),
  }
}

/** A failure by the runtime itself: the same call would fail again. */
export function callFailure(name: string, rule: string, reason: Reason): Failure {
  return { name, ...stated(reason), class: 'persistent', scope: 'request', rule }
}
