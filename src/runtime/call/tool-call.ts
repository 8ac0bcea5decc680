/** A call of a tool, as the journal and the gate see it. */
import { substitutesOf } from '../../core/graph/spec/spec.ts'
import type { Reconciled } from '../../core/watch/event/call-event.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import { type Failure, factsOf } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { callKey, digest } from '../../core/watch/data/signature.ts'
import { confirmationOf, permissionOf, waitForPermission } from './permissions.ts'
import { makeCall } from './call.ts'
import type { Callable } from './callable.ts'
import { excerpt, type StoredJson, storedJson } from './stored-json.ts'
import { failureOf } from './failure-of.ts'
import type { Answer, Tool } from '../ports.ts'
import { prepareCall, type ToolCall } from './prepare-call.ts'
import { replayCall } from './recording.ts'
import { countCall, recordFor, type EffectContext, wholeValue } from './effect-context.ts'
import type { Late } from '../time/within.ts'

/** Makes calls concurrently, once all of them are allowed: nothing is performed while a person is still asked about one of them. */
export async function toolCalls(
  context: EffectContext,
  calls: readonly ToolCall[],
): Promise<readonly Answer<Json>[]> {
  await waitForPermission(context, calls)
  return Promise.all(calls.map(call => toolCall(context, call)))
}

async function toolCall(
  context: EffectContext,
  { call, name, args }: ToolCall,
): Promise<Answer<Json>> {
  context.cancellation.throwIfCancelled()
  const { tools } = context.ports.graph
  const key = callKey(name, args)
  const before = recordFor(context, call, name, key)
  if (before?.state.kind === 'answered') {
    context.out.delete(call)
    return before.state.answer as Answer<Json>
  }
  const told = replayCall<Json>(context, call, key)
  if (told) return told
  const permission = permissionOf(context, call, name, key)
  if (permission?.denied) return rejectCall(context, { call, name, key }, permission.denied)
  const given = permission?.args ?? args
  const ready = prepareCall(tools, { name, args: given })
  if (!ready.ok)
    return rejectCall(
      context,
      { call, name, key },
      failureOf(context.ports, context.journal.run.policy.failures, ready.error),
    )
  const callable = callableTool(context, { tool: ready.tool, call, key, args: ready.args })
  const made = (other: string) => {
    const fits = prepareCall(tools, { name: other, args: given })
    // Nobody has been asked about another tool: one that must be allowed stands in for none, unless it has begun to.
    const asked =
      fits.ok &&
      !before?.by.includes(other) &&
      confirmationOf(context.journal.run.policy.confirm, other, fits) !== undefined
    return fits.ok && !asked
      ? callableTool(context, { tool: fits.tool, call, key, args: fits.args, instead: name })
      : undefined
  }
  return makeCall(
    context,
    { ...callable, standIns: { names: substitutesOf(tools, name), made } },
    before,
  )
}

/** A call that cannot be made at all: the tool is not touched, and the caller gets the reason as its answer. */
function rejectCall(
  context: EffectContext,
  { call, name, key }: Pick<ToolCall, 'call' | 'name'> & { key: string },
  failure: Failure,
): Answer<Json> {
  const { effect, journal } = context
  const { more, close } = countCall(context, call)
  close()
  const fields = {
    effect: effect.id,
    region: effect.region,
    call,
    subject: name,
    key,
    ...(more() ? { more: true as const } : {}),
  }
  journal.take({ ...fields, type: 'tool.failed', failure, attempt: 1, final: true })
  context.cancellation.throwIfCancelled()
  return { ok: false, failure }
}

interface ToolWork {
  readonly tool: Tool
  readonly call: string
  readonly key: string
  readonly args: Json
  /** The tool that was asked for, where this one stands in for it. */
  readonly instead?: string
}

