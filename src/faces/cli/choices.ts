export { CHOSEN_RUNGS, DECISIONS, FORK_EFFECTS } from '../../core/watch/event.ts'

/** The forms in which traces are recorded. */
export type TraceFormat = 'trace' | 'langgraph' | 'openai' | 'ai-sdk' | 'otel'

export const TRACE_FORMATS: readonly TraceFormat[] = [
  'trace',
  'langgraph',
  'openai',
  'ai-sdk',
  'otel',
]

export type Drawing = 'text' | 'mermaid' | 'dot' | 'json' | 'spec'

/** The forms in which a spec is drawn. */
export const DRAWINGS: readonly Drawing[] = ['text', 'mermaid', 'dot', 'json', 'spec']
