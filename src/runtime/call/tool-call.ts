/** Calls of tools: permission, arguments, substitutes, and the events of each call. */
import type { WorkResult } from '../time/cancellation.ts'
import { injectionFor } from '../../core/run/control.ts'
import { isRestricted } from '../../core/run/restriction.ts'
import { dependencyOf } from '../../core/watch/retries.ts'
import { substitutesOf } from '../../core/graph/spec/spec.ts'
import type { Reconciled } from '../../core/watch/event/call-event.ts'
import { type Failure, factsOf } from '../../core/watch/failure/failure.ts'
import { type Json, defined, callKey, digest } from '../../core/watch/data/json.ts'
import { kindOf } from '../../core/watch/data/fault.ts'
import { excerptOf, ReasonError } from '../../core/watch/reason/reason.ts'
import type { Answer, Tool } from '../ports.ts'
import { makeCall } from './call.ts'
import type { CallIds } from './call-ids.ts'
import { isUnderWay } from './call-record.ts'
import type { CallId, Callable, ReconciledCall } from './callable.ts'
import { callFailure, failureOf, openCall } from './callable.ts'
import type { CallContext } from './context.ts'
import { confirmationOf, permissionOf, waitForPermission, prepareCall } from './permissions.ts'
import type { ToolCall } from './permissions.ts'
import { settleForeign } from './foreign-writes.ts'
import { keepResult, keptResult } from './kept-results.ts'
import { replayCall } from './recording.ts'
import {
  excerpt,
  type StoredJson,
  storedJson,
  toJson,
  wholeValue,
  type Redact,
} from './stored-json.ts'

/** A call with its id. */
export async function identified(
  ids: CallIds,
  { name, args }: Omit<ToolCall, 'call'>,
): Promise<ToolCall> {
  const subject = excerptOf(name)
  return { call: await ids.of({ kind: 'tool', subject, key: callKey(name, args) }), name, args }
}

/** Makes calls concurrently. The first one starts when all of them are allowed. */
export async function toolCalls(given: CallContext, calls: readonly ToolCall[]) {
  const context = await settleForeign(
    given,
    calls.map(({ call, name, args }) => ({ call, subject: name, key: callKey(name, args) })),
  )
  await waitForPermission(context, calls)
  return Promise.all(calls.map(call => toolCall(context, call)))
}

async function toolCall(context: CallContext, requested: ToolCall): Promise<Answer<Json>> {
  const { call, args: asked } = requested
  const { journal, cancellation, openCalls, ports } = context
  const { tools } = ports.graph
  cancellation.throwIfCancelled()
  const isKnown = Object.hasOwn(tools, requested.name)
  // A model may have invented the name.
  const name = isKnown ? requested.name : excerptOf(ports.redact(requested.name))
  const id = { call, subject: name, key: callKey(requested.name, asked) }
  const record = context.records.calls.get(call)
  if (record?.state.kind === 'answered') {
    openCalls.delete(call)
    return record.state.answer as Answer<Json>
  }
  // An answer or a fault of a person replaces the recorded one.
  const recorded = injectionFor(journal.run, 'tool', name) ? undefined : replayCall(context, id)
  if (recorded) return recorded as Answer<Json>
  const permission = permissionOf(context, id)
  if (permission?.denied) return rejectCall(context, id, permission.denied)
  const args = permission?.args ?? asked
  const ready = prepareCall(tools, { name, args })
  if (!ready.ok) return rejectCall(context, id, failureOf(context, ready.error))
  const isBarred = ({ effects }: Tool) => effects !== 'read' && isRestricted(journal.run)
  if (!isUnderWay(journal.run, record) && isBarred(ready.tool))
    return rejectCall(context, id, restriction(name))
  const made = { ...id, ...receivedBy(ready, id), ...editedBy(context, permission, ready) }
  const callable = (other: string) => {
    const fits = prepareCall(tools, { name: other, args })
    if (!fits.ok || isBarred(fits.tool)) return undefined
    const { confirm } = journal.run.policy
    const wasCalled = record?.by.includes(other)
    // A tool that needs permission of its own cannot be a substitute, unless it was called before.
    if (!wasCalled && confirmationOf(confirm, other, fits, ports.clock)) return undefined
    return callableTool(context, { ...made, subject: other }, { ...fits, instead: name })
  }
  const substitutes = { names: substitutesOf(tools, name), callable }
  const answer = await makeCall(
    context,
    { ...callableTool(context, made, ready), substitutes },
    record,
  )
  return { ...answer, ...defined({ edited: made.edited }) }
}

/** As in the journal, from which a call that is answered already has it. */
function editedBy(
  { ports }: CallContext,
  permission: ReturnType<typeof permissionOf>,
  { tool, args: read }: ToolWork,
): Pick<CallId, 'edited'> {
  if (permission?.args === undefined) return {}
  const args = wholeValue(`${tool.name}.arguments`, read, ports.redact)
  return { edited: { args, ...defined({ note: permission.note }) } }
}

/** What identifies an idempotent write if its tool receives other arguments than those requested: edits, defaults and coercion count. */
function receivedBy({ tool, args }: ToolWork, { subject, key }: CallId) {
  if (tool.effects === 'read' || !tool.idempotent) return {}
  const received = callKey(subject, args)
  return received === key ? {} : { received }
}

