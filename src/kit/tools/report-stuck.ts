import { z } from 'zod'
import type { Tool } from '../../runtime/ports.ts'
import { tool } from '../tool.ts'

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
