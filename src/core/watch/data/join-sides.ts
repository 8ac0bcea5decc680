/** The result of an intersection of zod, in linear time: zod compares the keys of both sides pairwise. */
import { z } from 'zod'

type Payload = z.core.ParsePayload
type Issue = z.core.$ZodRawIssue

/** Joins the values of both sides and their issues, of which `few` chooses. A key is refused only if both sides refuse it. */
export function joinSides(
  payload: Payload,
  left: Payload,
  right: Payload,
  few: (issues: readonly Issue[]) => readonly Issue[],
): Payload {
  const [{ refused: one, rest }, { refused: other, rest: more }] = [
    splitRefused(left.issues),
    splitRefused(right.issues),
  ]
  payload.issues.push(...few([...rest, ...more]))
  const unknown: string[] = []
  let whole: Issue | undefined
  for (const [key, issue] of one) {
    const twin = other.get(key)
    if (!twin) continue
    const aggregate = [issue, twin].find(({ code }) => code === 'unrecognized_keys')
    if (aggregate) unknown.push(key)
    else payload.issues.push(issue)
    whole ??= aggregate
  }
  if (whole) payload.issues.push({ ...whole, keys: unknown } as Issue)
  const merged = mergeValues(left.value, right.value)
  if (merged) payload.value = merged.value
  else if (!z.core.util.aborted(payload)) payload.issues.push(unmergeable(payload.value))
  return payload
}

const unmergeable = (input: unknown): Issue => ({
  code: 'custom',
  message: 'both sides of an intersection change the value, each in its own way',
  input,
  path: [],
})

/** The keys that one side refuses, each with its issue, and the issues of other kinds. */
function splitRefused(issues: readonly Issue[]) {
  const refused = new Map<string, Issue>()
  const rest: Issue[] = []
  for (const issue of issues) {
    const { code, path = [] } = issue
    if (code === 'unrecognized_keys' && path.length === 0)
      for (const key of issue.keys) refused.set(key, issue)
    else if (code === 'invalid_key' && issue.origin === 'record' && path.length === 1)
      refused.set(String(path[0]), issue)
    else rest.push(issue)
  }
  return { refused, rest }
}

/** The common value of two sides, or `undefined` if they differ. */
function mergeValues(a: unknown, b: unknown): { readonly value: unknown } | undefined {
  if (a === b || (a instanceof Date && b instanceof Date && +a === +b)) return { value: a }
  if (Array.isArray(a) && Array.isArray(b)) return mergeLists(a, b)
  const { isPlainObject } = z.core.util
  return isPlainObject(a) && isPlainObject(b) ? mergeObjects(a, b) : undefined
}

function mergeLists(a: readonly unknown[], b: readonly unknown[]) {
  if (a.length !== b.length) return undefined
  const items: unknown[] = []
  for (const [index, item] of a.entries()) {
    const merged = mergeValues(item, b[index])
    if (!merged) return undefined
    items.push(merged.value)
  }
  return { value: items }
}

type Plain = Readonly<Record<string, unknown>>

/** Whether each key of one object has the same value in the other. A copy of a large object is expensive. */
const isWithin = (part: Plain, whole: Plain): boolean =>
  Object.keys(part).every(key => part[key] === whole[key] && Object.hasOwn(whole, key))

function mergeObjects(a: Plain, b: Plain) {
  if (isWithin(a, b)) return { value: b }
  if (isWithin(b, a)) return { value: a }
  const value: Record<string, unknown> = { ...a, ...b }
  // Zod removes it too: assigned to a plain object, it would replace the prototype.
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  for (const key of Object.keys(a)) {
    if (a[key] === b[key] || key === '__proto__' || !Object.hasOwn(b, key)) continue
    const merged = mergeValues(a[key], b[key])
    if (!merged) return undefined
    value[key] = merged.value
  }
  return { value }
}
