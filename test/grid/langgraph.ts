/** A `StateGraph` of LangGraph: a node for the model, and a `ToolNode`. Wrapped, both nodes report to the watchdog by hand. */
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt'
import { z } from 'zod'
import { rethinkMessage } from '../../src/core/watch/wrapped/state.ts'
import { guardOf, type Guarding, type Loop, type Talk, TURNS } from './arm.ts'
import { Scripted } from './langchain.ts'
import { callTool } from './plain.ts'

type State = typeof MessagesAnnotation.State

/** The nodes of a graph, and whether the watchdog has ended the run. */
interface Nodes {
  readonly agent: (state: State) => Promise<Partial<State>>
  readonly tools: ToolNode | ((state: State) => Promise<Partial<State>>)
  readonly isEnded: () => boolean
}

function bare(talk: Talk): Nodes {
  const model = new Scripted(talk)
  const tools = Object.entries(talk.tools).map(([name, run]) =>
    tool(run, { name, description: name, schema: z.looseObject({}) }),
  )
  return {
    agent: async ({ messages }) => ({ messages: [await model.invoke(messages)] }),
    tools: new ToolNode(tools),
    isEnded: () => false,
  }
}

function wrapped(talk: Talk, guarding: Guarding): Nodes {
  const model = new Scripted(talk)
  const monitor = guardOf(guarding)
  const { now } = guarding
  const isEnded = () => monitor.state.ended !== undefined
  monitor.userMessage(talk.opening, now())
  return {
    isEnded,
    async agent({ messages }) {
      monitor.beforeModelCall(now())
      if (isEnded()) return {}
      const notes = monitor.rethinking ? [new HumanMessage(rethinkMessage(monitor.rethinking))] : []
      const reply = await model.invoke([...messages, ...notes])
      if (reply.tool_calls?.length === 0)
        monitor.afterModelTurn({ at: now(), text: reply.text, calls: [] })
      return { messages: [...notes, reply] }
    },
    async tools({ messages }) {
      const { tool_calls: requests = [] } = messages.at(-1) as BaseMessage & {
        tool_calls?: { id?: string; name: string; args: object }[]
      }
      const made = await Promise.all(
        requests.map(({ name, args }) => callTool(talk, { tool: name, args }, { monitor, now })),
      )
      monitor.afterModelTurn({ at: now(), text: '', calls: made.map(({ call }) => call) })
      const answers = made.map(({ seen }, index) => {
        const { id = '', name } = requests[index] ?? { name: '' }
        const value = seen.kind === 'result' ? seen.value : undefined
        const content = value === undefined ? 'Error: the call failed' : JSON.stringify(value)
        return new ToolMessage({ content, tool_call_id: id, name })
      })
      return { messages: answers }
    },
  }
}

export const langGraph: Loop = {
  name: 'LangGraph',
  async talk(talk, guarding) {
    const { agent, tools, isEnded } = guarding ? wrapped(talk, guarding) : bare(talk)
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('agent', agent)
      .addNode('tools', tools)
      .addEdge(START, 'agent')
      .addConditionalEdges('agent', state => (isEnded() ? END : toolsCondition(state)), [
        'tools',
        END,
      ])
      .addConditionalEdges('tools', () => (isEnded() ? END : 'agent'), ['agent', END])
      .compile()
    try {
      const messages = [new HumanMessage(talk.opening)]
      // A model call and its tools are two steps.
      const result = await graph.invoke({ messages }, { recursionLimit: 2 * TURNS })
      return isEnded() ? undefined : result.messages.at(-1)?.text
    } catch {
      return undefined
    }
  },
}
