/** Answers the calls of a fork from its parent's journal: the same call gets the same answer without being made. */
import { isAnsweredByParent } from '../../core/fork.ts'
import type { Run } from '../../core/run/run.ts'
import type { Store } from '../store/store.ts'
import { callRecordOf, isCallRow } from './call-record.ts'
import type { CallRow, RecordedAnswer, Recording } from './call-record.ts'
import { type CallId, openCall } from './callable.ts'
import type { CallContext } from './context.ts'
import { rowsOfOrigin } from './parent-journal.ts'

/** The recording for a fork that is answered by its parent; empty for other threads, and when its parent is not in this store. */
export async function recordingOf(store: Store, thread: string, run: Run): Promise<Recording> {
  const parent = run.fork?.origins.at(-1)
  if (!parent || !isAnsweredByParent(run)) return new Map()
  const rows = await rowsOfOrigin(store, thread, parent)
  const events = rows.flatMap(({ event }) =>
    isCallRow(event) && !isQuestion(event) ? [event] : [],
  )
  const byEffect = Map.groupBy(events, ({ effect }) => effect)
  return new Map([...byEffect].map(([effect, of]) => [effect, Map.groupBy(of, ({ call }) => call)]))
}

/** The calls of an effect that its parent made, in their order, with their keys. */
export function recordedKeys({
  effect,
  journal,
  recording,
}: CallContext): readonly (readonly [id: string, key: string])[] {
  if (!isAnsweredByParent(journal.run)) return []
  const calls = [...(recording.get(effect) ?? [])]
  return calls.map(([id, [first]]) => [id, first?.key ?? ''])
}

/** A recorded call needs no permission, and its outcome is known. */
const isQuestion = (event: CallRow): boolean =>
  event.type === 'call.proposed' ||
  (event.type === 'tool.failed' && event.failure.class === 'indeterminate')

/** The rows of a call up to its answer; `undefined` when the parent did not make the call or got no answer. */
export function recordedCall(
  { effect, journal, recording }: CallContext,
  { call, key }: Pick<CallId, 'call' | 'key'>,
): { readonly rows: readonly CallRow[]; readonly answer: RecordedAnswer } | undefined {
  const all = isAnsweredByParent(journal.run) ? (recording.get(effect)?.get(call) ?? []) : []
  const isAnswer = (_: CallRow, index: number) =>
    callRecordOf(all.slice(0, index + 1))?.state.kind === 'answered'
  const rows = all.slice(0, all.findIndex(isAnswer) + 1)
  const record = callRecordOf(rows)
  if (record?.key !== key || record.state.kind !== 'answered') return undefined
  return { rows, answer: record.state.answer }
}

/** Answers a call from the recording: its rows become rows of this journal, marked as recorded. `undefined`: it has to be made. */
export function replayCall(context: CallContext, id: CallId): RecordedAnswer | undefined {
  const recorded = recordedCall(context, id)
  if (!recorded) return undefined
  const { rows, answer } = recorded
  const { fields, close } = openCall(context, id)
  for (const [index, { more: _, at: __, ...event }] of rows.entries()) {
    if (index === rows.length - 1) close()
    const { more } = fields()
    context.journal.take({ ...event, recorded: true, ...(more && { more }) })
    context.cancellation.throwIfCancelled()
  }
  return answer
}
