/** Checks values by a JSON Schema as the runtime does: with the same compiler. Loaded with the first form. */
import '../data/without-eval.ts'
import type { z } from 'zod'
import { compileJsonSchema } from '../../../src/core/graph/spec/json-schema.ts'
import type { Fault } from '../../../src/core/watch/data/fault.ts'
import type { Json } from '../../../src/core/watch/data/json.ts'
import { readBounded } from '../../../src/core/watch/data/read-bounded.ts'
import { faultsOf, messageFor } from '../../../src/core/watch/data/schema-faults.ts'
import { faultWords } from './fault-words.ts'
import type { JsonSchema } from './shape.ts'

const messageOf = (issue: z.core.$ZodRawIssue) => faultWords(issue) ?? messageFor(issue)

/** The path of a fault of the value as a whole. */
export const WHOLE = ''

export type Check = (value: Json) => readonly Fault[]

/** A schema that cannot be compiled checks nothing: the service does. */
export function checkOf(schema: JsonSchema): Check {
  try {
    const compiled = compileJsonSchema(schema)
    return value => faultsOf(readBounded(compiled, value, messageOf).issues ?? [], [], WHOLE)
  } catch {
    return () => []
  }
}
