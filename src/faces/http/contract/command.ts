/** The commands to a thread, as the service accepts them. */
import { z } from 'zod'
import { CHOSEN_RUNGS, DECISIONS, FORK_EFFECTS } from '../../../core/watch/event/event.ts'
import { CLASSES } from '../../../core/watch/failure/failure-class.ts'
import { seqInBody } from './endpoint.ts'

const name = z.string().min(1).max(500)
const json = z.json()
const object = z.record(z.string(), json)
const text = z.string().max(10_000)

const verb = <Name extends string, Shape extends z.ZodRawShape>(word: Name, shape: Shape) =>
  z.strictObject({ do: z.literal(word), ...shape, expectSeq: seqInBody.optional() })

/** One command: it is applied or refused as a whole. */
export const Command = z.discriminatedUnion('do', [
  verb('answer', {
    question: name,
    decision: z.enum(DECISIONS),
    rung: z.enum(CHOSEN_RUNGS).optional(),
    to: name.optional(),
    output: json.optional(),
    note: text.optional(),
  }),
  verb('send', { input: object }),
  verb('cancel', { reason: text.optional() }),
  verb('stop', { reason: text.optional() }),
  verb('pause', { reason: text.optional() }),
  verb('step', {}),
  verb('resume', {}),
  verb('escape', {
    rung: z.enum(CHOSEN_RUNGS),
    to: name.optional(),
    note: text.optional(),
  }),
  verb('rollback', {}),
  verb('dismiss', { finding: name.optional() }),
  verb('inject', {
    kind: z.enum(['tool', 'model']),
    name,
    class: z.enum(CLASSES).optional(),
    message: text.optional(),
    times: z.int().min(1).max(1000).optional(),
  }),
  verb('patch-policy', { change: object }),
  verb('fork', {
    as: name.optional(),
    at: seqInBody.optional(),
    effects: z.enum(FORK_EFFECTS),
    change: object.optional(),
  }),
])
export type Command = z.infer<typeof Command>
