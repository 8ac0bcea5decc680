export { DECISIONS, RUNGS } from '../../runtime/person-event.ts'
export { FORK_EFFECTS } from '../../core/fork.ts'

export type Drawing = 'text' | 'mermaid' | 'dot' | 'json'

/** The forms in which a spec is drawn. */
export const DRAWINGS: readonly Drawing[] = ['text', 'mermaid', 'dot', 'json']
