/** Recorded traces of agents, in whichever form they were written down. */
import { AI_SDK } from './ai-sdk.ts'
import { type Conversing, conversationsIn } from './conversation.ts'
import { documentsIn, type Reader } from './documents.ts'
import { fault, type Passed } from './fields.ts'
import { LANGGRAPH } from './langgraph.ts'
import { OPENAI } from './openai.ts'
import { tracesOfSpans } from './otel.ts'
import { type Recorded, tracesOf } from './trace.ts'

const CONVERSING: Readonly<Record<'langgraph' | 'openai' | 'ai-sdk', Conversing>> = { langgraph: LANGGRAPH, openai: OPENAI, 'ai-sdk': AI_SDK }

export interface Reading extends Reader {
  readonly format?: 'trace' | 'otel' | keyof typeof CONVERSING
  readonly passed?: Passed
}

/** Kinds that are named where nothing else was found. */
const NAMED_MAX = 8

/** The traces of a file, one after the other. @throws InvalidTrace, also where nothing in it is of a known kind; the abort of the signal */
export async function* readTraces(file: string, { format = 'trace', passed, ...reader }: Reading = {}): AsyncGenerator<Recorded> {
  const kinds = new Set<string>()
  const noted: Passed = kind => {
    if (kinds.size < NAMED_MAX) kinds.add(kind)
    passed?.(kind)
  }
  let known = false
  for await (const trace of tracesIn(file, { format, passed: noted, ...reader })) {
    known ||= trace.acts.length > 0
    yield trace
  }
  if (!known && kinds.size > 0)
    throw fault({ where: file, path: '' }, `expected something of a kind that ${format} knows, got only ${[...kinds].map(kind => JSON.stringify(kind)).join(', ')}`)
}

function tracesIn(file: string, { format, passed, ...reader }: Required<Pick<Reading, 'format' | 'passed'>> & Reader): AsyncGenerator<Recorded> {
  const documents = documentsIn(file, reader)
  if (format === 'trace') return tracesOf(documents, passed)
  return format === 'otel' ? tracesOfSpans(file, documents, passed) : conversationsIn(file, documents, CONVERSING[format], passed)
}
