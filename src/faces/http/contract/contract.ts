/** The wire contract of the service: all endpoints under `/v1`. */
import { z } from 'zod'
import { ENDINGS } from '../../../core/run/run.ts'
import { ChatRequest, RunAgentInput } from './chat.ts'
import { Command, CommandResult } from './command.ts'
import { LANGGRAPH } from './langgraph.ts'
import { change, count, endpoint, name, object, ROLES, scopeKeys, seq, view } from './endpoint.ts'
import { AnsweredQuestion, Question } from './question.ts'
import { SHARED_STATE } from './shared-state.ts'
import { TALLIES, TALLY_FILTER, ThreadTally } from './tally.ts'

export const Thread = z.object({
  thread: z.string(),
  graph: z.string(),
  specHash: z.string(),
  status: z.enum(['active', 'waiting', 'ended']),
  detail: z.string(),
  outcome: z.string().optional(),
  seq: z.number().int(),
  startedAt: z.number(),
  at: z.number(),
  wakeAt: z.number().optional(),
  waits: z.array(z.object({ call: z.string(), thread: z.string(), since: z.int() })).optional(),
  tally: ThreadTally.optional(),
})

const ThreadState = z.looseObject({
  thread: z.string(),
  graph: z.string(),
  seq: z.number().int(),
  status: Thread.shape.status,
  channels: object.optional(),
  questions: z.array(Question),
})

const threadNamed = z.object({ thread: z.string() })
const Graph = z.object({ graph: z.string(), specHash: z.string() })

const NDJSON = 'application/x-ndjson'
export const SSE = 'text/event-stream'

/** Which threads a list has. */
/** The first characters of the names of threads. */
const prefix = z.string().max(500).optional()

export const THREAD_FILTER = {
  graph: name.optional(),
  status: Thread.shape.status.optional(),
  outcome: z.enum(ENDINGS).optional(),
  ...TALLY_FILTER,
  prefix,
  after: name.optional(),
}

