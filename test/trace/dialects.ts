/** The same run as spans of several instrumentations: each model call with all messages before it. */
import { ASKED, CALLS, type Call, FOUND } from './story.ts'

interface Chat {
  readonly role: string
  readonly content: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly type: 'function'
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

const asks = ({ id, tool, args }: Call): Chat => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } }],
})
const resultOf = ({ id, text }: Call): Chat => ({ role: 'tool', content: text, tool_call_id: id })

interface Asked {
  readonly input: readonly Chat[]
  readonly reply: Chat
}

const ASKINGS: readonly Asked[] = [...CALLS, undefined].map((call, nth) => ({
  input: [
    { role: 'user', content: ASKED },
    ...CALLS.slice(0, nth).flatMap(before => [asks(before), resultOf(before)]),
  ],
  reply: call ? asks(call) : { role: 'assistant', content: FOUND },
}))

type Attributes = Readonly<Record<string, unknown>>
type Event = { readonly name: string; readonly attributes: Attributes }

const BEGUN = 1_700_000_000_000_000_000n
const span = (at: number, name: string, attributes: Attributes, more: object = {}) => ({
  traceId: 'library',
  spanId: `s${at}`,
  name,
  startTimeUnixNano: String(BEGUN + BigInt(at * 10)),
  endTimeUnixNano: String(BEGUN + BigInt(at * 10 + 9)),
  attributes,
  ...more,
})

/** Questions alone: what came of the calls stands in the next one. */
const questions = (
  attributes: (asked: Asked) => Attributes,
  events: (asked: Asked) => readonly Event[] = () => [],
) =>
  ASKINGS.map((asked, nth) => span(nth * 2, 'chat', attributes(asked), { events: events(asked) }))

const tools = (attributes: (call: Call) => Attributes) =>
  CALLS.map((call, nth) =>
    span(
      nth * 2 + 1,
      `${call.tool}.tool`,
      attributes(call),
      call.failed ? { status: { code: 2, message: call.text } } : {},
    ),
  )

function flat(prefix: string, value: unknown): Attributes {
  if (typeof value !== 'object' || value === null)
    return value === null || value === undefined ? {} : { [prefix]: value }
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, inner]) => flat(`${prefix}.${name}`, inner)),
  ) as Attributes
}

const parts = ({ role, content, tool_call_id: id, tool_calls: calls = [] }: Chat) => ({
  role,
  parts: [
    ...(role === 'tool'
      ? [{ type: 'tool_call_response', id, response: content }]
      : content === null
        ? []
        : [{ type: 'text', content }]),
    ...calls.map(({ id: call, function: { name, arguments: args } }) => ({
      type: 'tool_call',
      id: call,
      name,
      arguments: JSON.parse(args) as unknown,
    })),
  ],
})

const current = questions(({ input, reply }) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': JSON.stringify(input.map(parts)),
  'gen_ai.output.messages': [parts(reply)],
}))

const plainCalls = (chat: Chat) => ({
  ...chat,
  tool_calls: chat.tool_calls?.map(({ id, function: asked }) => ({ id, ...asked })),
})
const openllmetry = questions(({ input, reply }) => ({
  'llm.request.type': 'chat',
  ...flat('gen_ai.prompt', input.map(plainCalls)),
  ...flat('gen_ai.completion', [plainCalls(reply)]),
}))
const traceloop = tools(({ tool, args, text, failed }) => ({
  'traceloop.span.kind': 'tool',
  'traceloop.entity.name': tool,
  'traceloop.entity.input': JSON.stringify({ args: [], kwargs: args }),
  ...(failed ? {} : { 'traceloop.entity.output': JSON.stringify(text) }),
}))
const around = span(0, 'run.workflow', {
  'traceloop.span.kind': 'workflow',
  'traceloop.entity.input': '{}',
})

const wrapped = (chat: Chat) => ({
  message: {
    ...chat,
    tool_calls: chat.tool_calls?.map(({ id, function: asked }) => ({
      tool_call: { id, function: asked },
    })),
  },
})
const openinference = [
  ...questions(({ input, reply }) => ({
    'openinference.span.kind': 'LLM',
    ...flat('llm.input_messages', input.map(wrapped)),
    ...flat('llm.output_messages', [wrapped(reply)]),
  })),
  ...tools(({ tool, args, text, failed }) => ({
    'openinference.span.kind': 'TOOL',
    'tool.name': tool,
    'input.value': JSON.stringify(args),
    ...(failed ? {} : { 'output.value': text }),
  })),
]

