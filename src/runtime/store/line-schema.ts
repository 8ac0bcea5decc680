/** The columns of the line of a thread that are JSON. They have no checksum, so a damaged one is left out. */
import { z } from 'zod'
import type { Tally } from '../../core/run/tally.ts'
import type { ThreadWait } from '../../core/watch/event/wait-event.ts'
import type { ThreadTally } from './tally.ts'

const texts = z.array(z.string())
const spentSchema = z.tuple([z.number(), z.number(), z.number()])
const foundSchema = z.looseObject({
  findings: z.number(),
  escapes: z.number(),
  rungs: texts,
  finding: z
    .looseObject({
      signature: z.looseObject({ kind: z.string(), code: z.string(), members: texts }),
      period: z.number(),
      repeats: z.number(),
    })
    .optional(),
})
const waitsSchema = z.array(z.object({ call: z.string(), thread: z.string(), since: z.number() }))

/** `found` is the tally without the spending, and `spent` has steps, tokens and usd. @throws Error for another content */
export function parseTally(found: string, spent: string): ThreadTally {
  const [steps, tokens, usd] = spentSchema.parse(JSON.parse(spent))
  return { ...(foundSchema.parse(JSON.parse(found)) as Tally), spent: { steps, tokens, usd } }
}

/** @throws Error for another content */
export const parseWaits = (text: string): readonly ThreadWait[] =>
  waitsSchema.parse(JSON.parse(text))
