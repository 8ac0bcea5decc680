/** One little story as each framework would have written it down: a question, three calls that fail in the same way, and then another one. */

const ASKED = 'Where is the library?'
const FOUND = 'At the market, number 4.'
const ERROR = 'Error: no such street'

interface Call {
  readonly id: string
  readonly tool: string
  readonly args: { readonly street: string }
  readonly text: string
  readonly failed: boolean
}

const lost = (id: string): Call => ({ id, tool: 'find', args: { street: 'Bok Lane' }, text: ERROR, failed: true })
export const CALLS: readonly Call[] = [lost('c1'), lost('c2'), lost('c3'), { id: 'c4', tool: 'find', args: { street: 'Book Lane' }, text: FOUND, failed: false }]

const lines = (values: readonly unknown[]) => values.map(value => `${JSON.stringify(value)}\n`).join('')
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

const CLASSES: Readonly<Record<string, string>> = { system: 'SystemMessage', human: 'HumanMessage', ai: 'AIMessageChunk', tool: 'ToolMessage' }
const serialised = langchain.map(({ type, ...kwargs }) => ({ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', CLASSES[type]], kwargs }))
const stored = langchain.map(({ type, ...data }) => ({ type, data }))

const chat = [
  { role: 'developer', content: 'You know the town.' },
  { role: 'user', content: [{ type: 'text', text: ASKED }] },
  ...CALLS.flatMap(({ id, tool, args, text }) => [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } }] },
    { role: 'tool', tool_call_id: id, content: text },
  ]),
  { role: 'assistant', content: FOUND },
]

const contents = [
  ...CALLS.map(({ id, tool, args, text, failed }) => [
    { type: 'reasoning', text: 'hm' },
    { type: 'tool-call', toolCallId: id, toolName: tool, input: args },
    failed ? { type: 'tool-error', toolCallId: id, toolName: tool, error: { message: text } } : { type: 'tool-result', toolCallId: id, toolName: tool, output: text },
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
    { name: 'chat', attributes: chatted([{ type: 'tool_call', id: call.id, name: call.tool, arguments: call.args }]), status: {} },
    { name: `execute_tool ${call.tool}`, attributes: executed(call), status: call.failed ? { code: 2, message: call.text } : { code: 1 } },
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
const typed = spans.map(({ attributes, ...span }) => ({ ...span, attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })) }))
const exported = (some: readonly unknown[]) => ({ resourceSpans: [{ resource: {}, scopeSpans: [{ spans: some }] }] })
const printed = spans.map(({ traceId, spanId, startTimeUnixNano: from, endTimeUnixNano: to, status, ...span }) => ({
  ...span,
  context: { trace_id: traceId, span_id: spanId },
  start_time: dateOf(from),
  end_time: dateOf(to),
  status: 'code' in status && status.code === 2 ? { status_code: 'ERROR', description: status.message } : { status_code: 'UNSET' },
}))

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
  ['openai', 'a list in a line', lines([chat])],
  ['openai', 'lines', lines(chat)],
  ['openai', 'a conversation', pretty({ model: 'small', messages: chat })],
  ['ai-sdk', 'steps', pretty({ steps })],
  ['ai-sdk', 'lines', lines(steps)],
  ['ai-sdk', 'contents', pretty(contents)],
  ['otel', 'lines', lines(spans)],
  ['otel', 'lines in the order in which they ended, or were sent', lines(spans.toReversed())],
  ['otel', 'an export', pretty(exported(typed))],
  ['otel', 'exports, one a line', lines(typed.map(span => exported([span])))],
  ['otel', 'as Python prints them', lines(printed.toReversed())],
  ['otel', 'tools alone', lines(spans.filter(({ name }) => name !== 'chat'))],
] as const