const first = questions(({ input, reply }) => ({
  'gen_ai.system': 'openai',
  'gen_ai.prompt': JSON.stringify(input),
  'gen_ai.completion': JSON.stringify([reply]),
}))

const aiSdk = [
  ...questions(({ reply: { content, tool_calls: calls = [] } }) => ({
    'ai.operationId': 'ai.generateText.doGenerate',
    'ai.response.text': content ?? '',
    'ai.response.toolCalls': JSON.stringify(
      calls.map(({ id, function: { name, arguments: args } }) => ({
        toolCallId: id,
        toolName: name,
        input: args,
      })),
    ),
  })),
  ...tools(({ id, tool, args, text, failed }) => ({
    'ai.operationId': 'ai.toolCall',
    'ai.toolCall.name': tool,
    'ai.toolCall.id': id,
    'ai.toolCall.args': JSON.stringify(args),
    ...(failed ? {} : { 'ai.toolCall.result': JSON.stringify(text) }),
  })),
  span(0, 'ai.generateText', { 'ai.operationId': 'ai.generateText', 'ai.response.text': FOUND }),
]

/** Fields as events have them: what came of a call has its id. */
const noted = ({ role, content, tool_call_id: id, tool_calls }: Chat) => ({
  role,
  ...(content === null ? {} : { content }),
  ...(id === undefined ? {} : { id }),
  ...(tool_calls ? { tool_calls } : {}),
})
const written = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
const chat = () => ({ 'gen_ai.operation.name': 'chat' })
const inSpans = questions(chat, ({ input, reply }) => [
  ...input.map(one => ({
    name: `gen_ai.${one.role}.message`,
    attributes: written({ ...noted(one), role: undefined }),
  })),
  {
    name: 'gen_ai.choice',
    attributes: { index: 0, finish_reason: 'stop', message: JSON.stringify(noted(reply)) },
  },
])
const asJson = questions(chat, ({ input, reply }) => [
  ...input.map(one => ({
    name: `gen_ai.${one.role}.message`,
    attributes: { 'gen_ai.event.content': JSON.stringify(noted(one)) },
  })),
  {
    name: 'gen_ai.choice',
    attributes: { 'gen_ai.event.content': JSON.stringify({ message: noted(reply), index: 0 }) },
  },
])
const detailed = questions(chat, ({ input, reply }) => [
  {
    name: 'gen_ai.client.inference.operation.details',
    attributes: {
      'gen_ai.input.messages': JSON.stringify(input.map(parts)),
      'gen_ai.output.messages': JSON.stringify([parts(reply)]),
    },
  },
])

function typed(value: unknown): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(typed) } }
  if (typeof value === 'object' && value !== null)
    return {
      kvlistValue: {
        values: Object.entries(value).map(([key, inner]) => ({ key, value: typed(inner) })),
      },
    }
  return typeof value === 'number' ? { intValue: String(value) } : { stringValue: value }
}

/** The spans next to the logs, with only the name of the conversation. */
const logRecords = ASKINGS.flatMap(({ input, reply }, nth) => {
  const record = (name: string, body: object) => ({
    traceId: 'library',
    timeUnixNano: String(BEGUN + BigInt(nth * 20)),
    attributes: [{ key: 'event.name', value: { stringValue: name } }],
    body: typed(body),
  })
  return [
    ...input.map(one => record(`gen_ai.${one.role}.message`, noted(one))),
    record('gen_ai.choice', { index: 0, finish_reason: 'stop', message: noted(reply) }),
  ]
})
const logs = [
  { resourceLogs: [{ scopeLogs: [{ logRecords }] }] },
  ...tools(({ id, tool }) => ({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.call.id': id,
    'gen_ai.conversation.id': 'talk',
  })).map(
    ({ status: _, ...quiet }: ReturnType<typeof span> & { readonly status?: unknown }) => quiet,
  ),
]

/** Who has written it, and the values of the file, one a line. */
export const DIALECTS: readonly (readonly [name: string, values: readonly object[]])[] = [
  ['OpenTelemetry, without spans of tools', current],
  ['OpenTelemetry, in its first words', first],
  ['OpenTelemetry, events of spans', inSpans],
  ['OpenTelemetry, events whose fields are JSON', asJson],
  ['OpenTelemetry, one event with all', detailed],
  ['OpenTelemetry, events in a log', logs],
  ['OpenLLMetry', openllmetry],
  ['OpenLLMetry, with spans of tools', [...openllmetry, ...traceloop, around]],
  ['OpenInference', openinference],
  ['AI SDK, before version 7', aiSdk],
]
