/** What a span tells, in the conventions of OpenTelemetry, old and new, of OpenLLMetry, of OpenInference, and of the AI SDK. */
import type { Json } from '../../core/watch/json.ts'
import { textOf } from '../../core/watch/normalize/answer-features.ts'
import { parseArgs } from './conversation.ts'
import { type Fields, isMap } from './fields.ts'
import { type Message, messageOf, messagesIn, numbered } from './otel-message.ts'
import type { Span } from './otel-span.ts'

/** A tool at work. */
export interface Execution {
  readonly kind: 'execution'
  /** `''`: unknown. */
  readonly call: string
  readonly tool: string
  readonly args: Json
  readonly result: string
}

/** A model was told something, and has answered. */
export interface Exchange {
  readonly kind: 'exchange'
  readonly heard: readonly Message[]
  readonly told: readonly Message[]
}

/** `around`: it holds others, which tell it all; `empty`: it is one that could tell, with nothing in it; `other`: it is of another kind. */
export type SpanContent =
  | Execution
  | Exchange
  | { readonly kind: 'around' }
  | { readonly kind: 'empty' | 'other'; readonly name: string }

export function spanContent(span: Span): SpanContent {
  const name = kindOf(span)
  if (TOOLS.has(name)) return execution(span)
  if (AROUND.has(name) || /^ai\.\w+$/.test(name)) return { kind: 'around' }
  if (name !== '' && !MODELS.has(name)) return { kind: 'other', name }
  const heard = inputMessages(span)
  const told = outputMessages(span)
  if (heard.length > 0 || told.length > 0) return { kind: 'exchange', heard, told }
  return name === '' ? { kind: 'other', name: 'other spans' } : { kind: 'empty', name }
}

/** In whose words ever; spans of OpenLLMetry that call a model have no kind of their own. */
function kindOf({ attributes }: Span): string {
  const kind =
    attributes['gen_ai.operation.name'] ??
    attributes['openinference.span.kind'] ??
    attributes['ai.operationId'] ??
    attributes['traceloop.span.kind']
  return typeof kind === 'string' ? kind : ''
}

const TOOLS: ReadonlySet<string> = new Set(['execute_tool', 'TOOL', 'ai.toolCall', 'tool'])
const MODELS: ReadonlySet<string> = new Set([
  'chat',
  'generate_content',
  'text_completion',
  'LLM',
  'ai.generateText.doGenerate',
  'ai.streamText.doStream',
  'ai.generateObject.doGenerate',
  'ai.streamObject.doStream',
])
const AROUND: ReadonlySet<string> = new Set([
  'invoke_agent',
  'create_agent',
  'invoke_workflow',
  'agent_step',
  'AGENT',
  'CHAIN',
  'workflow',
  'agent',
  'task',
])

function execution({ name, attributes }: Span): Execution {
  const text = (...names: readonly string[]) =>
    first(
      names
        .map(each => attributes[each])
        .filter(value => typeof value === 'string' && value !== ''),
    ) ?? ''
  const any = (...names: readonly string[]) =>
    first(names.map(each => attributes[each]).filter(value => value !== undefined))
  return {
    kind: 'execution',
    call: String(text('gen_ai.tool.call.id', 'ai.toolCall.id')),
    tool: String(
      text('gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'traceloop.entity.name') || name,
    ),
    args: parseArgs(
      any(
        'gen_ai.tool.call.arguments',
        'ai.toolCall.args',
        'input.value',
        'traceloop.entity.input',
      ),
    ),
    result: unquoted(
      any(
        'gen_ai.tool.call.result',
        'ai.toolCall.result',
        'output.value',
        'traceloop.entity.output',
      ),
    ),
  }
}

/** A text may be told as JSON, too. */
function unquoted(result: unknown): string {
  const written = typeof result === 'string' && result.startsWith('"') ? parseArgs(result) : result
  return textOf((written ?? null) as Json)
}

/** The whole conversation so far, each time again. */
function inputMessages({ attributes, events }: Span): readonly Message[] {
  return (
    filled(
      () => messagesIn(attributes['gen_ai.input.messages']),
      () => numbered(attributes, 'gen_ai.prompt'),
      () => messagesIn(attributes['gen_ai.prompt']),
      () => numbered(attributes, 'llm.input_messages'),
      () =>
        events.flatMap(([name, fields]) =>
          MESSAGE.test(name)
            ? [messageOf({ role: MESSAGE.exec(name)?.[1], ...content(fields) })]
            : [],
        ),
      () =>
        events.flatMap(([name, fields]) =>
          name === 'gen_ai.content.prompt' ? messagesIn(fields['gen_ai.prompt']) : [],
        ),
      () =>
        events.flatMap(([name, fields]) =>
          DETAILS.test(name) ? messagesIn(fields['gen_ai.input.messages']) : [],
        ),
    ) ?? []
  )
}

const MESSAGE = /^gen_ai\.(system|user|assistant|tool)\.message$/
const DETAILS = /gen_ai\.client\.inference\.operation\.details$/

function outputMessages({ attributes, events }: Span): readonly Message[] {
  return (
    filled(
      () => messagesIn(attributes['gen_ai.output.messages']),
      () => numbered(attributes, 'gen_ai.completion'),
      () => messagesIn(attributes['gen_ai.completion']),
      () => numbered(attributes, 'llm.output_messages'),
      () =>
        'ai.response.text' in attributes || 'ai.response.toolCalls' in attributes
          ? [
              messageOf({
                content: attributes['ai.response.text'],
                tool_calls: attributes['ai.response.toolCalls'],
              }),
            ]
          : [],
      () =>
        events.flatMap(([name, fields]) =>
          name === 'gen_ai.choice' ? [messageOf(content(fields))] : [],
        ),
      () =>
        events.flatMap(([name, fields]) =>
          name === 'gen_ai.content.completion' ? messagesIn(fields['gen_ai.completion']) : [],
        ),
      () =>
        events.flatMap(([name, fields]) =>
          DETAILS.test(name) ? messagesIn(fields['gen_ai.output.messages']) : [],
        ),
    ) ?? []
  )
}

/** Events keep their fields beside one another, or all of them as JSON; their role is in their name. */
function content(fields: Fields): Fields {
  const written = parseArgs(fields['gen_ai.event.content'])
  const all: Fields = isMap(written) ? written : fields
  const message = parseArgs(all.message)
  return isMap(message) ? { ...all, message } : all
}

function filled(...ways: readonly (() => readonly Message[])[]): readonly Message[] | undefined {
  for (const way of ways) {
    const messages = way()
    if (messages.length > 0) return messages
  }
  return undefined
}

function first<T>([one]: readonly T[]): T | undefined {
  return one
}
