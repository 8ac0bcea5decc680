/** Calls that a person must allow: proposed before anything is performed, and made as the person has said. */
import { refusesWrites } from '../../core/fork.ts'
import { pendingEffect } from '../../core/effects.ts'
import { type Permission, findPermission } from '../../core/review/permission.ts'
import { mustConfirm } from '../../core/watch/confirm.ts'
import type { AgentEvent } from '../../core/watch/event.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/json.ts'
import { callKey } from '../../core/watch/signature.ts'
import { isRecorded } from './recording.ts'
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
    throw new PermissionMismatch('a person must allow this call first')
}

class PermissionMismatch extends Error {
  override readonly name = 'NotAllowed'
}

/** What was said about a call: why it may not be made, or with which arguments. @throws if something else was asked about. */
export function permissionOf(
  { journal, effect }: EffectContext,
  call: string,
  name: string,
  key: string,
): { readonly denied?: Failure; readonly args?: Json } | undefined {
  const permission = findPermission(pendingEffect(journal.run.pending, effect.id), call)
  if (permission && permission.key !== key)
    throw new OtherCall(`call ${call} of ${name} was allowed with other arguments than it has now`)
  if (permission?.decision === 'rejected' || permission?.decision === 'expired')
    return { denied: denial(name, permission) }
  return permission
}

function denial(name: string, { decision, note }: Permission): Failure {
  const said =
    decision === 'expired'
      ? `nobody allowed the call of ${name} in time`
      : `a person did not allow this call of ${name}`
  return {
    name: 'NotAllowed',
    message: note === undefined ? said : `${said}: ${note}`,
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
    const { effects } = ports.graph.tools[name] ?? {}
    // What will be told, or refused, will not be performed.
    const harmless =
      isRecorded(context, call, callKey(name, args)) ||
      (effects === 'write' && refusesWrites(journal.run))
    if (
      !effects ||
      harmless ||
      !mustConfirm(confirm, name, effects) ||
      records.calls.has(call) ||
      findPermission(own, call)
    )
      return []
    const ready = prepareCall(ports.graph.tools, { name, args })
    if (!ready.ok) return []
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
        args: wholeValue(`the arguments of ${name}`, ready.args, ports.redact),
      },
    ]
  })
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
