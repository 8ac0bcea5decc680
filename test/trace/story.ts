/** A short run as each framework records it: a question, three calls that fail in the same way, and another call. */

export const ASKED = 'Where is the library?'
export const FOUND = 'At the market, number 4.'
const ERROR = 'Error: no such street'

export interface Call {
  readonly id: string
  readonly tool: string
  readonly args: { readonly street: string }
  readonly text: string
  readonly failed: boolean
}

const lost = (id: string): Call => ({
  id,
  tool: 'find',
  args: { street: 'Bok Lane' },
  text: ERROR,
  failed: true,
})
export const CALLS: readonly Call[] = [
  lost('c1'),
  lost('c2'),
  lost('c3'),
  { id: 'c4', tool: 'find', args: { street: 'Book Lane' }, text: FOUND, failed: false },
]

const lines = (values: readonly unknown[]) =>
  values.map(value => `${JSON.stringify(value)}\n`).join('')
const pretty = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

const own = {
  id: 'library',
  events: [
    { t: 'say', who: 'user', text: ASKED },
    ...CALLS.flatMap(({ id, tool, args, text, failed }) => [
      { t: 'call', id, tool, args },
      { t: 'result', id, ok: !failed, text },
    ]),
    { t: 'say', text: FOUND },
  ],
}

const langchain = [
  { type: 'system', content: 'You know the town.' },
  { type: 'human', content: ASKED },
  ...CALLS.flatMap(({ id, tool, args, text, failed }) => [
    { type: 'ai', content: '', tool_calls: [{ id, name: tool, args, type: 'tool_call' }] },
    { type: 'tool', content: text, tool_call_id: id, status: failed ? 'error' : 'success' },
  ]),
  { type: 'ai', content: [{ type: 'text', text: FOUND }], tool_calls: [] },
]

const CLASSES: Readonly<Record<string, string>> = {
  system: 'SystemMessage',
  human: 'HumanMessage',
  ai: 'AIMessageChunk',
  tool: 'ToolMessage',
}
const serialised = langchain.map(({ type, ...kwargs }) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', CLASSES[type]],
  kwargs,
}))
const stored = langchain.map(({ type, ...data }) => ({ type, data }))

const chat = [
  { role: 'developer', content: 'You know the town.' },
  { role: 'user', content: [{ type: 'text', text: ASKED }] },
  ...CALLS.flatMap(({ id, tool, args, text }) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } },
      ],
    },
    { role: 'tool', tool_call_id: id, content: text },
  ]),
  { role: 'assistant', content: FOUND },
]

const roles = langchain.map(({ type, ...message }) => ({
  role: type === 'human' ? 'user' : type === 'ai' ? 'assistant' : type,
  ...message,
}))
const older = langchain.map(({ tool_calls = [], ...message }) => ({
  ...message,
  additional_kwargs: {
    tool_calls: tool_calls.map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })),
  },
}))
const thread = {
  config: { configurable: { thread_id: 'library', checkpoint_ns: '' } },
  next: [],
  tasks: [],
}
/** The history of a thread, newest first; and in any order, with times. */
const history = [langchain, langchain.slice(0, 4), []].map(messages => ({
  values: { messages },
  ...thread,
}))
const checkpoints = [langchain.slice(0, 4), langchain, []].map((messages, at) => ({
  ...thread,
  checkpoint: { ts: `2026-01-05T10:0${[1, 2, 0][at]}:00Z`, channel_values: { messages } },
}))

