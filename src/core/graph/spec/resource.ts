/** The tools and models a graph spec names. */
import { z } from 'zod'
import { duration } from './duration.ts'
import { name } from './name.ts'
import { breaker, confirming } from './policy.ts'
import { retryOrNone } from './node.ts'

/** A tool: one that ships (`list_dir`, `read_file`, `grep`, `attempt_completion`, `report_stuck`, `flaky`), or your own. */
export const tool = z.strictObject({
  use: z.string().regex(/^([a-z_]+|\.\/.+\.(ts|js|mjs)#\w+)$/, 'expected the name of a tool that ships, or ./file.ts#export'),
  description: z.string().optional(),
  with: z.record(z.string(), z.json()).optional().describe("The tool's own settings."),
  effects: z.enum(['read', 'write']).optional(),
  idempotent: z.boolean().optional().describe('A repetition with the same key changes nothing more.'),
  reversible: z.boolean().optional().describe('A later call of the same tool undoes what it has done: it counts as harmless in the ledger of effects.'),
  confirm: confirming.optional().describe('Whether a person must allow a call of it; comes before what `confirm` says of all tools.'),
  timeout: duration.optional(),
  retry: retryOrNone.optional(),
  breaker: breaker.partial().optional(),
  concurrency: z.int().min(1).optional().describe('Calls at once; more are refused.'),
  substitutes: z.array(name).optional().describe('Other tools that answer in its place while its breaker is open, the first that can; they must take the same arguments.'),
})

const price = z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative(), cached: z.number().nonnegative().optional() })

/** A model behind an OpenAI-compatible endpoint. */
export const model = z.strictObject({
  id: z.string().min(1).describe('The name the endpoint knows it by.'),
  baseURL: z.url().optional().describe('Else OPENAI_BASE_URL.'),
  keyFrom: z.string().default('OPENAI_API_KEY').describe('The environment variable that holds the key.'),
  price: price.optional().describe('US dollars per million tokens.'),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).optional(),
  context: z.int().min(1).optional().describe('The most tokens of one call, input and output together: what lint needs to say how far a limit can be overshot.'),
  timeout: duration.default(120_000),
  smarter: name.optional().describe('The model that takes one call in its place when it has gone round in circles.'),
  retry: retryOrNone.optional(),
  breaker: breaker.partial().optional(),
  concurrency: z.int().min(1).optional(),
  substitutes: z.array(name).optional().describe('Other models that answer in its place while its breaker is open, the first that can.'),
  offline: z.string().optional().describe('A script (YAML, beside the spec) that answers when no endpoint is configured.'),
})

export type ToolSpec = z.infer<typeof tool>
export type ModelSpec = z.infer<typeof model>
