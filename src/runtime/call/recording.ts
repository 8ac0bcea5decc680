/** What the parent of a fork was answered after the fork: whoever asks the same is told the same, and the world is not asked. */
import { isAnsweredByParent } from '../../core/fork.ts'
import type { Row, Run } from '../../core/run.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { ModelAnswer } from '../model-message.ts'
import type { Answer, ChildAnswer } from '../ports.ts'
import { type CallRow, callRecordOf, isCallRow, type Recording } from './call-record.ts'
import type { Store } from '../store/store.ts'
import { countCall, type EffectContext } from './effect-context.ts'

const NO_RECORDING: Recording = new Map()

/** The tape of a fork that is answered from its parent; empty for any other thread, and where the parent is not in this store. */
export async function recordingOf(store: Store, run: Run): Promise<Recording> {
  const parent = run.fork?.origins.at(-1)
  if (!parent || !isAnsweredByParent(run)) return NO_RECORDING
  const rows = await store.rows(parent.thread, parent.seq)
  return Map.groupBy(rows.flatMap(callOf), ({ call }) => call)
}

/** Nobody is asked again about a call that is only told. */
function callOf({ event }: Row): readonly CallRow[] {
  return isCallRow(event) && event.type !== 'call.proposed' ? [event] : []
}

interface RecordedRows {
  readonly rows: readonly CallRow[]
  readonly answer: Answer<Json | ModelAnswer> | ChildAnswer
}

/** The rows of a call up to its answer. `undefined`: the parent did not make this call, or was not answered. */
function recordedRows(
  { journal, recording }: EffectContext,
  call: string,
  key: string,
): RecordedRows | undefined {
  const all = isAnsweredByParent(journal.run) ? (recording.get(call) ?? []) : []
  const rows = all.slice(
    0,
    all.findIndex((_, index) => callRecordOf(all.slice(0, index + 1))?.state.kind === 'answered') +
      1,
  )
  const was = callRecordOf(rows)
  return was?.key === key && was.state.kind === 'answered'
    ? { rows, answer: was.state.answer }
    : undefined
}

/** The call will be answered from the tape. */
export function isRecorded(context: EffectContext, call: string, key: string): boolean {
  return recordedRows(context, call, key) !== undefined
}

/**
 * Answers a call from the tape, with all the attempts it took the parent: its rows become rows of this journal, marked as
 * recorded. `undefined`: the tape does not hold it, and the world is asked.
 */
export function replayCall<A extends Json | ModelAnswer>(
  context: EffectContext,
  call: string,
  key: string,
): Answer<A> | undefined {
  const told = recordedRows(context, call, key)
  if (!told) return undefined
  const { more, close } = countCall(context, call)
  for (const [index, { more: _, at: __, ...event }] of told.rows.entries()) {
    if (index === told.rows.length - 1) close()
    context.journal.take({ ...event, recorded: true, ...(more() ? { more: true } : {}) })
    context.cancellation.throwIfCancelled()
  }
  return told.answer as Answer<A>
}
