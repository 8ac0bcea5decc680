/** A child that the parent of a fork had started: it continues there, and writes for that thread. */
import { originOf } from '../../core/fork.ts'
import type { Run } from '../../core/run/run.ts'
import { NOTHING_SPENT } from '../../core/watch/event/call-event.ts'
import { digest } from '../../core/watch/data/json.ts'
import type { EventOf, Stamped } from '../../core/watch/event/event.ts'
import { type CallRecord, childAnswer } from '../call/call-record.ts'
import { type CallId, openCall } from '../call/callable.ts'
import type { CallContext } from '../call/context.ts'
import { rowsOfOrigin } from '../call/parent-journal.ts'
import type { ChildAnswer, Graph, Ports } from '../ports.ts'
import { nestedGraphs } from './nested-graphs.ts'

/** Whether a graph, or one below it, has a tool that writes. */
export const mayWrite = (graph: Graph): boolean =>
  nestedGraphs([graph]).some(({ tools }) =>
    Object.values(tools).some(({ effects }) => effects === 'write'),
  )

/** The calls of the children that go on in the parent of a fork and may write, as far as its later events do not say otherwise. */
export async function childrenWriting(
  { store, graph }: Ports,
  thread: string,
  { watch, seq }: Run,
): Promise<readonly string[] | undefined> {
  const children = Object.entries(watch.account.reserved)
  if (children.length === 0) return undefined
  const later = await store.rows(thread, seq)
  const read = new Set(later.flatMap(({ event }) => (hasOnlyRead(event) ? [event.call] : [])))
  const calls = children.flatMap(([call, { subject }]) =>
    childMayWrite(graph, subject) && !read.has(call) ? [call] : [],
  )
  return calls.length > 0 ? calls : undefined
}

const hasOnlyRead = (event: Stamped): event is Done =>
  event.type === 'child.done' && event.effects === 'read' && event.unresolved === undefined

/** Whether a child of this graph may write. A graph that a deploy has removed may. */
export function childMayWrite({ graphs }: Graph, subject: string): boolean {
  const child = graphs?.[subject]
  return child === undefined || mayWrite(child)
}

type Done = Stamped<EventOf<'child.done'>>

/**
 * The answer of the child, from the journal of the thread that started it. While that has none, the outcome of its writes is unknown, and a
 * person is asked.
 */
export async function foreignAnswer(
  context: CallContext,
  id: CallId,
  { called }: CallRecord,
): Promise<ChildAnswer> {
  const { journal, ports, cancellation } = context
  const origin = originOf(journal.run, called) ?? { thread: '', seq: 0 }
  const rows = await rowsOfOrigin(ports.store, journal.lease.thread, origin, called)
  const answers = rows.flatMap(({ event }) => (isAnswer(event, id) ? [event] : []))
  const { fields, close } = openCall(context, id)
  close()
  const found: Omit<Done, 'more'> =
    answers[0] ?? unknownEnd(context, id, `${origin.thread}/${id.call}`)
  const event = { ...found, ...fields(), recorded: true as const }
  journal.take(event)
  await journal.flush()
  cancellation.throwIfCancelled()
  return childAnswer(event)
}

const isAnswer = (event: Stamped, { call, key }: CallId): event is Done =>
  event.type === 'child.done' && event.call === call && event.key === key

function unknownEnd({ effect, region, journal }: CallContext, id: CallId, thread: string): Done {
  const { call, subject, key } = id
  return {
    type: 'child.done',
    ...{ effect, region, call, subject, key, thread, at: journal.run.at },
    outcome: 'cancelled',
    reason: 'started-before-fork',
    because: { code: 'started-before-fork', params: { call: subject } },
    result: null,
    spent: NOTHING_SPENT,
    digest: digest(null),
    effects: 'write',
    unresolved: subject,
  }
}
