/** When a fault occurs: at calls, or in spans of virtual time. */
import { z } from 'zod'
import { doc } from '../../core/watch/data/doc.ts'
import { duration } from '../../core/graph/spec/policy-schema.ts'

export const probability = z.number().min(0).max(1)
const count = z.int().min(1)
const span = duration.refine(ms => ms > 0, 'expected a duration above 0')

/** Depends on the number of the call only. */
const byCall = {
  p: doc(probability.optional())`Each call, with this probability.`,
  nth: doc(z.array(count).min(1).optional())`These calls of the target, counted from 1.`,
  every: doc(count.optional())`Every nth call.`,
  first: doc(count.optional())`The first n calls.`,
  after: doc(count.optional())`All calls after the nth.`,
}

/** Depends on the seed and on virtual time only, so every policy meets the same spans. */
const byTime = {
  burst: doc(
    z.strictObject({ enter: span, exit: span, p: probability.default(1) }).optional(),
  )`Bursts of random length. enter: the mean time between bursts; exit: the mean length.`,
  flap: doc(
    z.strictObject({ up: span, down: span, jitter: probability.default(0) }).optional(),
  )`Up and down in turn. The phase depends on the seed.`,
  outage: doc(z.strictObject({ at: duration, for: span }).optional())`One span, from its start.`,
  correlate: doc(
    z.strictObject({ p: probability, rho: probability, per: span }).optional(),
  )`Spans of the length of per, each with probability p. rho: the correlation between the targets of
    the fault, and between the faults of its group.`,
  degrade: doc(
    z.strictObject({ from: probability, to: probability, over: span }).optional(),
  )`A probability that changes linearly over a time, and stays.`,
}

/** Depends on the calls that the agent makes: retries without a pause hurt themselves. */
const byLoad = {
  rate: doc(
    z.strictObject({ limit: count, per: span, penalty: duration.default(0) }).optional(),
  )`A quota of calls, as a token bucket. penalty: how long a call above the quota blocks all calls.`,
  load: doc(
    z.strictObject({ knee: count, per: span }).optional(),
  )`The more calls above the knee within the span, the more of them fail.`,
}

type OneProcess = z.output<z.ZodObject<typeof byCall & typeof byTime & typeof byLoad>>

/** A process: exactly one key. */
export type Process =
  | 'always'
  | 'never'
  | (OneProcess & {
      readonly any?: readonly Process[] | undefined
      readonly all?: readonly Process[] | undefined
      readonly not?: Process | undefined
    })

const inner: z.ZodType<Process> = z.lazy(() => process)

export const process: z.ZodType<Process> = z.union([
  z.enum(['always', 'never']),
  z
    .strictObject({
      ...byCall,
      ...byTime,
      ...byLoad,
      any: z.array(inner).min(1).optional(),
      all: z.array(inner).min(1).optional(),
      not: inner.optional(),
    })
    .refine(
      of => Object.values(of).filter(value => value !== undefined).length === 1,
      `expected exactly one of: ${Object.keys({ ...byCall, ...byTime, ...byLoad }).join(', ')}, any, all, not`,
    ),
])
