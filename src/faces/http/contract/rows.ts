/** How rows are sent. A lite row lacks the fields that say nothing: a fifth of the characters of a long journal, and half of its objects. */
import type { Row } from '../../../core/run/run.ts'

/** What most events have. */
const DEFAULTS: Pick<Row, 'findings' | 'verdict' | 'edges'> = {
  findings: [],
  verdict: { kind: 'continue' },
  edges: [],
}

export type LiteRow = Omit<Row, keyof typeof DEFAULTS> & Partial<typeof DEFAULTS>

export function liteOf({ findings, verdict, edges, ...row }: Row): LiteRow {
  return {
    ...row,
    ...(findings.length > 0 && { findings }),
    ...(verdict.kind !== 'continue' && { verdict }),
    ...(edges.length > 0 && { edges }),
  }
}

/** The whole row, with its fields in their order: the page shows it as JSON. Rows share their defaults. */
export function wholeOf({
  seq,
  event,
  findings = DEFAULTS.findings,
  verdict = DEFAULTS.verdict,
  edges = DEFAULTS.edges,
  ...rest
}: LiteRow): Row {
  return { seq, event, findings, verdict, edges, ...rest }
}
