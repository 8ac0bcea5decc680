/** The policy parts of a graph spec: limits, detectors, retry, breaker and escape. What is absent keeps its default. */
import { z } from 'zod'
import { CLASSES } from '../../watch/failure.ts'
import { RUNGS } from '../../watch/policy.ts'
import { CONFIRM } from '../../watch/confirm.ts'
import { duration } from './duration.ts'
import { name } from './name.ts'
import { pattern } from './pattern.ts'

const count = z.int().min(1)
const failureClass = z.enum(CLASSES)

export const detecting = z.strictObject({
  sequence: z.union([z.literal(false), z.strictObject({ repeats: z.int().min(2).default(3), periodMax: z.int().min(1).max(24).default(24) })]),
  repetition: z.union([z.literal(false), z.strictObject({ times: z.int().min(2).default(4), within: z.int().min(2).max(64).default(16) })]),
  recurrence: z.union([z.literal(false), z.strictObject({ times: z.int().min(2).default(3), within: z.int().min(2).max(64).default(32) })]),
  visits: z.union([
    z.literal(false),
    z
      .int()
      .min(2)
      .max(32)
      .transform(max => ({ max, window: 60_000 })),
    z.strictObject({ max: z.int().min(2).max(32), window: duration.default(60_000) }),
  ]),
  stale: z.union([z.literal(false), z.strictObject({ times: count })]),
  errors: z.union([z.literal(false), z.strictObject({ times: count })]),
  silence: z.union([z.literal(false), z.strictObject({ times: count })]),
  mistakes: z.union([z.literal(false), z.strictObject({ limit: count })]),
})

const tuning = detecting.partial().extend({
  window: duration.optional().describe('The window of `visits`.'),
  tools: z
    .record(name, z.union([z.literal(false), detecting.partial()]))
    .optional()
    .describe('Otherwise for one tool; false: never look at it.'),
  nodes: z.record(name, z.union([z.literal(false), detecting.partial()])).optional(),
  ignore: z.array(z.string()).optional().describe('Channels that do not count when two states are compared.'),
})

/** Beside these, the names of one's own detectors: an index in the type would hide the types of all others. */
export const detect = tuning.catchall(z.union([z.literal(false), z.record(z.string(), z.json())])) as unknown as typeof tuning

export const retry = z.strictObject({
  attempts: count.describe('Attempts in all, the first included.'),
  base: duration,
  cap: duration,
  on: z.array(failureClass),
  total: count.describe('How often one tool or model is tried again until it succeeds: by an SDK inside it, by us, and by the model repeating itself.'),
})

export const breaker = z.strictObject({ threshold: count, reset: duration })

const spendable = {
  steps: count.describe('What the graphs that are run as nodes spend counts as well, of steps as of everything else.'),
  toolCalls: count,
  modelCalls: count,
  tokens: count,
  usd: z.number().positive(),
  wall: duration,
}

/** Each thread journals the graphs it stands in. */
const DEPTH_MAX = 64

const scope = z
  .strictObject(spendable)
  .partial()
  .extend({
    key: z.string().min(1).max(200).optional().describe('Threads with the same key share; the id of the graph, if absent.'),
    per: duration.default(86_400_000).describe('The window: what lies further back is forgotten.'),
    loops: z.int().min(2).max(12).default(3).describe('The thread that meets the same loop as the how-many-th of them asks a person at once.'),
  })

export const limits = z.strictObject({
  ...spendable,
  nodeCalls: count.describe('Calls and reports of one node before it counts as failed (TooManyCalls); 1000 if nothing else is said.'),
  concurrency: count.describe('Nodes at work at once; all that can be, if absent.'),
  round: z.strictObject(spendable).partial().describe('The same for each round: what one message may spend.'),
  depth: z.int().min(0).max(DEPTH_MAX).describe('How many graphs may stand one inside another below this one (default 8).'),
  mistakes: count.describe('Failed calls in a row; the limit of the detector `mistakes`.'),
  scopes: z.record(name, scope).describe('What all threads with the same key share, by the names of the scopes.'),
})

const rungBudget = z.strictObject({ perLoop: z.int().min(0), total: z.int().min(0) })

const whom = z.string().min(1).max(80)

const review = z
  .strictObject({
    deadline: duration,
    otherwise: z.enum(['stop', 'continue']).default('stop'),
    to: whom.optional().describe('Whom questions are put to: a name that `notify` knows.'),
    escalate: z
      .array(z.strictObject({ to: whom, after: duration }))
      .max(8)
      .optional()
      .describe('Whom a question moves on to while nobody answers; `after` counts from when it was asked.'),
  })
  .superRefine(({ deadline, escalate = [] }, context) => {
    for (const [index, { after }] of escalate.entries()) {
      const path = ['escalate', index, 'after']
      if (after >= deadline) context.addIssue({ code: 'custom', path, message: 'expected a time before the deadline of the review' })
      if (after <= (escalate[index - 1]?.after ?? 0)) context.addIssue({ code: 'custom', path, message: 'expected a time after that of the step before it' })
    }
  })

export const escape = z.strictObject({
  ladder: z
    .array(z.union([z.enum(RUNGS), name], { error: `expected a rung: ${RUNGS.join(', ')}, or the name of one of your own` }))
    .refine(rungs => new Set(rungs).size === rungs.length, 'expected each rung once'),
  budget: z.strictObject({ rethink: rungBudget.partial(), alternative: rungBudget.partial(), rollback: rungBudget.partial(), review: rungBudget.partial() }).partial(),
  alternatives: z.record(name, z.array(name)),
  rollback: z.strictObject({ accept: z.array(name).default([]).describe('Tools whose writes may stay although the run goes back to before them.') }),
  review,
  restarts: z.int().min(0),
})

export const mode = z.enum(['act', 'observe']).describe('observe: findings are only reported; limits, timeouts, retries and the edges of the spec still act.')

export const rounds = z.strictObject({
  busy: z.enum(['reject', 'queue', 'interrupt', 'rollback']).describe('What becomes of a message to a thread that is at work, or waits for a person.'),
})

const failureRule = z.strictObject({
  id: name,
  status: z.array(z.int()).optional(),
  code: z.array(z.string()).optional(),
  name: z.array(z.string()).optional(),
  message: pattern.optional(),
  class: failureClass,
  scope: z.enum(['resource', 'request']).optional(),
})

export const failures = z.strictObject({
  rules: z.array(failureRule).describe('Asked before the default table.'),
  defaults: z.boolean().default(true).describe('false: only these rules are asked.'),
  recurring: z
    .union([z.literal(false), z.strictObject({ times: z.int().min(2).max(32).default(8), within: duration.default(600_000) })])
    .describe('So many transient failures of one tool or model, each success taking one back, count as persistent; false: never.'),
})

/** Whether a person must allow a call before it is made. */
export const confirming = z.enum(CONFIRM)

const confirm = z
  .record(z.string().regex(/^[A-Za-z*][\w*-]*$/, 'expected the name of a tool, or a pattern with *'), confirming)
  .describe('Calls that a person must allow, by the name of a tool or a pattern with *: a name first, then the first pattern that fits.')

/** What of a spec makes its policy: also the notation in which a policy is shown, and changed at run time. */
export const policyParts = z.strictObject({
  mode: mode.optional(),
  limits: limits.partial().default({}),
  retry: retry.partial().default({}),
  breaker: breaker.partial().default({}),
  detect: detect.default({}),
  escape: escape.partial().default({}),
  rounds: rounds.partial().default({}),
  failures: failures.partial().prefault({}),
  confirm: confirm.default({}),
})

export type PolicyParts = z.infer<typeof policyParts>