const items: readonly Readonly<Record<string, unknown>>[] = [
  { role: 'user', content: [{ type: 'input_text', text: ASKED }] },
  ...CALLS.flatMap(({ id, tool, args, text }) => [
    { type: 'reasoning', id: `r${id}`, summary: [] },
    {
      type: 'function_call',
      id: `f${id}`,
      call_id: id,
      name: tool,
      arguments: JSON.stringify(args),
      status: 'completed',
    },
    { type: 'function_call_output', call_id: id, output: text },
  ]),
  {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: FOUND, annotations: [] }],
  },
]
/** What the Agents SDK calls history. */
const agents = items.map(({ type, call_id: callId, ...item }) => {
  if (type === 'function_call') return { type, callId, ...item }
  return type === 'function_call_output'
    ? { type: 'function_call_result', callId, output: { type: 'text', text: item.output } }
    : { type: type ?? 'message', ...item }
})

const contents = [
  ...CALLS.map(({ id, tool, args, text, failed }) => [
    { type: 'reasoning', text: 'hm' },
    { type: 'tool-call', toolCallId: id, toolName: tool, input: args },
    failed
      ? { type: 'tool-error', toolCallId: id, toolName: tool, error: { message: text } }
      : { type: 'tool-result', toolCallId: id, toolName: tool, output: text },
  ]),
  [{ type: 'text', text: FOUND }],
].map(content => ({ content, finishReason: 'stop' }))

const steps = [
  ...CALLS.map(({ id, tool, args, text }) => ({
    text: '',
    toolCalls: [{ toolCallId: id, toolName: tool, input: args }],
    toolResults: [{ toolCallId: id, output: text }],
  })),
  { text: FOUND, toolCalls: [], toolResults: [] },
]

const oldSteps = steps.map(({ toolCalls, toolResults, ...step }) => ({
  ...step,
  stepType: 'tool-result',
  toolCalls: toolCalls.map(({ input: args, ...call }) => ({ ...call, type: 'tool-call', args })),
  toolResults: toolResults.map(({ output: result, ...answer }) => ({
    ...answer,
    type: 'tool-result',
    result,
  })),
}))
const given = [
  { role: 'system', content: 'You know the town.' },
  { role: 'user', content: ASKED },
  ...CALLS.flatMap(({ id, tool, args, text, failed }) => [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: id, toolName: tool, input: args }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: id,
          toolName: tool,
          output: { type: failed ? 'error-text' : 'text', value: text },
        },
      ],
    },
  ]),
  { role: 'assistant', content: FOUND },
]
const shown = (part: (call: Call) => object) => [
  { id: 'm1', role: 'user', parts: [{ type: 'text', text: ASKED }] },
  {
    id: 'm2',
    role: 'assistant',
    parts: [
      ...CALLS.flatMap(call => [{ type: 'step-start' }, part(call)]),
      { type: 'step-start' },
      { type: 'text', text: FOUND, state: 'done' },
    ],
  },
]
const came = ({ id, args, text, failed }: Call) => ({
  toolCallId: id,
  input: args,
  ...(failed
    ? { state: 'output-error', errorText: text }
    : { state: 'output-available', output: text }),
})

const NS = 1_700_000_000_000_000_000n
const GEN = 'gen_ai.'
const chatted = (parts: readonly unknown[]) => ({
  [`${GEN}operation.name`]: 'chat',
  [`${GEN}output.messages`]: JSON.stringify([{ role: 'assistant', parts, finish_reason: 'stop' }]),
})
const executed = ({ id, tool, args, text, failed }: Call) => ({
  [`${GEN}operation.name`]: 'execute_tool',
  [`${GEN}tool.name`]: tool,
  [`${GEN}tool.call.id`]: id,
  [`${GEN}tool.call.arguments`]: JSON.stringify(args),
  ...(failed ? {} : { [`${GEN}tool.call.result`]: text }),
})

const deeds = [
  ...CALLS.flatMap(call => [
    {
      name: 'chat',
      attributes: chatted([
        { type: 'tool_call', id: call.id, name: call.tool, arguments: call.args },
      ]),
      status: {},
    },
    {
      name: `execute_tool ${call.tool}`,
      attributes: executed(call),
      status: call.failed ? { code: 2, message: call.text } : { code: 1 },
    },
  ]),
  { name: 'chat', attributes: chatted([{ type: 'text', content: FOUND }]), status: {} },
  { name: 'GET /', attributes: { 'http.method': 'GET' }, status: {} },
]

