import { z } from 'zod'
import { value } from './name.ts'

/**
 * A channel of the context: a JSON Schema, and what a write does to it.
 * `last` replaces, `append` adds one item (the schema is of the item), `merge` merges objects, `max` keeps the greater number.
 */
export const channel = z
  .looseObject({
    reducer: z
      .enum(['last', 'append', 'merge', 'max'])
      .default('last')
      .describe(
        'What a write does: last replaces, append adds one item (the schema is of the item), merge merges objects, max keeps the greater number.',
      ),
    volatile: z
      .boolean()
      .default(false)
      .describe(
        'true: left out when two states are compared, as for a counter or a time that makes every lap look new.',
      ),
    default: value
      .optional()
      .describe(
        'What it holds before anything is written; without it null, an empty list where it appends, an empty map where it merges.',
      ),
  })
  .meta({
    id: 'channel',
    description:
      'A channel of the context: a JSON Schema of what it holds (`type`, `enum`, `properties`, …), and what a write does to it.',
  })

export type ChannelSpec = z.infer<typeof channel>
/** A channel as it is written. */
export type ChannelInput = z.input<typeof channel>
