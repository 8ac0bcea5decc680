/** The state of the LangGraph graph: where the thread is, a view of its channels, and its journal if the graph has no store. */
import { Annotation, DeltaChannel } from '@langchain/langgraph'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { shownValue } from '../../core/review/review.ts'
import type { Ending, Row, Run } from '../../core/run/run.ts'
import { statusOf, type ThreadStatus } from '../../core/run/view.ts'
import { type Json, defined, mapFields } from '../../core/watch/data/json.ts'

/** A thread as the LangGraph state shows it. With a store, the store is the truth. */
export interface Position {
  readonly thread: string
  /** The number of the last event. */
  readonly seq: number
  readonly status: ThreadStatus
  /** The nodes that the last superstep performed. Regions share a superstep. */
  readonly performed: readonly string[]
  /** Set once the round has ended: `success`, `failure`, `stopped`, `cancelled` or `error`, with the reason. */
  readonly outcome?: Ending['outcome']
  readonly reason?: string
  /** Why the last input or answer was rejected. */
  readonly rejected?: string
}

/** The rows of the journal, without a store. A checkpoint holds only the rows of its superstep. */
const journal = () =>
  new DeltaChannel<readonly Row[] | undefined, readonly Row[]>(
    (before = [], writes) => [...before, ...writes.flat()],
    { initialValueFactory: () => [] },
  )

/** `input` starts a thread, or a round of a thread that has ended. `output` is the result of the round. */
const view = {
  input: Annotation<unknown>,
  escapement: Annotation<Position>,
  context: Annotation<Readonly<Record<string, Json>>>,
  output: Annotation<Json>,
}

/** With a store. */
export const State = Annotation.Root(view)

/** Without a store. */
export const StateWithJournal = Annotation.Root({ ...view, journal })

/** The values of the state. */
export type StateValues = typeof StateWithJournal.State

/** What a superstep changes of the state. */
export type StateUpdate = typeof StateWithJournal.Update

/** What a superstep shows of its thread. */
export type View = Pick<StateValues, 'escapement' | 'context'> &
  Partial<Pick<StateValues, 'input' | 'output'>>

export type Superstep = Pick<Position, 'rejected'> & {
  readonly thread: string
  readonly run: Run
  /** The rows of the superstep. */
  readonly rows: readonly Row[]
  /** The state before the superstep. */
  readonly before: StateValues
}

/** The channels of the context, as the state shows them: of a log, the number of its items. Each channel that is written costs time. */
export function viewOf(machine: AgentMachine, superstep: Superstep): View {
  const { thread, run, rows, rejected, before } = superstep
  const { ended, snapshot } = run
  const performed = rows.flatMap(({ event }) =>
    event.type === 'turn.started' ? [event.effect.replace(/#.*$/, '')] : [],
  )
  const view: Writable<View> = {
    escapement: {
      ...{ thread, seq: run.seq, status: statusOf(run), performed },
      ...defined({ outcome: ended?.outcome, reason: ended?.reason, rejected }),
    },
    context: mapFields(snapshot.context, (value, name) => shownValue(machine, name, value)),
  }
  // An invocation without an input must not repeat the last one. While a channel has no value, LangGraph throws and catches an error at each
  // superstep.
  if (before.input !== null) view.input = null
  if (ended || before.output !== null) view.output = ended?.result ?? null
  return view
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
