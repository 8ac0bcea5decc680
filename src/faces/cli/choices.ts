import type { Decision } from '../../core/watch/event.ts'

/** What may be answered to a question. */
export const DECISIONS: readonly Decision[] = ['approved', 'rejected', 'edited', 'applied', 'not-applied', 'stop']

export type Drawing = 'text' | 'mermaid' | 'dot' | 'json'

/** The forms in which a spec is drawn. */
export const DRAWINGS: readonly Drawing[] = ['text', 'mermaid', 'dot', 'json']
