import { z } from 'zod'
import type { Tool } from '../../runtime/ports.ts'
import type { JsonSchema } from '../schema.ts'
import { tool } from '../tool.ts'

/** What a completed task comes to. */
interface Completion {
  readonly completed: true
  readonly result: string
  readonly command?: string
}

const DESCRIPTION =
  'Call this when the task is done, and only then: it ends the work and hands over the result.'

/** Ends the task with a result: an object of the given schema, or a text. */
export function attemptCompletion(schema?: JsonSchema): Tool {
  if (schema)
    return tool({
      name: 'attempt_completion',
      description: DESCRIPTION,
      inputSchema: { type: 'object', ...schema },
      effects: 'read',
      execute: async result => ({ completed: true, result }),
    })
  return tool({
    name: 'attempt_completion',
    description: DESCRIPTION,
    inputSchema: z.strictObject({
      result: z
        .string()
        .min(1)
        .describe('The result, complete in itself: not a question, and no offer of further help.'),
      command: z
        .string()
        .optional()
        .describe('A command with which the reader can see the result for himself.'),
    }),
    effects: 'read',
    execute: async ({ result, command }): Promise<Completion> => ({
      completed: true,
      result,
      ...(command === undefined ? {} : { command }),
    }),
  })
}

const schema = z.strictObject({
  reason: z.string().min(1).max(500).describe('What you have tried, and why it leads nowhere.'),
})

/** How an agent says that it is stuck. The watchdog believes it, and takes the way out that it would take for any loop. */
export function reportStuck(): Tool {
  return {
    ...tool({
      name: 'report_stuck',
      description:
        'Call this when you see that you make no progress and know no other way: you will be led out, by another way or by a person. It does not end the task.',
      inputSchema: schema,
      effects: 'read',
      execute: async () => ({ noted: true }),
    }),
    stuck: args => schema.parse(args).reason,
  }
}
