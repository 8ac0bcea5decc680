/** The acts of a span, in the conventions of OpenTelemetry (old and new), OpenLLMetry, OpenInference and the AI SDK. */
import type { Json } from '../../core/watch/data/json.ts'
import type { Act } from '../../core/watch/trace-watcher.ts'
import { agentText, contentText, isMap, jsonText, parseArgs, toolAnswer } from './fields.ts'
import { type Skip, type Fields, toolCall, userText } from './fields.ts'
import type { Span } from './otel-span.ts'

export interface TimedAct {
  /** ns since 1970. */
  readonly at: bigint
  /** `nameless`: a tool whose span has no call id; `history`: repeated by a request to the model. */
  readonly by: 'model' | 'tool' | 'nameless' | 'history'
  readonly act: Act
}

export function timedActs(span: Span, skip: Skip): readonly TimedAct[] {
  const name = operationOf(span)
  const kind = KINDS.find(([, names]) => names.split(' ').includes(name))?.[0]
  if (kind === 'tool') return toolActs(span)
  // The spans inside it contain the content.
  if (kind === 'around' || (kind === undefined && /^ai\.\w+$/.test(name))) return []
  if (name !== '' && kind === undefined) return skip(name)
  const input = messagesOf(span, INPUT)
  const output = messagesOf(span, OUTPUT)
  if (input.length > 0 || output.length > 0) return modelActs(span, input, output)
  return skip(name === '' ? 'other spans' : `${name} without its content`)
}

/** Empty in the spans of OpenLLMetry that call a model. */
function operationOf({ attributes }: Span): string {
  const name =
    attributes['gen_ai.operation.name'] ??
    attributes['openinference.span.kind'] ??
    attributes['ai.operationId'] ??
    attributes['traceloop.span.kind']
  return typeof name === 'string' ? name : ''
}

/** The names of operations, by kind. */
const KINDS = [
  ['tool', 'execute_tool TOOL ai.toolCall tool'],
  ['model', 'chat generate_content text_completion LLM'],
  ['model', 'ai.generateText.doGenerate ai.streamText.doStream'],
  ['model', 'ai.generateObject.doGenerate ai.streamObject.doStream'],
  ['around', 'invoke_agent create_agent invoke_workflow agent_step'],
  ['around', 'AGENT CHAIN workflow agent task'],
] as const

/** The attributes of a tool call. The first that is present decides. */
const CALL_ID = 'gen_ai.tool.call.id ai.toolCall.id'
const TOOL = 'gen_ai.tool.name ai.toolCall.name tool.name traceloop.entity.name'
const INPUTS = 'gen_ai.tool.call.arguments ai.toolCall.args input.value traceloop.entity.input'
const RESULTS = 'gen_ai.tool.call.result ai.toolCall.result output.value traceloop.entity.output'

function toolActs(span: Span): readonly TimedAct[] {
  const { trace, id, from, to, failed, message, name, attributes } = span
  const values = (names: string) => names.split(' ').map(each => attributes[each])
  const text = (names: string) => values(names).find(value => typeof value === 'string' && value)
  const any = (names: string) => values(names).find(value => value !== undefined)
  const known = text(CALL_ID)
  const call = String(known ?? `${trace}/${id}`)
  const by = known === undefined ? 'nameless' : 'tool'
  const output = any(RESULTS)
  // A text may also be quoted as JSON.
  const quoted = typeof output === 'string' && output.startsWith('"')
  const result = jsonText(quoted ? parseArgs(output) : output)
  const error = attributes['error.type']
  const ok = failed || (typeof error === 'string' && error !== '') ? false : null
  const answer = result || (ok === null ? '' : message || jsonText(error))
  return [
    { at: from, by, act: toolCall(call, String(text(TOOL) ?? name), parseArgs(any(INPUTS))) },
    { at: to, by, act: toolAnswer(call, ok, answer) },
  ]
}

/** All acts are at the start of the span: a tool may start before the response is complete. */
function modelActs(
  { from: at, trace, id: span, attributes }: Span,
  input: readonly Message[],
  output: readonly Message[],
): readonly TimedAct[] {
  const history = input.flatMap(({ role, text, answers }): readonly Act[] => [
    ...(role === 'user' && answers.length === 0 ? userText(text) : []),
    ...answers.flatMap(({ id, text }) => (id === '' ? [] : toolAnswer(id, null, text))),
  ])
  const response = output.flatMap(({ text, calls }, choice): readonly Act[] => [
    ...agentText(text, attributes['gen_ai.agent.name']),
    ...calls.map(({ id, tool, args }, nth) =>
      toolCall(id || `${trace}/${span}/${choice}.${nth}`, tool, args),
    ),
  ])
  return [
    ...history.map(act => ({ at, by: 'history', act }) as const),
    ...response.map(act => ({ at, by: 'model', act }) as const),
  ]
}

type Reader = (span: Span) => readonly Message[]

/** The conventions differ in where they keep messages. The first reader that finds one decides. */
function messagesOf(span: Span, readers: readonly Reader[]): readonly Message[] {
  const nothing: readonly Message[] = []
  return readers.reduce((found, read) => (found.length > 0 ? found : read(span)), nothing)
}

const DETAILS = /gen_ai\.client\.inference\.operation\.details$/
const MESSAGE = /^gen_ai\.(system|user|assistant|tool)\.message$/

const attribute =
  (name: string): Reader =>
  ({ attributes }) =>
    messagesIn(attributes[name])

const series =
  (prefix: string): Reader =>
  ({ attributes }) =>
    numberedMessages(attributes, prefix)

