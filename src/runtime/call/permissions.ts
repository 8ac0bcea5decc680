/** Calls that a person must allow: proposed before anything is performed, and made as the person has said. */
import { ReasonError, excerptOf } from '../../core/watch/reason/reason.ts'
import { refusesWrites } from '../../core/fork.ts'
import { whenCompiler } from '../../core/graph/spec/when.ts'
import { findPermission } from '../../core/block.ts'
import { type Permission, pendingEffect } from '../../core/effects.ts'
import {
  confirmByName,
  confirmByPattern,
  type ConfirmPolicy,
  filledTemplate,
} from '../../core/watch/policy/confirm.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import { type Failure, stated } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { callKey } from '../../core/watch/data/signature.ts'
import { isRecorded } from './recording.ts'
import type { Tool } from '../ports.ts'
import { excerpt } from './stored-json.ts'
import { prepareCall, type ToolCall } from './prepare-call.ts'
import { OtherCall, type EffectContext, wholeValue } from './effect-context.ts'

/** Resolves at once where nobody need be asked. Else the question blocks the effect: its node is left, and finds the answers when it is performed again. */
export async function waitForPermission(
  context: EffectContext,
  calls: readonly ToolCall[],
): Promise<void> {
  if (newProposals(context, calls).length === 0) return
  // Whoever is asked leaves the node: not while a write of its own, that must not be repeated, is on its way.
  while (hasWriteAhead(context)) await nextChange(context)
  for (const event of newProposals(context, calls)) context.journal.take(event)
  await context.journal.flush()
  context.cancellation.throwIfCancelled()
  // Only an answer opens the way, whatever has become of the question.
  if (newProposals(context, calls).length > 0)
    throw new ReasonError('NotAllowed', { code: 'approval-required' })
}

/** What was said about a call: why it may not be made, or with which arguments. @throws if something else was asked about. */
export function permissionOf(
  { journal, effect }: EffectContext,
  call: string,
  name: string,
  key: string,
): { readonly denied?: Failure; readonly args?: Json } | undefined {
  const permission = findPermission(pendingEffect(journal.run.pending, effect.id), call)
  if (permission && permission.key !== key) throw new OtherCall(call, name, name)
  if (permission?.decision === 'rejected' || permission?.decision === 'expired')
    return { denied: denial(name, permission) }
  return permission
}

function denial(name: string, { decision, note }: Permission): Failure {
  const rejected = { call: name, ...(note === undefined ? {} : { note: excerptOf(note) }) }
  return {
    name: 'NotAllowed',
    ...stated(
      decision === 'expired'
        ? { code: 'approval-expired', params: { call: name } }
        : { code: 'call-rejected', params: rejected },
    ),
    class: 'business',
    scope: 'request',
    rule: 'confirm',
  }
}

/** The proposals of calls that must be confirmed and have neither been asked about nor made. What cannot be called at all need not be asked about. */
function newProposals(context: EffectContext, calls: readonly ToolCall[]): readonly AgentEvent[] {
  const { ports, journal, effect, records } = context
  const { confirm } = journal.run.policy
  const own = pendingEffect(journal.run.pending, effect.id)
  return calls.flatMap(({ call, name, args }) => {
    const { effects } = Object.hasOwn(ports.graph.tools, name)
      ? (ports.graph.tools[name] as Tool)
      : {}
    // What will be told, or refused, will not be performed.
    const harmless =
      isRecorded(context, call, callKey(name, args)) ||
      (effects === 'write' && refusesWrites(journal.run))
    if (!effects || harmless || records.calls.has(call) || findPermission(own, call)) return []
    const ready = prepareCall(ports.graph.tools, { name, args })
    const asked = ready.ok && confirmationOf(confirm, name, ready)
    if (!asked) return []
    const fields = {
      effect: effect.id,
      region: effect.region,
      call,
      subject: name,
      key: callKey(name, args),
      effects,
    }
    return [
      {
        ...fields,
        type: 'call.proposed',
        args: wholeValue(`${name}.arguments`, ready.args, ports.redact),
        ...(asked.question === undefined
          ? {}
          : { question: excerpt(String(ports.redact(asked.question)), QUESTION_MAX) }),
      },
    ]
  })
}

/** Characters of a question. */
const QUESTION_MAX = 500

/**
 * Whether a person must allow a call with these arguments, as the schema returned them, and with which question. The
 * policy's rule for the name of the tool decides, else the tool itself, else the policy's patterns. A condition that
 * cannot be evaluated asks.
 */
export function confirmationOf(
  policy: ConfirmPolicy,
  name: string,
  { tool, args }: { readonly tool: Tool; readonly args: Json },
): { readonly question?: string } | undefined {
  const own = tool.confirm
  const byName = confirmByName(policy, name)
  if (byName === undefined && own) {
    const asked = attempt(() => own(args))
    return typeof asked === 'string'
      ? { question: filledTemplate(asked, args) }
      : asked
        ? {}
        : undefined
  }
  const rule = byName ?? confirmByPattern(policy, name) ?? 'never'
  if (rule === 'never' || (rule === 'write' && tool.effects === 'read')) return undefined
  if (typeof rule === 'string') return {}
  const { when, question } = rule
  if (
    when !== undefined &&
    attempt(() => whenCompiler(['args'])(when).evaluate?.(() => args)) === false
  )
    return undefined
  return question === undefined ? {} : { question: filledTemplate(question, args) }
}

function attempt<T>(condition: () => T): T | true {
  try {
    return condition()
  } catch {
    return true
  }
}

function hasWriteAhead({ journal, effect }: EffectContext): boolean {
  const own = pendingEffect(journal.run.pending, effect.id)
  return own?.type === 'invoke' && own.writing !== undefined
}

/** Resolves with the next event of the thread; rejects once the node has been left. */
function nextChange({ journal, cancellation }: EffectContext): Promise<void> {
  cancellation.throwIfCancelled()
  return new Promise((resolve, reject) => {
    const ends = [
      journal.onChange(() => settle(resolve)),
      cancellation.onCancel(reason => settle(() => reject(reason))),
    ]
    const settle = (how: () => void) => {
      for (const stop of ends) stop()
      how()
    }
  })
}
