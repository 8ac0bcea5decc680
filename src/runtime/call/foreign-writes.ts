/**
 * Writes that the parent of a fork had begun. What became of them is settled before the fork is asked to allow a call: no call of the fork
 * ends them, and one that took effect is not made again. The tool is not asked: the parent may still make the call, and a tool that
 * answers `reconcile` may fence it off.
 */
import { originOf } from '../../core/fork.ts'
import { injectionFor } from '../../core/run/control.ts'
import { pendingEffect } from '../../core/run/effects.ts'
import { isRefusal } from '../../core/watch/failure/doubt.ts'
import { stated } from '../../core/watch/failure/failure.ts'
import { defined, type Json } from '../../core/watch/data/json.ts'
import { type CallRecord, callRecords, reconciledRecord } from './call-record.ts'
import { type CallId, callFailure, openCall } from './callable.ts'
import type { Tool } from '../ports.ts'
import type { CallContext } from './context.ts'
import { rowsOfOrigin } from './parent-journal.ts'
import { askPerson, type Reconciling, takeReconciled } from './reconcile.ts'
import { recordedCall } from './recording.ts'
import { isLastAttempt } from './retry.ts'

/** The context of calls after the writes among them that the parent had begun are settled. When its journal does not tell, a person is asked. */
export async function settleForeign(
  context: CallContext,
  calls: readonly CallId[],
): Promise<CallContext> {
  const { records } = context
  const writes = calls.flatMap(id => foreignWrite(context, id) ?? [])
  if (writes.length === 0) return context
  const settled = await Promise.all(writes.map(write => settle(context, write)))
  return { ...context, records: { ...records, calls: new Map([...records.calls, ...settled]) } }
}

interface ForeignWrite {
  readonly id: CallId
  readonly record: CallRecord
  /** The tool that made it: a substitute, if there was one. */
  readonly by: string
  readonly tool: Tool
}

/** The write of another thread, if it may have taken effect. It has another idempotency key there: a repetition would be a second write. */
function foreignWrite(context: CallContext, id: CallId): ForeignWrite | undefined {
  const { journal, ports, records } = context
  const { tools } = ports.graph
  const record = records.calls.get(id.call)
  if (!record || originOf(journal.run, record.called) === undefined) return undefined
  const { state, doubt, by: substitutes } = record
  if (state.kind === 'answered' || (state.kind === 'failed' && !doubt)) return undefined
  // An answer or a fault of a person replaces the recorded one.
  if (!injectionFor(journal.run, 'tool', id.subject) && recordedCall(context, id)) return undefined
  const by = substitutes.at(-1) ?? id.subject
  const tool = Object.hasOwn(tools, by) ? tools[by] : undefined
  return tool?.effects === 'write' ? { id, record, by, tool } : undefined
}

async function settle(context: CallContext, write: ForeignWrite) {
  const { id, record, by, tool } = write
  const found = await inJournalOfParent(context, id, record)
  const target = openWrite(context, write)
  if (!found) {
    const params = { call: by }
    const interrupted = callFailure('Interrupted', 'crash', { code: 'process-ended', params })
    const reason = { code: 'started-before-fork', params } as const
    const failure = { ...interrupted, class: 'indeterminate', ...stated(reason) } as const
    const notApplied = { again: !isLastAttempt(context, { guard: tool }, record) }
    await askPerson(context, target, { attempt: record.attempt, failure, notApplied })
  } else await takeReconciled(context, target, 'parent', found)
  const { answer, result } = found ?? { answer: 'unknown', result: null }
  const at = context.ports.clock.now()
  return [id.call, reconciledRecord(record, answer === 'applied', result, at)] as const
}

/** The call as the thread that began it has journaled it. */
function openWrite(context: CallContext, { id, record, by }: ForeignWrite): Reconciling {
  const { journal, effect } = context
  const pending = pendingEffect(journal.run.pending, effect)
  const { writing = [], repeating = [] } = pending?.type === 'invoke' ? pending : {}
  const made = [...writing, ...repeating].find(({ call }) => call === id.call)
  const facts = defined({ received: made?.received, edited: record.edited })
  const open = openCall(context, { ...id, subject: by, ...facts })
  return { ...open, fields: () => ({ ...open.fields(), effects: 'write' }) }
}

/** What the thread that began the call has journaled of it; `undefined` while that leaves doubt. */
async function inJournalOfParent(
  { journal, ports, effect }: CallContext,
  { call, key }: CallId,
  { called, doubt }: CallRecord,
) {
  const origin = originOf(journal.run, called)
  const { thread } = journal.lease
  const rows = origin ? await rowsOfOrigin(ports.store, thread, origin, called - 1) : []
  const found = callRecords(rows, effect).calls.get(call)
  if (found?.key !== key || found.state.kind === 'open') return undefined
  const answer = found.state.kind === 'answered' ? found.state.answer : undefined
  if (answer && 'ok' in answer && answer.ok)
    return { answer: 'applied', result: answer.value as Json } as const
  const isRefused = answer ? 'ok' in answer && isRefusal(answer.failure) : true
  const isKnown = isRefused && !doubt && !found.doubt
  return isKnown ? ({ answer: 'not-applied', result: null } as const) : undefined
}
