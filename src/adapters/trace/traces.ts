/** Recorded traces of agents, in whichever form they were written down. */
import type { Trace } from '../../core/watch/act.ts'
import { AI_SDK } from './ai-sdk.ts'
import { type Conversing, conversationsIn } from './conversation.ts'
import { documentsIn } from './documents.ts'
import { LANGGRAPH } from './langgraph.ts'
import { OPENAI } from './openai.ts'
import { tracesOfSpans } from './otel.ts'
import { tracesOf } from './trace.ts'

const CONVERSING: Readonly<Record<'langgraph' | 'openai' | 'ai-sdk', Conversing>> = { langgraph: LANGGRAPH, openai: OPENAI, 'ai-sdk': AI_SDK }

/** The traces of a file, one after the other. @throws InvalidTrace */
export function readTraces(file: string, format: 'trace' | 'otel' | keyof typeof CONVERSING = 'trace'): AsyncGenerator<Trace> {
  const documents = documentsIn(file)
  if (format === 'trace') return tracesOf(documents)
  return format === 'otel' ? tracesOfSpans(file, documents) : conversationsIn(file, documents, CONVERSING[format])
}