const spans = deeds.map((deed, at) => ({
  traceId: 'library',
  spanId: `s${at}`,
  ...deed,
  startTimeUnixNano: String(NS + BigInt(at * 10)),
  endTimeUnixNano: String(NS + BigInt(at * 10 + 9)),
}))
const typed = spans.map(({ attributes, ...span }) => ({
  ...span,
  attributes: Object.entries(attributes).map(([key, stringValue]) => ({
    key,
    value: { stringValue },
  })),
}))
const exported = (some: readonly unknown[]) => ({
  resourceSpans: [{ resource: {}, scopeSpans: [{ spans: some }] }],
})
const printed = spans.map(
  ({ traceId, spanId, startTimeUnixNano: from, endTimeUnixNano: to, status, ...span }) => ({
    ...span,
    context: { trace_id: traceId, span_id: spanId },
    start_time: dateOf(from),
    end_time: dateOf(to),
    status:
      'code' in status && status.code === 2
        ? { status_code: 'ERROR', description: status.message }
        : { status_code: 'UNSET' },
  }),
)

/** With the last digits as µs: that is where Python's dates end. */
function dateOf(ns: string): string {
  return `2026-01-05T10:00:00.000${ns.slice(-3)}Z`
}

/** The format, how it is written, and the file. */
export const WRITTEN = [
  ['trace', 'a line', lines([own])],
  ['trace', 'a whole file', pretty(own)],
  ['langgraph', 'a list', pretty(langchain)],
  ['langgraph', 'lines', lines(langchain)],
  ['langgraph', 'a state', lines([{ messages: langchain }])],
  ['langgraph', 'serialised', pretty(serialised)],
  ['langgraph', 'stored', lines(stored)],
  ['langgraph', 'by roles', pretty({ messages: roles })],
  ['langgraph', 'with the calls of the provider', lines(older)],
  ['langgraph', 'a snapshot', lines(history.slice(0, 1))],
  ['langgraph', 'the history of a thread', pretty(history)],
  ['langgraph', 'its checkpoints', pretty(checkpoints)],
  ['openai', 'items of responses', lines(items)],
  ['openai', 'a request for a response', pretty({ model: 'small', input: items, tools: [] })],
  ['openai', 'a stored page of items', lines([{ object: 'list', data: items }])],
  ['openai', 'the history of its agents', pretty(agents)],
  ['openai', 'a list in a line', lines([chat])],
  ['openai', 'lines', lines(chat)],
  ['openai', 'a conversation', pretty({ model: 'small', messages: chat })],
  ['ai-sdk', 'steps', pretty({ steps })],
  ['ai-sdk', 'lines', lines(steps)],
  ['ai-sdk', 'contents', pretty(contents)],
  ['ai-sdk', 'steps of version 4', pretty({ steps: oldSteps })],
  ['ai-sdk', 'messages for a model', pretty(given)],
  [
    'ai-sdk',
    'messages for people',
    pretty(shown(call => ({ type: `tool-${call.tool}`, ...came(call) }))),
  ],
  [
    'ai-sdk',
    'messages for people, with tools known late',
    lines(shown(call => ({ type: 'dynamic-tool', toolName: call.tool, ...came(call) }))),
  ],
  ['otel', 'lines', lines(spans)],
  ['otel', 'lines in the order in which they ended, or were sent', lines(spans.toReversed())],
  ['otel', 'an export', pretty(exported(typed))],
  ['otel', 'exports, one a line', lines(typed.map(span => exported([span])))],
  ['otel', 'as Python prints them', lines(printed.toReversed())],
  ['otel', 'tools alone', lines(spans.filter(({ name }) => name !== 'chat'))],
] as const
