/** What lists show of threads: their findings, escapes and spending, and counts of threads by them. */
import { z } from 'zod'
import { FINDING_KINDS } from '../../../core/watch/event/event.ts'
import { endpoint, name, view } from './endpoint.ts'

export const FindingKind = z.enum(FINDING_KINDS)

const FindingSignature = z.object({
  kind: FindingKind,
  code: z.string(),
  members: z.array(z.string()),
})

export const ThreadTally = z
  .object({
    findings: z.int(),
    finding: z
      .object({ signature: FindingSignature, period: z.int(), repeats: z.int() })
      .optional()
      .describe('The last repetition, otherwise the last finding.'),
    escapes: z.int(),
    rungs: z.array(z.string()).describe('The rungs of the latest escapes, in order.'),
    spent: z.object({ steps: z.int(), tokens: z.int(), usd: z.number() }),
  })
  .describe('Absent if an earlier version wrote the last event of the thread.')

/** Filters for threads by their tallies. */
export const TALLY_FILTER = {
  finding: z.enum(['any', ...FINDING_KINDS]).optional(),
  minUsd: z.coerce.number().min(0).optional(),
}

export const TALLIES = {
  tallies: endpoint({
    ...view,
    path: '/v1/tallies',
    summary:
      'How many threads have each graph, status, outcome and finding, most first. `since`: with their last event at this time (ms) or later',
    query: z.strictObject({
      graph: name.optional(),
      prefix: z.string().max(500).optional(),
      since: z.coerce.number().min(0).optional(),
    }),
    response: z.object({
      tallies: z.array(
        z.object({
          graph: z.string(),
          status: z.enum(['active', 'waiting', 'ended']),
          outcome: z.string().optional(),
          signature: FindingSignature.optional(),
          count: z.int(),
          findings: z.int(),
          escapes: z.int(),
          usd: z.number(),
        }),
      ),
    }),
  }),
} as const
