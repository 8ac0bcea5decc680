import { z } from 'zod'

/**
 * A channel of the context: a JSON Schema, and what a write does to it.
 * `last` replaces, `append` adds one item (the schema is of the item), `merge` merges objects, `max` keeps the greater number.
 */
export const channel = z.looseObject({
  reducer: z.enum(['last', 'append', 'merge', 'max']).default('last'),
  volatile: z.boolean().default(false).describe('Left out when two states are compared.'),
  default: z.json().optional(),
})

export type ChannelSpec = z.infer<typeof channel>
