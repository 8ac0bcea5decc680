/** How rows are asked for and sent. A lite row lacks the fields that say nothing: a fifth of the characters of a long journal, and half of its objects. */
import { z } from 'zod'
import type { Row } from '../../../core/run.ts'
import { count, seq } from './endpoint.ts'

export const RowsQuery = z.strictObject({
  after: seq.default(-1),
  limit: count(100_000).min(1).default(10_000),
  fields: z.enum(['full', 'lite']).optional(),
})

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
export const wholeOf = ({ seq, event, ...rest }: LiteRow): Row => ({
  ...{ seq, event, ...DEFAULTS },
  ...rest,
})
