/** A script: what a model says when there is none. A list of turns, as data. */
import { z } from 'zod'
import { type Fault, faultsOf } from '../core/graph/spec/fault.ts'
import { pattern } from '../core/graph/spec/pattern.ts'

/** Everything given must hold. */
const when = z.strictObject({
  lesson: pattern.optional().describe('One of the lessons matches.'),
  system: pattern
    .optional()
    .describe('The system prompt matches: tells the nodes of a graph apart.'),
  text: pattern.optional().describe('The last message matches.'),
  tool: z.string().optional().describe('The last message is the result of this tool.'),
  ok: z
    .boolean()
    .optional()
    .describe('The last message is the result of a call that succeeded, or did not.'),
  offered: z.string().optional().describe('This tool is offered.'),
})

const turn = z
  .strictObject({
    when: when.default({}),
    say: z.string().default(''),
    reasoning: z.string().optional(),
    calls: z
      .array(z.strictObject({ tool: z.string().min(1), args: z.json().default({}) }))
      .default([]),
    fail: z
      .strictObject({
        status: z.int().min(100).max(599).optional(),
        name: z.string().optional(),
        code: z.string().optional(),
        message: z.string().default('the model failed'),
      })
      .optional(),
    times: z
      .union([z.literal('always'), z.int().min(1)])
      .default(1)
      .describe(
        'How often the turn may be taken in a thread; of a turn that fails, how many attempts of each call fail.',
      ),
    usage: z
      .strictObject({
        input: z.int().min(0),
        output: z.int().min(0),
        cached: z.int().min(0).default(0),
      })
      .optional(),
    latency: z
      .number()
      .min(0)
      .max(3_600_000)
      .default(0)
      .describe('How long the answer takes, in ms.'),
  })
  .refine(
    ({ say, calls, fail }) => say !== '' || calls.length > 0 || fail !== undefined,
    'expected say, calls or fail',
  )

const script = z.array(turn).min(1)

export type Turn = z.output<typeof turn>
export type Script = readonly Turn[]

export type ScriptRead =
  | { readonly script: Script; readonly faults?: undefined }
  | { readonly script?: undefined; readonly faults: readonly Fault[] }

/** From any value to a sound script, or to the list of what is wrong with it. */
export function readScript(value: unknown): ScriptRead {
  const read = script.safeParse(value)
  if (read.success) return { script: read.data }
  return { faults: faultsOf(read.error.issues, [], '(the script)') }
}
