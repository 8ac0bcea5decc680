/** Recorded traces of agents, in whichever form they were written down. */
import { AI_SDK } from './ai-sdk.ts'
import { type Dialect, conversationsIn } from './conversation.ts'
import { type Document, documentsIn, type ReaderOptions } from './documents.ts'
import { fault, type Passed } from './fields.ts'
import { FORMATS, type Format, formatOf } from './format.ts'
import { LANGGRAPH } from './langgraph.ts'
import { OPENAI } from './openai.ts'
import { tracesOfSpans } from './otel.ts'
import { type RecordedTrace, tracesOf } from './trace.ts'

const DIALECTS: Readonly<Record<'langgraph' | 'openai' | 'ai-sdk', Dialect>> = {
  langgraph: LANGGRAPH,
  openai: OPENAI,
  'ai-sdk': AI_SDK,
}

export interface ReadOptions extends ReaderOptions {
  /** Unless the first value of the file is to show it. */
  readonly format?: Format
  readonly passed?: Passed
}

/** Kinds that are named where nothing else was found. */
const NAMED_MAX = 8

/** The traces of a file, one after the other. @throws InvalidTrace, also where nothing in it is of a known kind; the abort of the signal */
export async function* readTraces(
  file: string,
  { format: named, passed, ...reader }: ReadOptions = {},
): AsyncGenerator<RecordedTrace> {
  const kinds = new Set<string>()
  const noted: Passed = kind => {
    if (kinds.size < NAMED_MAX) kinds.add(kind)
    passed?.(kind)
  }
  const documents = documentsIn(file, reader)
  const first = await documents.next()
  if (first.done) return
  const format = named ?? formatShown(first.value)
  let known = false
  for await (const trace of tracesIn(file, format, {
    documents: prepend(first.value, documents),
    passed: noted,
  })) {
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
  if (format === undefined)
    throw fault(
      place,
      `does not show in which format it was recorded; expected --format ${FORMATS.join(', ')}`,
    )
  return format
}

async function* prepend(first: Document, rest: AsyncIterable<Document>): AsyncGenerator<Document> {
  yield first
  yield* rest
}

interface Source {
  readonly documents: AsyncIterable<Document>
  readonly passed: Passed
}

function tracesIn(
  file: string,
  format: Format,
  { documents, passed }: Source,
): AsyncGenerator<RecordedTrace> {
  if (format === 'trace') return tracesOf(documents, passed)
  return format === 'otel'
    ? tracesOfSpans(file, documents, passed)
    : conversationsIn(file, documents, DIALECTS[format], passed)
}
