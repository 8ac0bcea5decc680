/** Recorded traces of agents, in any of the formats. */
import { AI_SDK } from './ai-sdk.ts'
import { conversationsIn } from './conversation.ts'
import { type Document, documentsIn, type ReaderOptions } from './documents.ts'
import { fault, type Passed } from './fields.ts'
import { FORMATS, type Format, formatOf } from './format.ts'
import { LANGGRAPH } from './langgraph.ts'
import { OPENAI } from './openai.ts'
import { tracesOfSpans } from './otel.ts'
import { type RecordedTrace, tracesOf } from './trace.ts'

const DIALECTS = { langgraph: LANGGRAPH, openai: OPENAI, 'ai-sdk': AI_SDK } as const

export interface ReadOptions extends ReaderOptions {
  /** Default: the format that the first value of the file shows. */
  readonly format?: Format
  readonly passed?: Passed
}

/** The most kinds that a message names. */
const NAMED_MAX = 8

/** The traces of a file, one after the other. @throws InvalidTrace, also where every kind in it is unknown; the reason of the signal */
export async function* readTraces(
  file: string,
  { format: named, passed, ...reader }: ReadOptions = {},
): AsyncGenerator<RecordedTrace> {
  const kinds = new Set<string>()
  const noted: Passed = kind => {
    if (kinds.size < NAMED_MAX) kinds.add(kind)
    passed?.(kind)
  }
  const rest = documentsIn(file, reader)
  const first = await rest.next()
  if (first.done) return
  const format = named ?? formatShown(first.value)
  const documents = prepend(first.value, rest)
  let known = false
  for await (const trace of tracesIn(file, format, documents, noted)) {
    known ||= trace.acts.length > 0
    yield trace
  }
  if (known || kinds.size === 0) return
  throw fault(
    { where: file, path: '' },
    `expected something of a kind that ${format} knows, got only ${[...kinds].map(kind => JSON.stringify(kind)).join(', ')}`,
  )
}

function formatShown({ place, value }: Document): Format {
  const format = formatOf(value)
  if (format !== undefined) return format
  throw fault(
    place,
    `does not show in which format it was recorded; expected --format ${FORMATS.join(', ')}`,
  )
}

async function* prepend(first: Document, rest: AsyncIterable<Document>): AsyncGenerator<Document> {
  yield first
  yield* rest
}

function tracesIn(
  file: string,
  format: Format,
  documents: AsyncIterable<Document>,
  passed: Passed,
): AsyncGenerator<RecordedTrace> {
  if (format === 'trace') return tracesOf(documents, passed)
  if (format === 'otel') return tracesOfSpans(file, documents, passed)
  return conversationsIn(file, documents, DIALECTS[format], passed)
}
