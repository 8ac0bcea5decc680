/** Calls that a person must allow: they are proposed before anything is performed, and made as the person decides. */
import { synchronous } from '../../core/watch/data/synchronous.ts'
import { type Reason, ReasonError, excerptOf } from '../../core/watch/reason/reason.ts'
import { refusesWrites } from '../../core/fork.ts'
import { timedBudget } from '../../core/graph/cel/cost.ts'
import { whenCompiler } from '../../core/graph/cel/when.ts'
import { findPermission } from '../../core/questions.ts'
import { isRestricted } from '../../core/run/restriction.ts'
import type { Run } from '../../core/run/run.ts'
import { type Permission, pendingEffect } from '../../core/run/effects.ts'
import { confirmByName, confirmByPattern, filledTemplate } from '../../core/watch/policy/policy.ts'
import type { Confirm, ConfirmPolicy } from '../../core/watch/policy/policy.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import { type Json, defined, callKey } from '../../core/watch/data/json.ts'
import { nextChange } from '../journal/journal.ts'
import type { Clock, Graph, Tool } from '../ports.ts'
import { isUnderWay } from './call-record.ts'
import { type CallId, callFailure, lookUp } from './callable.ts'
import type { CallContext } from './context.ts'
import { recordedCall } from './recording.ts'
import { excerpt, wholeValue } from './stored-json.ts'

/** Resolves when no call needs permission. Otherwise the question blocks the effect: the node is left and performed again later. */
export async function waitForPermission(context: CallContext, calls: readonly ToolCall[]) {
  const { journal, cancellation, effect } = context
  if (newProposals(context, calls).length === 0) return
  // A question leaves the node, so another write that cannot be repeated has to finish first. These calls wait themselves.
  const own = new Set(calls.map(({ call }) => call))
  const isWriting = () => {
    const pending = pendingEffect(journal.run.pending, effect)
    const writing = pending?.type === 'invoke' ? pending.writing : undefined
    return writing?.some(({ call }) => !own.has(call)) === true
  }
  while (isWriting()) {
    await nextChange(journal, cancellation)
    cancellation.throwIfCancelled()
  }
  for (const event of newProposals(context, calls)) journal.take(event)
  await journal.flush()
  cancellation.throwIfCancelled()
  if (newProposals(context, calls).length > 0)
    throw new ReasonError('NotAllowed', { code: 'approval-required' })
}

/** A person's decision about a call: a denial, or the arguments to use. */
export function permissionOf(
  { journal, effect }: CallContext,
  { call, subject }: CallId,
): (Pick<Permission, 'args' | 'note'> & { readonly denied?: Failure }) | undefined {
  const permission = findPermission(pendingEffect(journal.run.pending, effect), call)
  if (permission?.decision === 'rejected' || permission?.decision === 'expired')
    return { denied: denial(subject, permission) }
  return permission
}

function denial(call: string, { decision, note }: Permission): Failure {
  const reason: Reason =
    decision === 'expired'
      ? { code: 'approval-expired', params: { call } }
      : { code: 'call-rejected', params: { call, ...defined({ note: note && excerptOf(note) }) } }
  return { ...callFailure('NotAllowed', 'confirm', reason), class: 'business' }
}

/** Proposals for the valid calls that need permission and were neither proposed nor made. */
function newProposals(context: CallContext, calls: readonly ToolCall[]): readonly AgentEvent[] {
  const { ports, journal, effect, region, records } = context
  const { tools } = ports.graph
  const pending = pendingEffect(journal.run.pending, effect)
  return calls.flatMap(({ call, name, args }) => {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
    if (!tool || ruleOf(journal.run.policy.confirm, name, tool) === 'never') return []
    if (isUnderWay(journal.run, records.calls.get(call)) || findPermission(pending, call)) return []
    const key = callKey(name, args)
    // A recorded call is not made, and a fork rejects its writes.
    if (recordedCall(context, { call, key })) return []
    const { effects } = tool
    if (effects === 'write' && refusesProposals(journal.run)) return []
    const ready = prepareCall(tools, { name, args })
    const confirmation =
      ready.ok && confirmationOf(journal.run.policy.confirm, name, ready, ports.clock)
    if (!confirmation) return []
    const { question } = confirmation
    return {
      effect,
      region,
      call,
      subject: name,
      key,
      effects,
      type: 'call.proposed',
      args: wholeValue(`${name}.arguments`, ready.args, ports.redact),
      ...(question === undefined
        ? {}
        : { question: excerpt(ports.redact(question), QUESTION_MAX) }),
    }
  })
}

/** Whether a write is refused without a question. */
const refusesProposals = (run: Run) => refusesWrites(run) || isRestricted(run)

/** Characters of a question. */
const QUESTION_MAX = 500

/** What decides about a call: the policy's rule for the tool's name, then the tool, then the policy's patterns. `never`: the call needs no permission. */
function ruleOf(policy: ConfirmPolicy, name: string, tool: Tool): Confirm | 'tool' {
  const byName = confirmByName(policy, name)
  if (byName === undefined && tool.confirm) return 'tool'
  const rule = byName ?? confirmByPattern(policy, name) ?? 'never'
  return rule === 'write' && tool.effects === 'read' ? 'never' : rule
}

const compile = whenCompiler(['args'])

/** Whether and with which question a person must allow a call. */
export function confirmationOf(
  policy: ConfirmPolicy,
  name: string,
  { tool, args }: { readonly tool: Tool; readonly args: Json },
  clock: Clock,
): { readonly question?: string } | undefined {
  const rule = ruleOf(policy, name, tool)
  if (rule === 'never') return undefined
  if (rule === 'tool') {
    const asked = orTrue(() => synchronous(tool.confirm?.(args)) ?? false)
    if (typeof asked === 'string') return { question: filledTemplate(asked, args) }
    return asked ? {} : undefined
  }
  if (typeof rule === 'string') return {}
  const { when, question } = rule
  // The journal has the question, so the time may decide whether it is asked.
  const budget = timedBudget(() => clock.now())
  const isMet =
    when === undefined || orTrue(() => compile(when).evaluate?.(() => args, budget)) !== false
  return isMet ? defined({ question: question && filledTemplate(question, args) }) : undefined
}

function orTrue<T>(condition: () => T): T | true {
  try {
    return condition()
  } catch {
    return true
  }
}

export type ToolCall = Readonly<{ call: string; name: string; args: Json }>

type PreparedCall =
  | { readonly ok: true; readonly tool: Tool; readonly args: Json }
  | { readonly ok: false; readonly error: unknown }

/** Looks up the tool of a call; validates and coerces the arguments by its schema, and checks their size. */
export function prepareCall(
  tools: Graph['tools'],
  { name, args }: Pick<ToolCall, 'name' | 'args'>,
): PreparedCall {
  try {
    const tool = lookUp('InvalidArguments', 'tool', tools, name)
    const parsed = wholeValue(`${name}.arguments`, tool.parse(args), same => same)
    return { ok: true, tool, args: parsed }
  } catch (error) {
    return { ok: false, error }
  }
}
