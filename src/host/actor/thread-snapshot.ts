/** The snapshot of an actor that shows a thread. */
import type { Snapshot } from 'xstate'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import type { Run } from '../../core/run/run.ts'
import { channelValues, type OpenQuestion, questionsOf } from '../../core/run/view.ts'
import { computed } from '../../core/watch/data/computed.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { resultOf, type ThreadResult } from '../thread/result.ts'
import type { StartOptions } from '../runtime.ts'

/** The input of an actor. */
export interface ThreadInput<Input> extends Pick<StartOptions, 'thread' | 'keys' | 'seed'> {
  /** Starts the thread if the store does not hold it. Without it, the thread must exist. */
  readonly input?: Input
}

interface Shown<Channels> {
  readonly thread: string
  /** The number of the last event; -1 before the first. */
  readonly seq: number
  /** The active states, in the notation of XState. */
  readonly value: Json
  /** The channels. An append channel is a list. */
  readonly context: Channels
  readonly questions: readonly OpenQuestion[]
  /** All of the thread, as plain JSON. Absent until the actor has read the thread. */
  readonly run?: Run
  /** How the thread starts, until its first event is stored. */
  readonly start?: Pick<ThreadInput<Json>, 'input' | 'keys' | 'seed'>
}

/** The snapshot of a thread. The status `done` has the result of the thread as its output, whatever the outcome is. */
export type ThreadSnapshot<Output = unknown, Channels = Readonly<Record<string, Json>>> = Snapshot<
  ThreadResult<Output>
> &
  Shown<Channels>

const ACTIVE = { status: 'active', output: undefined, error: undefined } as const

/** The snapshot of a thread that has not been read yet. */
export const unread = (known: Pick<ThreadSnapshot, 'thread' | 'seq' | 'value' | 'start'>) =>
  ({ ...ACTIVE, context: {}, questions: [], ...known }) as ThreadSnapshot

interface RunOf {
  readonly machine: AgentMachine
  readonly run: Run
  /** The actor ends with this run. */
  readonly isLast: boolean
}

/** The snapshot of a run. The context is built when it is read, because its lists grow with the thread. */
export function snapshotOf(thread: string, { machine, run, isLast }: RunOf) {
  const { seq, snapshot } = run
  const status = isLast
    ? { ...ACTIVE, status: 'done', output: resultOf({ ...run, spent: run.watch.account.spent }) }
    : ACTIVE
  const shown = { ...status, thread, seq, run, value: snapshot.value, questions: questionsOf(run) }
  return withContext(shown, { machine, run }) as unknown as ThreadSnapshot
}

const withContext = computed<Pick<RunOf, 'machine' | 'run'>, { readonly context: object }>({
  context: ({ machine, run }) => channelValues(machine, run),
})

/** What a store of snapshots keeps: the name of the thread. The store of the runtime has the rest. */
export function persisted(snapshot: ThreadSnapshot): Snapshot<unknown> {
  const { status, output, error, thread, seq, value, start } = snapshot
  return { status, output, error, thread, seq, value, ...(start && { start }) } as Snapshot<unknown>
}

/** @throws TypeError for the snapshot of another kind of actor */
export function restored(snapshot: Snapshot<unknown>): ThreadSnapshot {
  const { thread } = snapshot as Partial<ThreadSnapshot>
  if (typeof thread !== 'string')
    throw new TypeError(
      'snapshot.thread: expected the name of a thread, as getPersistedSnapshot of this logic returns it',
    )
  return { context: {}, questions: [], ...snapshot } as unknown as ThreadSnapshot
}
