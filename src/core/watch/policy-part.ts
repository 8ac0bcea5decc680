/** A policy by what is otherwise than by default, as code hands it over that has no spec. */
import { withDefaults, type DetectPolicy, unreachableTimes, POLICY, type Policy } from './policy.ts'

/** A policy of which only what is otherwise than in `POLICY` is given. Times are in ms. */
export type PolicyPart = PartOf<Policy>

type PartOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: PartOf<T[K]> }
    : T

/** The policy that is as by default in all that is not given. @throws Error naming the path and what was expected. */
export function completePolicy(part: PolicyPart): Policy {
  const fault = faultIn(part, POLICY, 'policy')
  if (fault) throw new Error(fault)
  const policy = withDefaults(part as Policy)
  const never = unreachableOption(policy.detect)
  if (never !== undefined) throw new Error(`policy.${never}`)
  return policy
}

/** The path of what no detector can ever find, and why. */
function unreachableOption(detect: DetectPolicy): string | undefined {
  const tunings = (['tools', 'nodes'] as const).flatMap(of =>
    Object.entries(detect[of]).map(([name, tuning]) => [`detect.${of}.${name}`, tuning] as const),
  )
  for (const [path, tuning] of [['detect', detect] as const, ...tunings])
    for (const name of ['repetition', 'recurrence'] as const) {
      const never = tuning[name] && unreachableTimes(tuning[name])
      if (never) return `${path}.${name}.times ${never}`
    }
  return undefined
}

/** Where a part is of another kind than the default in its place. Whoever writes plain JavaScript is told of a slip here, and of no other by types. */
function faultIn(part: unknown, by: unknown, path: string): string | undefined {
  if (part === undefined) return undefined
  if (typeof part === 'number')
    return Number.isFinite(part) && part >= 0 && !isRecord(by)
      ? undefined
      : `${path} is ${part}; expected ${expected(by)}`
  if (by !== undefined && by !== false && part !== false && kindOf(part) !== kindOf(by))
    return `${path} is ${JSON.stringify(part)}; expected ${expected(by)}`
  if (!isRecord(part)) return undefined
  const known = isRecord(by) ? by : {}
  for (const [key, value] of Object.entries(part)) {
    if (path === 'policy' && !Object.hasOwn(known, key))
      return `${path}.${key}: there is no such setting; expected one of ${Object.keys(known).join(', ')}`
    // A tuning of a tool or a node has the options of detectors.
    const fault = faultIn(value, TUNINGS.has(path) ? POLICY.detect : known[key], `${path}.${key}`)
    if (fault) return fault
  }
  return undefined
}

const TUNINGS: ReadonlySet<string> = new Set(['policy.detect.tools', 'policy.detect.nodes'])

function expected(by: unknown): string {
  return by === undefined || typeof by === 'number'
    ? 'a number of at least 0'
    : `a value like ${JSON.stringify(by).slice(0, 80)}`
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