function callableTool(
  context: EffectContext,
  { tool, call, key, args, instead }: ToolWork,
): Callable<Json> {
  const { effect, ports } = context
  const { more, close } = countCall(context, call)
  const of = {
    effect: effect.id,
    region: effect.region,
    call,
    subject: tool.name,
    key,
    effects: tool.effects,
  }
  const fields = () => (more() ? { ...of, more: true as const } : of)
  const repeatable = tool.effects === 'read' || tool.idempotent
  const keep = (raw: unknown) => resultOf(tool, raw, ports.redact)
  return {
    call,
    subject: tool.name,
    key,
    kind: 'tool',
    guard: tool,
    repeatable,
    writes: tool.effects === 'write',
    more,
    close,
    called: attempt => ({
      ...fields(),
      type: 'tool.called',
      args: wholeValue(`${tool.name}.arguments`, args, ports.redact),
      attempt,
      repeatable,
      ...(tool.reversible && tool.effects === 'write' ? { reversible: true } : {}),
      ...(tool.compensate ? { compensable: true } : {}),
      ...(instead === undefined ? {} : { instead }),
    }),
    perform: calling => tool.execute(args, calling),
    done(raw, tries) {
      const stored = keep(raw)
      close()
      const event: AgentEvent = {
        ...fields(),
        type: 'tool.done',
        ...doneFacts(tool, args, stored),
        ...tries,
      }
      return { event, answer: stored.value }
    },
    late(result: Late<unknown>) {
      const outcome = lateOutcome(tool, result, ports.redact)
      return outcome && { ...fields(), type: 'call.late', ...outcome }
    },
    ...(tool.reconcile
      ? {
          reconcile: async calling =>
            readReconciled(await tool.reconcile?.(args, calling), raw => keep(raw).value),
        }
      : {}),
  }
}

/** What the journal keeps of a result, beside the fields of its call. */
function doneFacts(tool: Tool, args: Json, { value, whole, cut }: StoredJson) {
  return {
    result: value,
    digest: digest(whole),
    ...(tool.compensate ? { compensable: true as const } : {}),
    ...(cut === undefined ? {} : { cut }),
    ...(tool.stuck ? { stuck: tool.stuck(args) } : {}),
  }
}

/** What the journal keeps of a late answer. A late failure of a read is not kept; of a write it is. */
function lateOutcome(tool: Tool, late: Late<unknown>, redact: (value: Json) => Json) {
  if (late.ok) return { ok: true, result: lateResult(tool, late.value, redact) }
  if (tool.effects === 'read') return undefined
  const { message } = factsOf(late.error, text => String(redact(text)))
  return { ok: false, result: excerpt(message, 500) }
}

interface CompensationTerms {
  readonly tool: Tool
  readonly call: string
  /** The call that is undone. */
  readonly undoes: string
  readonly args: Json
  readonly result: Json
}

/** The call that undoes another: guarded and retried like any, and made again after a crash. */
export function compensation(
  context: EffectContext,
  { tool, call, undoes, args, result }: CompensationTerms,
): Callable<Json> {
  const { effect, ports } = context
  const of = {
    effect: effect.id,
    region: effect.region,
    call,
    subject: tool.name,
    key: callKey(tool.name, { undoes, args }),
    effects: 'write' as const,
    compensates: undoes,
  }
  return {
    call,
    subject: tool.name,
    key: of.key,
    kind: 'tool',
    compensates: undoes,
    guard: tool,
    repeatable: true,
    writes: true,
    more: () => false,
    close: () => {},
    called: attempt => ({
      ...of,
      type: 'tool.called',
      args: wholeValue(`${tool.name}.arguments`, args, ports.redact),
      attempt,
      repeatable: true,
    }),
    perform: async calling => tool.compensate?.(args, result, calling),
    done: (_, tries) => ({
      event: { ...of, type: 'tool.done', result: null, digest: digest(null), ...tries },
      answer: null,
    }),
    late: result => (result.ok ? { ...of, type: 'call.late', ok: true, result: null } : undefined),
  }
}

/** A write that took effect has not failed because its result cannot be kept: then the journal says that instead. */
function resultOf(tool: Tool, raw: unknown, redact: (value: Json) => Json): StoredJson {
  try {
    return storedJson(`${tool.name}.result`, raw, redact)
  } catch (error) {
    if (tool.effects === 'read') throw error
    const value = `${tool.name} took effect, but its result cannot be kept: ${(error as Error).message}`
    return { value, whole: value }
  }
}

function lateResult(tool: Tool, raw: unknown, redact: (value: Json) => Json): Json {
  try {
    return resultOf(tool, raw, redact).value
  } catch (error) {
    return (error as Error).message
  }
}

const ANSWERS: readonly unknown[] = [
  'applied',
  'not-applied',
  'unknown',
] satisfies readonly Reconciled[]

/** What `reconcile` returned, if it is an answer; anything else tells nothing. */
function readReconciled(
  told: unknown,
  keep: (raw: unknown) => Json,
): { readonly answer: Reconciled; readonly result: Json } {
  const { answer, result } = (typeof told === 'object' && told !== null ? told : {}) as {
    answer?: unknown
    result?: unknown
  }
  return ANSWERS.includes(answer)
    ? { answer: answer as Reconciled, result: keep(result) }
    : { answer: 'unknown', result: null }
}