const event =
  (name: RegExp, read: (fields: Fields, match: RegExpExecArray) => readonly Message[]): Reader =>
  ({ events }) =>
    events.flatMap(([each, fields]) => {
      const match = name.exec(each)
      return match ? read(fields, match) : []
    })

/** Each span contains the whole conversation so far. */
const INPUT: readonly Reader[] = [
  attribute('gen_ai.input.messages'),
  series('gen_ai.prompt'),
  attribute('gen_ai.prompt'),
  series('llm.input_messages'),
  event(MESSAGE, (fields, [, role]) => [messageOf({ role, ...content(fields) })]),
  event(/^gen_ai\.content\.prompt$/, fields => messagesIn(fields['gen_ai.prompt'])),
  event(DETAILS, fields => messagesIn(fields['gen_ai.input.messages'])),
]

const OUTPUT: readonly Reader[] = [
  attribute('gen_ai.output.messages'),
  series('gen_ai.completion'),
  attribute('gen_ai.completion'),
  series('llm.output_messages'),
  ({ attributes }) => {
    const { 'ai.response.text': text, 'ai.response.toolCalls': calls } = attributes
    if (text === undefined && calls === undefined) return []
    return [messageOf({ content: text, tool_calls: calls })]
  },
  event(/^gen_ai\.choice$/, fields => [messageOf(content(fields))]),
  event(/^gen_ai\.content\.completion$/, fields => messagesIn(fields['gen_ai.completion'])),
  event(DETAILS, fields => messagesIn(fields['gen_ai.output.messages'])),
]

/** An event keeps its fields as attributes or as one JSON text. Its role is in its name. */
function content(fields: Fields): Fields {
  const json = parseArgs(fields['gen_ai.event.content'])
  const all: Fields = isMap(json) ? json : fields
  const message = parseArgs(all.message)
  return isMap(message) ? { ...all, message } : all
}

export interface Message {
  readonly role: string
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly args: Json }[]
  /** The results of calls. An empty id names no call. */
  readonly answers: readonly { readonly id: string; readonly text: string }[]
}

/** The messages of a list, or of a JSON text with a list. */
export const messagesIn = (given: unknown): readonly Message[] => mapsIn(given).map(messageOf)

/** The messages of `prefix.0.role`, `prefix.0.content`, `prefix.0.tool_calls.0.name` and so on. */
export function numberedMessages(attributes: Fields, prefix: string): readonly Message[] {
  const tree: Tree = new Map()
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith(`${prefix}.`))
      insertPath(tree, name.slice(prefix.length + 1).split('.', PATH_MAX + 1), value)
  return messagesIn(listsOf(tree))
}

export function messageOf(given: Fields): Message {
  const message = mapOr(given.message, given)
  const role = textAt(message.role)
  const parts = Array.isArray(message.parts) ? message.parts.filter(isMap) : []
  const ofType = (type: string) => parts.filter(part => part.type === type)
  const texts = ofType('text').map(({ content }) => textAt(content))
  const text = [...texts, contentOf(message)].filter(Boolean).join('\n')
  const calls = mapsIn(message.tool_calls).map(call => mapOr(call.tool_call, call))
  const answers = ofType('tool_call_response').map(({ id, response, result }) => {
    return { id: textAt(id), text: jsonText(response ?? result) }
  })
  const id = textAt(message.tool_call_id) || textAt(message.id)
  const isAnswer = role === 'tool' && parts.length === 0
  const allCalls = [...ofType('tool_call'), ...calls].flatMap(callOf)
  return { role, text, calls: allCalls, answers: isAnswer ? [{ id, text }] : answers }
}

function mapsIn(given: unknown): readonly Fields[] {
  const list = parseArgs(given)
  return Array.isArray(list) ? list.filter(isMap) : []
}

function contentOf({ content, contents }: Fields): string {
  if (content !== undefined && content !== null) return contentText(content)
  const parts: readonly unknown[] = Array.isArray(contents) ? contents : []
  return contentText(parts.map(part => (isMap(part) ? mapOr(part.message_content, part) : part)))
}

function callOf(call: Fields): Message['calls'] {
  const fn = mapOr(call.function, call)
  const tool = textAt(fn.name) || textAt(fn.toolName)
  const id = textAt(call.id) || textAt(call.toolCallId)
  const args = parseArgs(fn.arguments ?? fn.input ?? fn.args)
  return tool === '' ? [] : [{ id, tool, args }]
}

const mapOr = (value: unknown, otherwise: Fields): Fields => (isMap(value) ? value : otherwise)
const textAt = (value: unknown): string => (typeof value === 'string' ? value : '')

type Tree = Map<string, Tree | { readonly value: unknown }>

/** Names below a message. `tool_calls.0.function.arguments` has four. */
const PATH_MAX = 8

function insertPath(tree: Tree, path: readonly string[], value: unknown): void {
  const names = path.slice(0, -1)
  const last = path.at(-1)
  if (last === undefined || path.length > PATH_MAX) return
  let branch = tree
  for (const name of names) {
    const known = branch.get(name)
    const next: Tree = known instanceof Map ? known : new Map()
    branch.set(name, next)
    branch = next
  }
  branch.set(last, { value })
}

/** A branch with numbered names is a list. */
function listsOf(tree: Tree): unknown {
  const entries = [...tree].map(
    ([name, branch]) => [name, branch instanceof Map ? listsOf(branch) : branch.value] as const,
  )
  if (!entries.every(([name]) => /^\d+$/.test(name))) return Object.fromEntries(entries)
  return entries.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value)
}
