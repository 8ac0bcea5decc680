/** A tool that fails by chance, for simulations and demonstrations. */
import { z } from 'zod'
import { compileJsonSchema } from '../../core/graph/spec/json-schema.ts'
import { doc } from '../../core/graph/spec/name.ts'
import type { FailureClass } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Tool } from '../../runtime/ports.ts'
import { tool } from '../tool.ts'

/** For each class, an error that the default rules put into it. A broken connection is indeterminate if it interrupts a write. */
const FAULTS: Readonly<Record<FailureClass, Partial<Error & { status: number; code: string }>>> = {
  transient: { name: 'ServiceError', message: 'the service does not answer', status: 503 },
  persistent: { name: 'ServiceError', message: 'the service does not accept the key', status: 401 },
  business: { name: 'BusinessError', message: 'the service declines' },
  indeterminate: { name: 'ServiceError', message: 'the connection was lost', code: 'ECONNRESET' },
  cancelled: { name: 'AbortError', message: 'the service was stopped' },
  unknown: { name: 'Error', message: 'the call failed' },
}

const failureClass = z.enum(Object.keys(FAULTS) as FailureClass[])
const probability = z.number().min(0).max(1)
const milliseconds = z.number().min(0).max(3_600_000)
const httpStatus = z.int().min(100).max(599).optional()
export const flakySettings = z.strictObject({
  p: probability.default(0.5).describe('Probability that an attempt fails.'),
  class: doc(failureClass.default('transient'))`The class of the failure.`,
  status: httpStatus.describe('HTTP status of the error. Default: the usual status of its class.'),
  message: z.string().optional(),
  latency: milliseconds.default(0).describe('Duration of an attempt, in ms.'),
  hang: probability.default(0).describe('Probability that an attempt never ends.'),
  result: z.json().default({ done: true }).describe('The result of an attempt that succeeds.'),
  parameters: doc(z.record(z.string(), z.json()).optional())`A JSON Schema of the arguments.
    Default: any arguments.`,
})

type Settings = z.output<typeof flakySettings>

/** How long a hanging attempt takes unless it is aborted, in ms. Longer than any sensible timeout. */
const FOREVER = 86_400_000

/** Fails by chance; the same seed gives the same failures. */
export function flaky(settings: Settings): Tool {
  return tool({
    name: 'flaky',
    description: 'Fails now and then.',
    inputSchema: settings.parameters ? compileJsonSchema(settings.parameters) : z.looseObject({}),
    effects: 'read',
    async execute(_, call): Promise<Json> {
      if (settings.latency > 0) await call.sleep(settings.latency)
      if (settings.hang > 0 && call.draw('hangs') < settings.hang) await call.sleep(FOREVER)
      if (call.draw('fails') < settings.p) throw faultOf(settings)
      return settings.result as Json
    },
  })
}

function faultOf({ class: kind, status, message }: Settings): Error {
  const { message: usual, ...facts } = FAULTS[kind]
  return Object.assign(new Error(message ?? usual), facts, status === undefined ? {} : { status })
}
