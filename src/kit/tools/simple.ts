/** Tools without a workspace: an agent ends its work with a result or because it is stuck, and a tool fails by chance. */
import { z } from 'zod'
import { doc } from '../../core/watch/data/doc.ts'
import { type Json, defined } from '../../core/watch/data/json.ts'
import type { Tool } from '../../runtime/ports.ts'
import { tool } from '../tool.ts'
import type { JsonSchema } from '../schema.ts'
import { compileJsonSchema } from '../../core/graph/spec/json-schema.ts'
import type { FailureClass } from '../../core/watch/failure/failure.ts'

const text = z.strictObject({
  result: doc(z.string().min(1))`The complete result. Do not ask a question or offer further help.`,
  command: doc(z.string().optional())`A command with which the reader can inspect the result.`,
})

/** Ends the task with a result: an object of the given schema, or a text. */
export function attemptCompletion(schema?: JsonSchema): Tool {
  return tool({
    name: 'attempt_completion',
    description:
      'Call this when the task is done, and only then: it ends the work and returns the result.',
    inputSchema: schema ? { type: 'object', ...schema } : text,
    effects: 'read',
    execute: async args => ({
      completed: true,
      ...(schema ? { result: args } : defined(args as z.output<typeof text>)),
    }),
  })
}

const stuck = z.strictObject({
  reason: z.string().min(1).max(500).describe('What you have tried, and why it does not work.'),
})

/** Reports that the agent is stuck. The watchdog treats the report as a loop, and escapes. */
export function reportStuck(): Tool {
  return {
    ...tool({
      name: 'report_stuck',
      description:
        'Call this when you make no progress and know no other approach: you continue another way, or with the help of a person. It does not end the task.',
      inputSchema: stuck,
      effects: 'read',
      execute: async () => ({ noted: true }),
    }),
    stuck: args => stuck.parse(args).reason,
  }
}

type FaultFacts = Partial<Error & { status: number; code: string; retryAfter: number }>

/**
 * For each class, an error that the default rules put into it. A 503 with `retryAfter` refuses a write. A broken connection is
 * indeterminate if it interrupts a write.
 */
const FAULTS: Readonly<Record<FailureClass, FaultFacts>> = {
  transient: {
    name: 'ServiceError',
    message: 'the service does not answer',
    status: 503,
    retryAfter: 0,
  },
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

interface ErrorFacts {
  readonly class: FailureClass
  readonly message?: string | undefined
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly retryAfter?: number | undefined
}

/** How long a hanging attempt takes unless it is aborted, in ms. Longer than any sensible timeout. */
const FOREVER = 86_400_000

/** Fails by chance; the same seed gives the same failures. */
export function flaky(settings: Settings): Tool {
  const { class: kind, status, message } = settings
  const failure = { class: kind, status, message }
  return tool({
    name: 'flaky',
    description: 'Fails now and then.',
    inputSchema: settings.parameters ? compileJsonSchema(settings.parameters) : z.looseObject({}),
    effects: 'read',
    async execute(_, call): Promise<Json> {
      if (settings.latency > 0) await call.sleep(settings.latency)
      if (settings.hang > 0 && call.draw('hangs') < settings.hang) await call.sleep(FOREVER)
      if (call.draw('fails') < settings.p) throw errorOfClass(failure)
      return settings.result as Json
    },
  })
}

/** An error that the default rules put into a class. Given facts replace those of the class. */
export function errorOfClass({ class: kind, message, ...facts }: ErrorFacts): Error {
  const { message: usual, ...ofClass } = FAULTS[kind]
  return Object.assign(new Error(message ?? usual), ofClass, defined(facts))
}
