import { z } from 'zod'
import type { FailureClass } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Tool } from '../../runtime/ports.ts'
import { tool } from '../tool.ts'

const probability = z.number().min(0).max(1)

export const flakySettings = z.strictObject({
  p: probability.default(0.5).describe('How often an attempt fails.'),
  class: z
    .enum(['transient', 'persistent', 'business', 'indeterminate', 'cancelled', 'unknown'])
    .default('transient')
    .describe('What kind of failure it is.'),
  status: z
    .int()
    .min(100)
    .max(599)
    .optional()
    .describe('An HTTP status of the error; else the usual one of its class.'),
  message: z.string().optional(),
  latency: z
    .number()
    .min(0)
    .max(3_600_000)
    .default(0)
    .describe('How long an attempt takes, in ms.'),
  hang: probability.default(0).describe('How often an attempt never ends.'),
  result: z.json().default({ done: true }).describe('What an attempt that does not fail returns.'),
  parameters: z
    .record(z.string(), z.json())
    .optional()
    .describe('A JSON Schema of the arguments; else any are taken.'),
})

type Settings = z.output<typeof flakySettings>

/** How long a hanging attempt hangs unless it is aborted, in ms: longer than any timeout one would set. */
const FOREVER = 86_400_000

/** A tool that fails by chance, and always in the same way for the same seed: for simulations and demonstrations. */
export function flaky(settings: Settings): Tool {
  return tool({
    name: 'flaky',
    description: 'Fails now and then.',
    inputSchema: settings.parameters
      ? (z.fromJSONSchema(settings.parameters) as z.ZodType)
      : z.looseObject({}),
    effects: 'read',
    async execute(_, call): Promise<Json> {
      if (settings.latency > 0) await call.sleep(settings.latency)
      if (settings.hang > 0 && call.draw('hangs') < settings.hang) await call.sleep(FOREVER)
      if (call.draw('fails') < settings.p) throw faultOf(settings)
      return settings.result as Json
    },
  })
}

/** For each class, an error that the default table puts into it. A broken connection is indeterminate where it interrupts a write. */
const FAULTS: Readonly<
  Record<
    FailureClass,
    {
      readonly name: string
      readonly message: string
      readonly status?: number
      readonly code?: string
    }
  >
> = {
  transient: { name: 'ServiceError', message: 'the service does not answer', status: 503 },
  persistent: { name: 'ServiceError', message: 'the service does not accept the key', status: 401 },
  business: { name: 'BusinessError', message: 'the service declines' },
  indeterminate: { name: 'ServiceError', message: 'the line went dead', code: 'ECONNRESET' },
  cancelled: { name: 'AbortError', message: 'the service was told to stop' },
  unknown: { name: 'Error', message: 'it did not work' },
}

function faultOf({ class: kind, status, message }: Settings): Error {
  const { message: usual, ...facts } = FAULTS[kind]
  return Object.assign(new Error(message ?? usual), facts, status === undefined ? {} : { status })
}
