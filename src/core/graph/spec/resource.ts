/** The tools and models a graph spec names. */
import { z } from 'zod'
import { name, value } from './name.ts'
import { breaker, confirming, duration, retry } from './policy-schema.ts'

/** A tool: one that ships (`list_dir`, `read_file`, `grep`, `attempt_completion`, `report_stuck`, `flaky`), or your own. */
export const tool = z
  .strictObject({
    use: z
      .string()
      .regex(
        /^([a-z_]+|\.\/.+\.(ts|js|mjs)#\w+)$/,
        'expected the name of a tool that ships, or ./file.ts#export',
      )
      .describe(
        'A tool that ships (list_dir, read_file, grep, attempt_completion, report_stuck, flaky), or your own: ./file.ts#export, or `code` if it is passed to `defineGraph` or `bindGraph`.',
      ),
    description: z
      .string()
      .optional()
      .describe('What the model is told of it; if absent, what its code says.'),
    with: z.record(z.string(), value).optional().describe("The tool's own settings."),
    effects: z
      .enum(['read', 'write'])
      .optional()
      .describe(
        'write: it changes the world. A write is never repeated blindly. If absent, what its code says.',
      ),
    idempotent: z
      .boolean()
      .optional()
      .describe(
        'true: a repetition with the same key changes nothing more, so that a write may be made again. If absent, what its code says; reads are.',
      ),
    reversible: z
      .boolean()
      .optional()
      .describe(
        'true: a later call of the same tool undoes what it has done; it counts as harmless in the ledger of effects.',
      ),
    confirm: confirming
      .optional()
      .describe(
        'Whether a person must allow a call of it; comes before what `confirm` says of all tools.',
      ),
    timeout: duration
      .optional()
      .describe('The most one attempt may take; if absent, what its code says, or 30s.'),
    retry: retry
      .optional()
      .describe(
        'How its calls are tried again, where it is otherwise than in `retry` of the graph; 0: not at all.',
      ),
    breaker: breaker
      .optional()
      .describe('Its circuit breaker, where it is otherwise than `breaker` of the graph.'),
    concurrency: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The most calls at once: more are refused, and tried again a little later. If absent, there is no limit.',
      ),
    substitutes: z
      .array(name)
      .optional()
      .describe(
        'Other tools that answer in its place while its breaker is open, the first that can; they must take the same arguments.',
      ),
  })
  .meta({ id: 'tool', description: 'A tool: one that ships, or your own.' })

const price = z.strictObject({
  input: z.number().nonnegative().describe('Tokens of the prompt.'),
  output: z.number().nonnegative().describe('Tokens of the answer.'),
  cached: z
    .number()
    .nonnegative()
    .optional()
    .describe('Tokens of the prompt that came from the cache; as `input`, if absent.'),
})

/** A model behind an OpenAI-compatible endpoint. */
export const model = z
  .strictObject({
    id: z.string().min(1).describe('The name the endpoint knows it by.'),
    baseURL: z.url().optional().describe('The endpoint; OPENAI_BASE_URL, if absent.'),
    keyFrom: z
      .string()
      .default('OPENAI_API_KEY')
      .describe('The environment variable that holds the key.'),
    price: price
      .optional()
      .describe('US dollars per million tokens; without it, money is not counted.'),
    temperature: z
      .number()
      .min(0)
      .max(2)
      .optional()
      .describe('As the endpoint understands it; its own, if absent.'),
    maxTokens: z.int().min(1).optional().describe('The most tokens of one answer.'),
    context: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The most tokens of one call, input and output together: what lint needs to say how far a limit can be overshot.',
      ),
    timeout: duration.prefault('2m').describe('The most one attempt may take.'),
    smarter: name
      .optional()
      .describe(
        'The model that takes one call in its place when it has gone round in circles: the rung `rethink`.',
      ),
    retry: retry
      .optional()
      .describe(
        'How its calls are tried again, where it is otherwise than in `retry` of the graph; 0: not at all.',
      ),
    breaker: breaker
      .optional()
      .describe('Its circuit breaker, where it is otherwise than `breaker` of the graph.'),
    concurrency: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The most calls at once: more are refused, and tried again a little later. If absent, there is no limit.',
      ),
    substitutes: z
      .array(name)
      .optional()
      .describe(
        'Other models that answer in its place while its breaker is open, the first that can.',
      ),
    offline: z
      .string()
      .optional()
      .describe('A script (YAML, beside the spec) that answers when no endpoint is configured.'),
  })
  .meta({ id: 'model', description: 'A model behind an OpenAI-compatible endpoint.' })

export type ToolSpec = z.infer<typeof tool>
export type ModelSpec = z.infer<typeof model>
/** Tools and models as they are written. */
export type ToolInput = z.input<typeof tool>
export type ModelInput = z.input<typeof model>
