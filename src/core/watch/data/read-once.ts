/** Checks one value by one schema only once in a read: a schema that uses its parts twice at each level would check a deep value exponentially often. */
import type { z } from 'zod'

type Schema = z.core.$ZodType
type Parse = Schema['_zod']['parse']
type Payload = z.core.ParsePayload
type Issue = z.core.$ZodRawIssue

/** The results of one read, by schema and value. */
export type Results = Map<Schema, Map<object, Payload>>

/** The receiver of issues extends their paths in place, so each one needs its own. */
const copiesOf = (issues: readonly Issue[]): Issue[] =>
  issues.map(issue => (issue.path ? { ...issue, path: [...issue.path] } : { ...issue }))

/** Like `parse`, with the result of an earlier check of the same value. Zod itself remembers only what recursive lists and objects give. */
export function parseOnce(schema: Schema, parse: Parse, results: Results): Parse {
  return (payload, context) => {
    const { value, issues } = payload
    if (typeof value !== 'object' || value === null || issues.length > 0)
      return parse(payload, context)
    const known = results.get(schema) ?? new Map<object, Payload>()
    results.set(schema, known)
    const before = known.get(value)
    if (before) return { ...before, issues: copiesOf(before.issues) }
    const after = parse(payload, context)
    // Within a cycle of values, the result is not complete yet.
    if ('issues' in after && !after.memo)
      known.set(value, { ...after, issues: copiesOf(after.issues) })
    return after
  }
}
