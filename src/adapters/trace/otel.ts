/** Spans with the attributes of OpenTelemetry's conventions for generative AI: a trace for each conversation, or else for each trace of theirs. */
import type { Act, Trace } from '../../core/watch/act.ts'
import type { Json } from '../../core/watch/json.ts'
import { textOf } from '../../core/watch/sense.ts'
import { said, writtenArgs } from './conversation.ts'
import { type Document, TRACE_MAX, tooLong } from './documents.ts'
import { isMap } from './fields.ts'
import { type Span, spansAt } from './otel-span.ts'

interface Timed {
  readonly at: bigint
  readonly act: Act
}

/** Spans are exported when they end, and those of several traces in turns: so all of a file are read before the first trace is told. @throws InvalidTrace */
export async function* tracesOfSpans(file: string, documents: AsyncIterable<Document>): AsyncGenerator<Trace> {
  const traces = new Map<string, Timed[]>()
  let size = 0
  for await (const { place, value, size: more } of documents) {
    const spans = spansAt(place, value).filter(isOfAgent)
    if (spans.length > 0) size += more
    if (size > TRACE_MAX) throw tooLong({ where: file, path: '' })
    for (const span of spans) {
      const id = textIn(span, 'gen_ai.conversation.id') || span.trace
      const timed = traces.get(id) ?? []
      traces.set(id, timed)
      timed.push(...(operationOf(span) === TOOL ? executed(span) : chatted(span)))
    }
  }
  for (const [id, timed] of traces) yield { id, acts: once(timed.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)).map(({ act }) => act)) }
}

const TOOL = 'execute_tool'
const OPERATIONS: ReadonlySet<string> = new Set([TOOL, 'chat', 'generate_content', 'text_completion'])

function isOfAgent(span: Span): boolean {
  return OPERATIONS.has(operationOf(span))
}

function operationOf(span: Span): string {
  return textIn(span, 'gen_ai.operation.name')
}

function textIn({ attributes }: Span, name: string): string {
  const value = attributes[name]
  return typeof value === 'string' ? value : ''
}

/** Some tell of a call twice: where the model asks for it, and where it is carried out. */
function once(acts: readonly Act[]): readonly Act[] {
  const known = new Set<string>()
  return acts.filter(act => {
    if (act.act !== 'called' || act.call === undefined) return true
    const again = known.has(act.call)
    known.add(act.call)
    return !again
  })
}

function executed(span: Span): readonly Timed[] {
  const { attributes, from, to, failed, message, id } = span
  const call = textIn(span, 'gen_ai.tool.call.id') || id
  const pair = call === '' ? {} : { call }
  const error = textIn(span, 'error.type')
  const result = textOf((attributes['gen_ai.tool.call.result'] ?? null) as Json)
  const ok = failed || error !== '' ? false : null
  return [
    { at: from, act: { act: 'called', ...pair, tool: textIn(span, 'gen_ai.tool.name'), args: writtenArgs(attributes['gen_ai.tool.call.arguments']) } },
    { at: to, act: { act: 'answered', ...pair, ok, text: result || (ok === null ? '' : message || error) } },
  ]
}

/** Told at its beginning: a tool may be at work before the model has said all. */
function chatted(span: Span): readonly Timed[] {
  const { attributes, from } = span
  const messages = writtenArgs(attributes['gen_ai.output.messages'])
  if (!Array.isArray(messages)) return []
  const parts = messages.flatMap(message => (isMap(message) && Array.isArray(message.parts) ? message.parts.filter(isMap) : []))
  const text = parts.flatMap(({ type, content }) => (type === 'text' && typeof content === 'string' ? [content] : [])).join('\n')
  const calls = parts.flatMap(({ type, id, name, arguments: args }): readonly Act[] =>
    type === 'tool_call' && typeof name === 'string' ? [{ act: 'called', tool: name, args: writtenArgs(args), ...(typeof id === 'string' ? { call: id } : {}) }] : [],
  )
  return [...said(text, attributes['gen_ai.agent.name']), ...calls].map(act => ({ at: from, act }))
}