export const CONTRACT = {
  meta: endpoint({
    ...view,
    path: '/v1/meta',
    summary: 'The version of the service, and the role of the caller',
    response: z.object({
      version: z.string(),
      protocol: z.literal(1),
      role: z.enum(ROLES),
      threads: z.string().optional().describe('The prefix of the threads of the caller'),
    }),
  }),
  session: endpoint({
    method: 'post',
    path: '/v1/session',
    summary: 'Exchange the one-time token for a cookie',
    body: z.strictObject({ token: z.string().max(200) }),
    status: 204,
  }),
  listThreads: endpoint({
    ...view,
    path: '/v1/threads',
    summary:
      'List threads by name, or the latest ones first. `next` continues a list by name as `after`. `stale`: all open threads of other versions of the graphs',
    query: z
      .strictObject({
        ...THREAD_FILTER,
        stale: z.literal('true').optional(),
        order: z.literal('latest').optional(),
        limit: count(1_000).min(1).default(50),
      })
      .refine(({ after, order }) => after === undefined || order === undefined, {
        error: 'after: continues a list by name; expected no `order`',
      })
      .refine(({ stale, limit: _, ...filter }) => !stale || Object.keys(filter).length === 0, {
        error: 'stale: lists all open threads of other versions; expected no filter',
      }),
    response: z.object({ threads: z.array(Thread), next: z.string().optional() }),
  }),
  ...TALLIES,
  startThread: endpoint({
    ...change,
    role: 'operate',
    path: '/v1/threads',
    summary: 'Start a thread. Answers after its first event is stored',
    takesKey: true,
    body: z.strictObject({
      graph: name,
      input: object.default({}),
      thread: name.optional(),
      keys: scopeKeys.optional(),
      policy: object.optional().describe('A change of the policy. Role: admin.'),
      seed: z
        .int()
        .min(0)
        .max(2 ** 32)
        .optional(),
    }),
    status: 201,
    response: threadNamed,
  }),
  thread: endpoint({
    ...view,
    path: '/v1/threads/{thread}',
    summary: 'The state of a thread: now, or after event `at`. `channels=false`: without channels',
    query: z.strictObject({ at: seq.optional(), channels: z.enum(['true', 'false']).optional() }),
    response: ThreadState,
  }),
  rows: endpoint({
    ...view,
    path: '/v1/threads/{thread}/rows',
    summary: 'The journal after event `after`, one row a line. `lite`: without empty fields',
    query: z.strictObject({
      after: seq.default(-1),
      limit: count(1_000_000).min(1).default(10_000),
      fields: z.enum(['full', 'lite']).optional(),
    }),
    returns: NDJSON,
  }),
  threadGraph: endpoint({
    ...view,
    path: '/v1/threads/{thread}/graph',
    summary:
      'The graph that a thread runs: its identity, its chart, its spec, and the results of tools',
    response: Graph.extend({
      chart: z.looseObject({}).optional(),
      spec: z.json().optional(),
      results: z
        .record(z.string(), object)
        .optional()
        .describe('JSON Schemas by the names of tools'),
    }),
  }),
  checkpoints: endpoint({
    ...view,
    path: '/v1/threads/{thread}/checkpoints',
    summary: 'The events that have a stored checkpoint, latest first',
    query: z.strictObject({ before: seq.optional(), limit: count(1_000).min(1).default(100) }),
    response: z.object({ checkpoints: z.array(z.number().int()) }),
  }),
  command: endpoint({
    ...change,
    role: 'operate',
    path: '/v1/threads/{thread}/commands',
    summary: 'Command a thread. Answers after the command is applied',
    takesKey: true,
    body: Command,
    response: CommandResult,
  }),
  exportThread: endpoint({
    ...view,
    path: '/v1/threads/{thread}/export',
    summary: 'The archive of a thread and its child threads',
    returns: NDJSON,
  }),
  importThread: endpoint({
    ...change,
    role: 'admin',
    path: '/v1/import',
    summary: 'Import an archive',
    query: z.strictObject({ as: name.optional() }),
    accepts: [NDJSON, 'application/gzip'],
    status: 201,
    response: threadNamed,
  }),
  threadStream: endpoint({
    ...view,
    path: '/v1/threads/{thread}/stream',
    summary: 'The events of a thread after `after` or `Last-Event-ID`, in batches',
    query: z.strictObject({
      after: seq.optional(),
      until: z.enum(['ended', 'waiting']).optional(),
    }),
    returns: SSE,
  }),
  stream: endpoint({
    ...view,
    path: '/v1/stream',
    summary: 'The rows of all threads from now on or from `Last-Event-ID`, in batches',
    returns: SSE,
  }),
  inbox: endpoint({
    ...view,
    path: '/v1/inbox',
    summary: 'The open questions of the threads whose deadlines come first',
    query: z.strictObject({ prefix, limit: count(1_000).min(1).default(200) }),
    response: z.object({ questions: z.array(Question) }),
  }),
  answered: endpoint({
    ...view,
    path: '/v1/inbox/answered',
    summary: 'The latest answers to questions, of the threads that changed last',
    query: z.strictObject({ prefix, limit: count(200).min(1).default(50) }),
    response: z.object({ answered: z.array(AnsweredQuestion) }),
  }),
  ...SHARED_STATE,
  graphs: endpoint({
    ...view,
    path: '/v1/graphs',
    summary: 'The graphs of the service',
    response: z.object({ graphs: z.array(Graph) }),
  }),
  graph: endpoint({
    ...view,
    path: '/v1/graphs/{graph}',
    summary: 'The spec of a graph, its lint findings, and the most it can spend',
    response: Graph.extend({
      spec: z.json(),
      findings: z.array(z.looseObject({})),
      worstCase: z.looseObject({}),
    }),
  }),
  drawing: endpoint({
    ...view,
    path: '/v1/graphs/{graph}/drawing',
    summary: 'A drawing of a graph',
    query: z.strictObject({ as: z.enum(['text', 'mermaid', 'dot', 'json']).default('text') }),
    returns: 'text/plain',
  }),
  chat: endpoint({
    method: 'post',
    path: '/chat',
    role: 'operate',
    summary: 'Talk to a thread by the UI message stream of the AI SDK',
    body: ChatRequest,
    status: 200,
    returns: SSE,
  }),
  agUi: endpoint({
    method: 'post',
    path: '/ag-ui',
    role: 'operate',
    summary: 'Talk to a thread by AG-UI',
    body: RunAgentInput,
    status: 200,
    returns: SSE,
  }),
  mcp: endpoint({
    method: 'post',
    path: '/mcp',
    role: 'view',
    summary: 'Debug threads by MCP. Changes need the role operate, and a service that allows them',
    body: object,
    status: 200,
  }),
  chatStream: endpoint({
    ...view,
    path: '/chat/{thread}/stream',
    summary: 'The running answer of a chat, from its start. 204 without one',
    returns: SSE,
  }),
  ...LANGGRAPH,
} as const
