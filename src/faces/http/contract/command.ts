/** The commands to a thread, as the service accepts them. */
import { z } from 'zod'
import { CHOSEN_RUNGS, DECISIONS, FORK_EFFECTS } from '../../../core/watch/event/event.ts'
import { CLASSES } from '../../../core/watch/failure/failure-class.ts'
import { name, object, seqInBody } from './endpoint.ts'

const text = z.string().max(10_000)

const command = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.strictObject({ do: z.literal(name), ...shape, expectSeq: seqInBody.optional() })

/** The fields of an answer to a question. */
export const ANSWER = {
  question: name,
  decision: z.enum(DECISIONS),
  rung: z.enum(CHOSEN_RUNGS).optional(),
  to: name.optional(),
  output: z.json().optional(),
  note: text.optional(),
}

/** The fields of an injected fault, or of an injected answer: `result`. */
export const INJECTION = {
  kind: z.enum(['tool', 'model']),
  name,
  class: z.enum(CLASSES).optional(),
  message: text.optional(),
  result: z.json().optional(),
  times: z.int().min(1).max(1000).optional(),
}

/** A change of a policy. */
const policyChange = object.describe('A change of the policy. Role: admin.')

/** The fields of a fork. `change` has policy overrides. */
export const FORK = {
  as: name.optional(),
  at: seqInBody.optional(),
  effects: z.enum(FORK_EFFECTS),
  change: policyChange.optional(),
  paused: z.boolean().optional(),
  inject: z.array(z.strictObject(INJECTION)).max(16).optional(),
  channels: object.optional(),
  input: object.optional(),
}

/** One command: it is applied or refused as a whole. */
export const Command = z.discriminatedUnion('do', [
  command('answer', ANSWER),
  command('send', { input: object }),
  command('cancel', { reason: text.optional() }),
  command('stop', { reason: text.optional() }),
  command('pause', { reason: text.optional() }),
  command('step', { until: z.array(name).min(1).max(1_000).optional() }),
  command('resume', {}),
  command('escape', {
    rung: z.enum(CHOSEN_RUNGS),
    to: name.optional(),
    note: text.optional(),
  }),
  command('rollback', {}),
  command('dismiss', { finding: name.optional() }),
  command('inject', INJECTION),
  command('patch-policy', { change: policyChange }),
  command('fork', FORK),
  command('migrate', { graph: name.optional(), preview: z.boolean().optional() }),
])
export type Command = z.infer<typeof Command>

const change = z.object({ from: z.string(), to: z.string() })

/** The changed or created thread, its last event, and what a migration changes. */
export const CommandResult = z.object({
  thread: z.string(),
  seq: z.number().int(),
  migration: z.object({ version: change, node: change, channels: z.array(z.string()) }).optional(),
})
