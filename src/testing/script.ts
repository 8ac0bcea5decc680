/** A script: the answers of a model, as data. A list of turns. */
import { z } from 'zod'
import { type Fault as SpecFault, faultsOf } from '../core/graph/spec/fault.ts'
import { pattern } from '../core/graph/spec/policy-schema.ts'

/** Everything given must hold. */
const when = z.strictObject({
  lesson: pattern.optional().describe('One of the lessons matches.'),
  system: pattern
    .optional()
    .describe('The system prompt matches: distinguishes the nodes of a graph.'),
  text: pattern.optional().describe('The last message matches.'),
  tool: z.string().optional().describe('The last message is the result of this tool.'),
  ok: z
    .boolean()
    .optional()
    .describe('The last message is the result of a call that succeeded, or did not.'),
  offered: z.string().optional().describe('This tool is offered.'),
})

const fault = z.strictObject({
  status: z.int().min(100).max(599).optional().describe('An HTTP status.'),
  name: z.string().optional(),
  code: z.string().optional().describe('A code as ECONNRESET or insufficient_quota.'),
  message: z.string().default('the call failed'),
})

const turn = z
  .strictObject({
    when: when.default({}),
    say: z.string().default(''),
    reasoning: z.string().optional(),
    calls: z
      .array(z.strictObject({ tool: z.string().min(1), args: z.json().default({}) }))
      .default([]),
    fail: fault.optional().describe('The call fails in this way.'),
    hang: z.literal(true).optional().describe('The call never ends: its timeout ends it.'),
    times: z
      .union([z.literal('always'), z.int().min(1)])
      .default(1)
      .describe(
        'How often the turn may be taken in a thread. Of a turn that fails or hangs: how many attempts of each call.',
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
    ({ say, calls, fail, hang }) => say !== '' || calls.length > 0 || fail !== undefined || hang,
    'expected say, calls, fail or hang',
  )

/** How a call fails. */
export type Fault = z.input<typeof fault>
/** A turn as it is written. */
export type TurnInput = z.input<typeof turn>

const script = z.array(turn).min(1)

export type Turn = z.output<typeof turn>
export type Script = readonly Turn[]

export type ScriptRead =
  | { readonly script: Script; readonly faults?: undefined }
  | { readonly script?: undefined; readonly faults: readonly SpecFault[] }

/** From any value to a sound script, or to the list of what is wrong with it. */
export function readScript(value: unknown): ScriptRead {
  const read = script.safeParse(value)
  if (read.success) return { script: read.data }
  return { faults: faultsOf(read.error.issues, [], '(the script)') }
}
