/** A policy by what is otherwise than by default, as code hands it over that has no spec. */
import { completed, outOfReach, POLICY, type Policy } from './policy.ts'

/** A policy of which only what is otherwise than in `POLICY` is given. Times are in ms. */
export type PolicyPart = PartOf<Policy>

type PartOf<T> = T extends readonly unknown[] ? T : T extends object ? { readonly [K in keyof T]?: PartOf<T[K]> } : T

/** The policy that is as by default in all that is not given. @throws Error naming the path and what was expected. */
export function policyWith(part: PolicyPart): Policy {
  const fault = faultIn(part, POLICY, 'policy')
  if (fault) throw new Error(fault)
  const policy = completed(part as Policy)
  for (const name of ['repetition', 'recurrence'] as const) {
    const never = policy.detect[name] && outOfReach(policy.detect[name])
    if (never) throw new Error(`policy.detect.${name}.times ${never}`)
  }
  return policy
}

/** Where a part is of another kind than the default in its place. Whoever writes plain JavaScript is told of a slip here, and of no other by types. */
function faultIn(part: unknown, by: unknown, path: string): string | undefined {
  if (part === undefined) return undefined
  if (typeof part === 'number') return Number.isFinite(part) && part >= 0 && !isRecord(by) ? undefined : `${path} is ${part}; expected ${expected(by)}`
  if (by !== undefined && by !== false && part !== false && kindOf(part) !== kindOf(by)) return `${path} is ${JSON.stringify(part)}; expected ${expected(by)}`
  if (!isRecord(part)) return undefined
  const known = isRecord(by) ? by : {}
  for (const [key, value] of Object.entries(part)) {
    if (path === 'policy' && !Object.hasOwn(known, key)) return `${path}.${key}: there is no such setting; expected one of ${Object.keys(known).join(', ')}`
    const fault = faultIn(value, known[key], `${path}.${key}`)
    if (fault) return fault
  }
  return undefined
}

function expected(by: unknown): string {
  return by === undefined || typeof by === 'number' ? 'a number of at least 0' : `a value like ${JSON.stringify(by).slice(0, 80)}`
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
