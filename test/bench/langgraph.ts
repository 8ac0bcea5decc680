/** The agent of `lap.ts` in LangGraph: the peer. */
import { Annotation, type BaseCheckpointSaver, END, START, StateGraph } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { LAP, type Length, lookUp, messageOf, questionOf } from './lap.ts'

export const LANGGRAPH = '@langchain/langgraph 1.7.3'
export const SQLITE_SAVER = `${LANGGRAPH}, SqliteSaver 1.0.4`

const State = Annotation.Root({
  lap: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  messages: Annotation<string[]>({
    reducer: (before, more) => before.concat(more),
    default: () => [],
  }),
})

/** Runs the agent to its end. */
export async function peerRun(
  { laps, messages }: Length,
  checkpointer?: BaseCheckpointSaver,
): Promise<void> {
  const said = (lap: number) => (messages === 'each step' ? { messages: [messageOf(lap)] } : {})
  const graph = new StateGraph(State)
    .addNode('plan', async ({ lap }) => said(lap))
    .addNode('act', async ({ lap }) => {
      await lookUp({ q: questionOf(lap) })
      return said(lap)
    })
    .addNode('observe', async ({ lap }) => ({ lap: lap + 1, messages: [messageOf(lap + 1)] }))
    .addNode('check', async ({ lap }) => said(lap))
    .addEdge(START, 'plan')
    .addEdge('plan', 'act')
    .addEdge('act', 'observe')
    .addEdge('observe', 'check')
    .addConditionalEdges('check', ({ lap }) => (lap >= laps ? END : 'plan'))
    .compile(checkpointer ? { checkpointer } : {})
  // `sync`: a step is stored before the next begins, as ours is.
  const end = await graph.invoke(
    {},
    { configurable: { thread_id: 'bench' }, recursionLimit: laps * LAP + 10, durability: 'sync' },
  )
  if (end.lap !== laps) throw new Error(`the peer ended after ${end.lap} laps`)
}

/** A new file for the peer's checkpoints, with its tables. */
export async function peerFile(file: string): Promise<SqliteSaver> {
  const saver = SqliteSaver.fromConnString(file)
  await saver.getTuple({ configurable: { thread_id: 'bench' } })
  const durability = [
    saver.db.pragma('journal_mode', { simple: true }),
    saver.db.pragma('synchronous', { simple: true }),
  ]
  // The SQLite in better-sqlite3 is built with NORMAL (1) as its default for the write-ahead log. Another would be another comparison.
  if (durability.join() !== 'wal,1')
    throw new Error(`the peer runs at another durability: ${durability.join()}`)
  return saver
}
