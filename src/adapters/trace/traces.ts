/** Reads recorded traces of agents, in any of the supported formats. */
import type { Act, Trace } from '../../core/watch/trace-watcher.ts'
import type { Fields, Skip } from './fields.ts'
import { InvalidTrace, isMap, Item, jsonText, mapAt, toolAnswer, toolCall } from './fields.ts'
import { AI_SDK } from './ai-sdk.ts'
import { conversationsIn, type Document, documentsIn, type ReaderOptions } from './conversation.ts'
import { LANGGRAPH, OPENAI } from './messages.ts'
import { spanTraces } from './otel.ts'

/** The most specific format comes first. It decides for a list with items of several formats. */
const FORMATS = ['trace', 'otel', 'ai-sdk', 'langgraph', 'openai'] as const

type Format = (typeof FORMATS)[number]

export interface ReadOptions extends ReaderOptions {
  /** Default: the format of the first value of the file. */
  readonly format?: Format
  /** Called with the kind of each item that the format does not define. */
  readonly passed?: (kind: string) => void
}

/** The most kinds that a message names. */
const NAMED_MAX = 8

/**
 * The traces of a file, one at a time.
 * @throws InvalidTrace, also if every kind in the file is unknown; the reason of the signal
 */
export async function* readTraces(
  file: string,
  { format: named, passed, ...reader }: ReadOptions = {},
): AsyncGenerator<RecordedTrace> {
  const kinds = new Set<string>()
  const skip: Skip = kind => {
    if (kinds.size < NAMED_MAX) kinds.add(kind)
    passed?.(kind)
    return []
  }
  const documents = documentsIn(file, reader)
  try {
    const first = await documents.next()
    if (first.done) throw new InvalidTrace(file, 'is empty')
    const format = named ?? detectFormat(first.value)
    let known = false
    for await (const trace of tracesIn(file, format, prepend(first.value, documents), skip)) {
      known ||= trace.acts.length > 0
      yield trace
    }
    if (known || kinds.size === 0) return
    const unknown = [...kinds].map(kind => JSON.stringify(kind)).join(', ')
    throw new InvalidTrace(
      file,
      `expected something of a kind that ${format} knows, got only ${unknown}`,
    )
  } finally {
    // The file stays open otherwise, if the first document is refused or is the last one that is read.
    await documents.return(undefined)
  }
}

async function* prepend(first: Document, rest: Documents): AsyncGenerator<Document> {
  yield first
  yield* rest
}

type Documents = AsyncIterable<Document>
type Traces = AsyncGenerator<RecordedTrace>

function tracesIn(file: string, format: Format, documents: Documents, skip: Skip): Traces {
  if (format === 'trace') return recordedTraces(documents, skip)
  if (format === 'otel') return spanTraces(file, documents, skip)
  const dialect = { langgraph: LANGGRAPH, openai: OPENAI, 'ai-sdk': AI_SDK }[format]
  return conversationsIn(file, documents, dialect, skip)
}

function detectFormat({ place, value }: Document): Format {
  const format = formatOf(value, 0)
  if (format !== undefined) return format
  const expected = `expected --format ${FORMATS.join(', ')}`
  throw new InvalidTrace(place.where, `does not show in which format it was recorded; ${expected}`)
}

/** The deepest list contains conversations, each with a list of messages. */
const DEPTH_MAX = 3

const SPANS = ['resourceSpans', 'resourceLogs', 'resourceMetrics', 'traceId', 'trace_id']
const STEP = ['toolCalls', 'toolResults', 'finishReason']
const LANGCHAIN = /^(constructor|human|ai|tool|system|remove)$|Message(Chunk)?$/
const ITEM = /^(message|reasoning|item_reference)$|_call(_output|_result)?$/

