/** LangGraph with each of its savers, with a plain channel of messages and with a `DeltaChannel`, which stores what a step adds. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Annotation,
  type BaseCheckpointSaver,
  DeltaChannel,
  END,
  MemorySaver,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { peerFile } from '../langgraph.ts'
import { type Agent, checkSteps, type Contestant, stepOf } from './contestant.ts'
import { bytesOfSchema, emptySchema, schemaOf } from './database.ts'
import { bytesOfFile } from './file.ts'

type Messages = readonly string[]

const plain = () =>
  Annotation<Messages>({ reducer: (before, more) => before.concat(more), default: () => [] })
/** An annotation is a function that makes its channel. */
const delta = () =>
  (() =>
    new DeltaChannel<Messages, Messages>((before, writes) => before.concat(...writes), {
      initialValueFactory: () => [],
    })) as unknown as ReturnType<typeof plain>

const CHANNELS = { '': plain, ' + DeltaChannel': delta }

const THREAD = { configurable: { thread_id: 'bench' } }

/** The agent as a graph of LangGraph. */
export function graphOf(agent: Agent, messages = plain(), checkpointer?: BaseCheckpointSaver) {
  const State = Annotation.Root({
    nth: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
    messages,
  })
  return new StateGraph(State)
    .addNode('step', async ({ nth }) => ({ nth: nth + 1, messages: [stepOf(agent, nth)] }))
    .addEdge(START, 'step')
    .addConditionalEdges('step', ({ nth }) => (nth >= agent.steps ? END : 'step'))
    .compile(checkpointer ? { checkpointer } : {})
}

async function runGraph(
  agent: Agent,
  messages: ReturnType<typeof plain>,
  saver?: BaseCheckpointSaver,
) {
  // `sync`: a step is stored before the next begins.
  const options = { ...THREAD, recursionLimit: agent.steps + 10, durability: 'sync' as const }
  const end = await graphOf(agent, messages, saver).invoke({}, options)
  checkSteps(agent, end.messages.length)
}

/** Reads the state with a new saver. */
async function resumeGraph(
  agent: Agent,
  messages: ReturnType<typeof plain>,
  saver: BaseCheckpointSaver,
) {
  const { values } = await graphOf(agent, messages, saver).getState(THREAD)
  checkSteps(agent, values.messages.length)
}

/** The savers store the whole state at each step without a `DeltaChannel`. */
export const langGraphs = (url: string): readonly Contestant[] =>
  Object.entries(CHANNELS).flatMap(([suffix, channel]) => {
    const longest = suffix === '' ? 1_000 : 10_000
    const named = (saver: string) => `LangGraph${saver}${suffix}`
    return [
      {
        name: named(''),
        survives: 'nothing',
        async run(agent) {
          await runGraph(agent, channel())
          return {}
        },
      },
      {
        name: named(', MemorySaver'),
        survives: 'nothing',
        longest,
        async run(agent) {
          await runGraph(agent, channel(), new MemorySaver())
          return {}
        },
      },
      {
        name: named(', SqliteSaver'),
        survives: 'a kill',
        longest,
        async run(agent) {
          const folder = await mkdtemp(join(tmpdir(), 'escapement-bench-'))
          const file = join(folder, 'bench.db')
          const saver = await peerFile(file)
          await runGraph(agent, channel(), saver)
          saver.db.close()
          return {
            bytes: () => bytesOfFile(file),
            resume: async () => {
              const again = await peerFile(file)
              await resumeGraph(agent, channel(), again)
              again.db.close()
            },
            close: () => rm(folder, { recursive: true, force: true }),
          }
        },
      },
      {
        name: named(', PostgresSaver'),
        survives: 'a power failure',
        longest,
        prepare: () => emptySchema(url, 'langgraph'),
        async run(agent) {
          const schema = schemaOf('langgraph')
          const open = async () => {
            const saver = PostgresSaver.fromConnString(url, { schema })
            await saver.setup()
            return saver
          }
          const saver = await open()
          await runGraph(agent, channel(), saver)
          await saver.end()
          return {
            bytes: () => bytesOfSchema(url, schema),
            resume: async () => {
              const again = await open()
              await resumeGraph(agent, channel(), again)
              await again.end()
            },
          }
        },
      },
    ] satisfies readonly Contestant[]
  })
