/** The endpoints of the LangGraph server wire (protocol v2), as far as its client needs them for threads. */
import { z } from 'zod'
import { AnswerPayload } from './chat.ts'
import { endpoint } from './endpoint.ts'

const PATH = '/langgraph/threads/{thread}'
const record = z.record(z.string(), z.json())

/** A message of LangChain. Clients of earlier versions send `role` in place of `type`. */
const Message = z.looseObject({
  id: z.string().max(500).optional(),
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]),
})
export type LangChainMessage = z.infer<typeof Message>

/** `input` is the input of the graph. The last of its `messages` is the first text of the graph's input. */
export const RunStart = z.looseObject({
  assistant_id: z.string().min(1).max(500),
  input: z.looseObject({ messages: z.union([Message, z.array(Message)]).optional() }),
})

const Answer = z.looseObject({ interrupt_id: z.string(), response: AnswerPayload })
export const InputRespond = z.union([
  z.looseObject({ responses: z.array(Answer).min(1) }),
  Answer.transform(one => ({ responses: [one] })),
])

export const StreamFilter = z.looseObject({
  channels: z.array(z.string().max(500)).max(100),
  namespaces: z.array(z.array(z.string())).optional(),
  since: z.int().min(0).optional(),
})
export type StreamFilter = z.infer<typeof StreamFilter>

const history = z.int().min(1).max(20).default(10)

export const LANGGRAPH = {
  langGraphCreate: endpoint({
    method: 'post',
    path: '/langgraph/threads',
    role: 'operate',
    summary: 'LangGraph: name a thread. Its first run starts it',
    body: z.looseObject({
      thread_id: z.string().min(1).max(500).optional(),
      metadata: record.optional(),
    }),
    status: 200,
  }),
  langGraphThread: endpoint({
    method: 'get',
    path: PATH,
    role: 'view',
    summary: 'LangGraph: a thread with its values and interrupts',
    status: 200,
  }),
  langGraphState: endpoint({
    method: 'get',
    path: `${PATH}/state`,
    role: 'view',
    summary: 'LangGraph: the state of a thread',
    status: 200,
  }),
  langGraphHistory: endpoint({
    method: 'post',
    path: `${PATH}/history`,
    role: 'view',
    summary: 'LangGraph: the states of a thread at its checkpoints, latest first',
    body: z.looseObject({ limit: history }),
    status: 200,
  }),
  langGraphCommand: endpoint({
    method: 'post',
    path: `${PATH}/commands`,
    role: 'operate',
    summary: 'LangGraph: start a run, or answer its interrupts',
    body: z.looseObject({ id: z.int().min(0), method: z.string().max(100), params: z.json() }),
    status: 200,
  }),
  langGraphCancel: endpoint({
    method: 'post',
    path: `${PATH}/runs/{run}/cancel`,
    role: 'operate',
    summary: 'LangGraph: cancel the current run of a thread',
    status: 204,
  }),
  langGraphEvents: endpoint({
    method: 'post',
    path: `${PATH}/stream/events`,
    role: 'view',
    summary: 'LangGraph: the events of a thread from its start, until the client leaves',
    body: StreamFilter,
    status: 200,
    returns: 'text/event-stream',
  }),
} as const
