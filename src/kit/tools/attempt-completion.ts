/** Tools by which an agent ends its work: with a result, or because it is stuck. */
import { z } from 'zod'
import { doc } from '../../core/graph/spec/name.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { Tool } from '../../runtime/ports.ts'
import type { JsonSchema } from '../schema.ts'
import { tool } from '../tool.ts'

const text = z.strictObject({
  result: doc(z.string().min(1))`The complete result. Do not ask a question or offer further help.`,
  command: doc(z.string().optional())`A command with which the reader can inspect the result.`,
})

/** Ends the task with a result: an object of the given schema, or a text. */
export function attemptCompletion(schema?: JsonSchema): Tool {
  return tool({
    name: 'attempt_completion',
    description:
      'Call this when the task is done, and only then: it ends the work and returns the result.',
    inputSchema: schema ? { type: 'object', ...schema } : text,
    effects: 'read',
    execute: async args => ({
      completed: true,
      ...(schema ? { result: args } : defined(args as z.output<typeof text>)),
    }),
  })
}

const stuck = z.strictObject({
  reason: z.string().min(1).max(500).describe('What you have tried, and why it does not work.'),
})

/** Reports that the agent is stuck. The watchdog treats the report as a loop, and escapes. */
export function reportStuck(): Tool {
  return {
    ...tool({
      name: 'report_stuck',
      description:
        'Call this when you make no progress and know no other approach: you continue another way, or with the help of a person. It does not end the task.',
      inputSchema: stuck,
      effects: 'read',
      execute: async () => ({ noted: true }),
    }),
    stuck: args => stuck.parse(args).reason,
  }
}