/** The failure with which restricted mode refuses a write. The model reads it. */
export const restriction = (call: string): Failure => ({
  ...callFailure('Restricted', 'restricted', { code: 'restricted-call', params: { call } }),
  class: 'business',
})

/** Answers a call that cannot be made with the reason as its failure. */
function rejectCall(context: CallContext, id: CallId, failure: Failure): Answer<Json> {
  const { fields, close } = openCall(context, id)
  close()
  context.journal.take({ ...fields(), type: 'tool.failed', failure, attempt: 1, final: true })
  context.cancellation.throwIfCancelled()
  return { ok: false, failure }
}

interface ToolWork {
  readonly tool: Tool
  readonly args: Json
  /** The tool that was asked for, when this one is its substitute. */
  readonly instead?: string
}

export function callableTool(context: CallContext, id: CallId, work: ToolWork): Callable<Json> {
  const { tool, args, instead } = work
  const { clock, redact } = context.ports
  const { effects } = tool
  const request = { tool, args, clock }
  const open = openCall(context, id)
  const fields = () => ({ ...open.fields(), effects })
  const repeatable = effects === 'read' || tool.idempotent
  const stored = (raw: unknown) => resultOf(tool, raw, redact)
  const reconcile: Callable<Json>['reconcile'] =
    tool.reconcile &&
    (async calling => readReconciled(tool, await tool.reconcile?.(args, calling), redact))
  const compensable = tool.compensate ? { compensable: true as const } : {}
  const done = (raw: unknown) => {
    const { value: result, whole, cut } = stored(raw)
    // Closed first: `more` in the event must not count this call.
    open.close()
    const stuck = tool.stuck && String(redact(tool.stuck(args)))
    const facts = { digest: digest(whole), ...defined({ cut, stuck }) }
    return { ...fields(), type: 'tool.done' as const, result, ...facts }
  }
  return {
    ...open,
    kind: 'tool',
    dependency: dependencyOf('tool', id.subject),
    guard: tool,
    repeatable,
    writes: effects === 'write',
    called: attempt => ({
      ...fields(),
      type: 'tool.called',
      args: wholeValue(`${tool.name}.arguments`, args, redact),
      attempt,
      repeatable,
      ...(tool.reversible && effects === 'write' ? { reversible: true } : {}),
      ...compensable,
      ...(repeatable ? {} : { owner: context.journal.lease.owner }),
      ...defined({
        instead,
        waitsFor: redact(tool.waitsFor?.(args, context.journal.lease.thread)),
      }),
    }),
    perform: async calling => {
      const result = await tool.execute(args, calling)
      tool.checkResult?.(result)
      return result
    },
    done(raw, { tries }) {
      const event = { ...done(raw), ...compensable, ...defined({ tries }) }
      const { result, cut } = event
      if (cut === undefined) keepResult(request, result)
      return { event, answer: event.result }
    },
    kept: () => keptResult(request),
    given(result, by) {
      const event = { ...done(result), effects: 'read' as const, [by]: true as const }
      return { event, answer: event.result }
    },
    late(late) {
      const outcome = lateOutcome(tool, late, redact)
      return outcome && { ...fields(), type: 'call.late', ...outcome }
    },
    ...defined({ reconcile }),
  }
}

/** What the journal stores of a late answer. The late failure of a read is dropped. */
function lateOutcome(tool: Tool, late: WorkResult<unknown>, redact: Redact) {
  if (!late.ok) {
    if (tool.effects === 'read') return undefined
    const { message } = factsOf(late.error, redact)
    return { ok: false, result: excerpt(message, 500) }
  }
  try {
    return { ok: true, result: resultOf(tool, late.value, redact).value }
  } catch (error) {
    return { ok: true, result: factsOf(error, redact).message }
  }
}

/** The stored result of a call. A write took effect even if its result cannot be stored: then a message replaces the result. */
function resultOf(tool: Tool, raw: unknown, redact: Redact): StoredJson {
  try {
    return storedJson(`${tool.name}.result`, raw, redact)
  } catch (error) {
    if (tool.effects === 'read') throw error
    const { message } = factsOf(error, redact)
    const value = `${tool.name} took effect, but its result cannot be stored: ${message}`
    return { value, whole: value }
  }
}

const ANSWERS: readonly unknown[] = ['applied', 'not-applied', 'unknown'] satisfies Reconciled[]

/** The result of `reconcile`. @throws ReasonError that names what was returned instead */
function readReconciled(tool: Tool, raw: unknown, redact: Redact): ReconciledCall {
  const { answer, result, fenced } = (raw ?? {}) as Partial<Record<keyof ReconciledCall, unknown>>
  if (!ANSWERS.includes(answer)) {
    const { value } = toJson(raw)
    const text = value === undefined ? kindOf(raw) : JSON.stringify(redact(value))
    const params = { call: tool.name, received: excerptOf(text, 100) }
    throw new ReasonError('InvalidReconciliation', { code: 'reconcile-invalid', params })
  }
  const { value } = resultOf(tool, result, redact)
  return { answer: answer as Reconciled, result: value, fenced: fenced === true }
}
