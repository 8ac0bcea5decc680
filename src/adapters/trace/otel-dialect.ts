/** The content of a span, in the conventions of OpenTelemetry, old and new, of OpenLLMetry, of OpenInference, and of the AI SDK. */
import type { Json } from '../../core/watch/data/json.ts'
import { jsonText, parseArgs } from './acts.ts'
import { type Fields, isMap } from './fields.ts'
import { type Message, messageOf, messagesIn, numbered } from './otel-message.ts'
import type { Span } from './otel-span.ts'

/** One execution of a tool. */
export interface Execution {
  readonly kind: 'execution'
  /** `''`: unknown. */
  readonly call: string
  readonly tool: string
  readonly args: Json
  readonly result: string
}

/** One call of a model: its request and its response. */
export interface Exchange {
  readonly kind: 'exchange'
  readonly input: readonly Message[]
  readonly output: readonly Message[]
}

/** `around`: the spans inside it hold the content; `empty`: a known kind without content; `other`: an unknown kind. */
export type SpanContent =
  | Execution
  | Exchange
  | { readonly kind: 'around' }
  | { readonly kind: 'empty' | 'other'; readonly name: string }

export function spanContent(span: Span): SpanContent {
  const name = kindOf(span)
  const kind = KINDS.get(name)
  if (kind === 'tool') return execution(span)
  if (kind === 'around' || (kind === undefined && /^ai\.\w+$/.test(name))) return { kind: 'around' }
  if (name !== '' && kind === undefined) return { kind: 'other', name }
  const input = messagesOf(span, INPUT)
  const output = messagesOf(span, OUTPUT)
  if (input.length > 0 || output.length > 0) return { kind: 'exchange', input, output }
  return name === '' ? { kind: 'other', name: 'other spans' } : { kind: 'empty', name }
}

/** Spans of OpenLLMetry that call a model have an empty kind. */
function kindOf({ attributes }: Span): string {
  const kind =
    attributes['gen_ai.operation.name'] ??
    attributes['openinference.span.kind'] ??
    attributes['ai.operationId'] ??
    attributes['traceloop.span.kind']
  return typeof kind === 'string' ? kind : ''
}

type Kind = 'tool' | 'model' | 'around'

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...of('tool', 'execute_tool TOOL ai.toolCall tool'),
  ...of('model', 'chat generate_content text_completion LLM'),
  ...of('model', 'ai.generateText.doGenerate ai.streamText.doStream'),
  ...of('model', 'ai.generateObject.doGenerate ai.streamObject.doStream'),
  ...of('around', 'invoke_agent create_agent invoke_workflow agent_step'),
  ...of('around', 'AGENT CHAIN workflow agent task'),
])

function of(kind: Kind, names: string): readonly (readonly [string, Kind])[] {
  return names.split(' ').map(name => [name, kind])
}

const CALL_ID = ['gen_ai.tool.call.id', 'ai.toolCall.id']
const TOOL = ['gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'traceloop.entity.name']
const ARGUMENTS = [
  'gen_ai.tool.call.arguments',
  'ai.toolCall.args',
  'input.value',
  'traceloop.entity.input',
]
const RESULT = [
  'gen_ai.tool.call.result',
  'ai.toolCall.result',
  'output.value',
  'traceloop.entity.output',
]

function execution({ name, attributes }: Span): Execution {
  const text = (names: readonly string[]) =>
    names.map(each => attributes[each]).find(value => typeof value === 'string' && value !== '')
  const any = (names: readonly string[]) =>
    names.map(each => attributes[each]).find(value => value !== undefined)
  const result = any(RESULT)
  // A text may be written as JSON, too.
  const quoted = typeof result === 'string' && result.startsWith('"')
  return {
    kind: 'execution',
    call: String(text(CALL_ID) ?? ''),
    tool: String(text(TOOL) ?? name),
    args: parseArgs(any(ARGUMENTS)),
    result: jsonText(quoted ? parseArgs(result) : result),
  }
}

type Reader = (span: Span) => readonly Message[]

/** Where conventions keep the messages of a call: the first reader that finds one is used. */
function messagesOf(span: Span, readers: readonly Reader[]): readonly Message[] {
  for (const read of readers) {
    const messages = read(span)
    if (messages.length > 0) return messages
  }
  return []
}

const DETAILS = /gen_ai\.client\.inference\.operation\.details$/
const MESSAGE = /^gen_ai\.(system|user|assistant|tool)\.message$/

/** Messages in an attribute of the span. */
const attribute =
  (name: string): Reader =>
  ({ attributes }) =>
    messagesIn(attributes[name])

/** Messages in numbered attributes of the span. */
const series =
  (prefix: string): Reader =>
  ({ attributes }) =>
    numbered(attributes, prefix)

/** Messages in the events of the span. */
const event =
  (name: RegExp, read: (fields: Fields, match: RegExpExecArray) => readonly Message[]): Reader =>
  ({ events }) =>
    events.flatMap(([each, fields]) => {
      const match = name.exec(each)
      return match ? read(fields, match) : []
    })

/** Each span holds the whole conversation so far. */
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

/** Events keep their fields beside one another, or all of them as JSON; their role is in their name. */
function content(fields: Fields): Fields {
  const written = parseArgs(fields['gen_ai.event.content'])
  const all: Fields = isMap(written) ? written : fields
  const message = parseArgs(all.message)
  return isMap(message) ? { ...all, message } : all
}
