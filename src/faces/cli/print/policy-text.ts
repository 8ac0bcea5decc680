/** A policy as lines of `path value`, as `--set` takes them. */
import { spanText } from '../../../core/graph/spec/span.ts'
import { partsOf } from '../../../core/graph/spec/to-policy.ts'
import type { Json } from '../../../core/watch/json.ts'
import type { Policy } from '../../../core/watch/policy.ts'

export function policyText(policy: Policy): string {
  const lines = leavesOf('', partsOf(policy))
  const width = Math.max(...lines.map(([path]) => path.length))
  return lines.map(([path, value]) => `${path.padEnd(width)}  ${value}\n`).join('')
}

function leavesOf(path: string, value: Json): readonly (readonly [path: string, value: string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [[path, leafText(path, value)]]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(path === '' ? key : `${path}.${key}`, inner),
  )
}

/** The keys whose values are times, in ms. */
const TIMES: readonly string[] = ['base', 'cap', 'reset', 'window', 'duration', 'deadline', 'after']

function leafText(path: string, value: Json): string {
  const timed = (key: string, inner: Json) =>
    typeof inner === 'number' && TIMES.includes(key) ? spanText(inner) : inner
  return timed(path.slice(path.lastIndexOf('.') + 1), value) === value
    ? JSON.stringify(value, timed)
    : spanText(value as number)
}