function formatOf(value: unknown, depth: number): Format | undefined {
  if (!Array.isArray(value)) return isMap(value) ? formatOfOne(value, depth) : undefined
  if (depth === DEPTH_MAX) return undefined
  const all = new Set(value.map(one => formatOf(one, depth + 1)))
  return FORMATS.find(format => all.has(format))
}

function formatOfOne(value: Fields, depth: number): Format | undefined {
  if (SPANS.some(name => name in value) || (isMap(value.context) && 'trace_id' in value.context))
    return 'otel'
  if ('events' in value) return 'trace'
  if (typeof value.type === 'string' || typeof value.role === 'string')
    return formatOfMessage(value)
  if (Array.isArray(value.steps) || STEP.some(name => name in value)) return 'ai-sdk'
  const states = [value, value.checkpoint].filter(isMap)
  if (states.some(state => isMap(state.values) || isMap(state.channel_values))) return 'langgraph'
  const inner = OPENAI.lists.flatMap(name => value[name] ?? [])
  return formatOf(inner, depth + 1)
}

/** A message with only a role fits three formats. It is read as a message of OpenAI. */
function formatOfMessage({ type, parts, content, tool_calls: calls }: Fields): Format | undefined {
  const inner = [parts, content].flatMap(list => (Array.isArray(list) ? list : [])).filter(isMap)
  if (Array.isArray(parts) || inner.some(part => 'toolCallId' in part)) return 'ai-sdk'
  const parsed = Array.isArray(calls) && calls.some(call => isMap(call) && 'args' in call)
  if (LANGCHAIN.test(jsonText(type)) || parsed) return 'langgraph'
  return type === undefined || ITEM.test(jsonText(type)) ? 'openai' : undefined
}

export interface RecordedTrace extends Trace {
  /** The numbers of events of unknown kinds. They have no acts, and all other events keep their numbers. */
  readonly gaps?: readonly number[]
}

/** Traces in the format of escapement: `{"id", "events", "outcome"?}`, one a line. */
async function* recordedTraces(documents: Documents, skip: Skip) {
  for await (const { place, value } of documents)
    yield traceOf(new Item(place, value, 'a trace as {"id", "events"}'), skip)
}

function traceOf(trace: Item, skip: Skip): RecordedTrace {
  const { id, events } = trace.fields
  if (typeof id !== 'string' || id === '') throw trace.expected('a text', 'id')
  if (events === undefined) throw trace.expected('a list', 'events')
  const acts = trace.items('events', 'an event').map(event => actsOf(event, skip))
  const gaps = acts.flatMap(({ length }, number) => (length > 0 ? [] : number))
  return {
    id,
    acts: acts.flat(),
    ...(gaps.length > 0 ? { gaps } : {}),
    ...(mapAt(trace.fields, 'outcome').success === true ? { solved: true } : {}),
  }
}

/** One act. A recorder may add kinds beside those that every agent has. */
function actsOf(event: Item, skip: Skip): readonly Act[] {
  const { t, args, ok = null, len, hash } = event.fields
  switch (t) {
    case 'say': {
      const by = event.optional('who') ?? event.optional('role')
      const person = by === 'user' ? { person: true as const } : {}
      return [
        { act: 'said', text: event.text('text'), ...(by === undefined ? {} : { by }), ...person },
      ]
    }
    case 'call':
      return [toolCall(event.optional('id'), event.text('tool'), args)]
    case 'result':
      if (ok !== null && typeof ok !== 'boolean') throw event.expected('true, false or null', 'ok')
      if (len !== undefined && typeof len !== 'number') throw event.expected('a number', 'len')
      if (hash !== undefined && typeof hash !== 'string') throw event.expected('a text', 'hash')
      return [
        {
          ...toolAnswer(event.optional('id'), ok, event.text('text')),
          ...(hash === undefined ? {} : { hash }),
          ...(len === undefined ? {} : { length: len }),
        },
      ]
    default:
      if (typeof t !== 'string') throw event.expected('a kind as say, call or result', 't')
      return skip(t)
  }
}
