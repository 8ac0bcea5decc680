/** A policy as lines of `path value`, as `--set` takes them. */
import type { Json } from '../../../core/watch/data/json.ts'
import type { Policy } from '../../../core/watch/policy/policy.ts'
import { policyKind } from '../../../core/watch/policy/policy-keys.ts'
import { notationOf } from '../../../core/watch/policy/policy-notation.ts'
import { written } from '../../../core/watch/policy/policy-parts.ts'
import type { Block } from './layout.ts'

export function policyTable(policy: Policy): Block {
  return { rows: leavesOf('', written(policyKind, notationOf(policy))) }
}

function leavesOf(path: string, value: Json): readonly (readonly [path: string, value: string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [[path, leafText(value)]]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(path === '' ? key : `${path}.${key}`, inner),
  )
}

/** A word that YAML reads as text stands without quotes. */
function leafText(value: Json): string {
  const plain = typeof value === 'string' && /^(?!(true|false|null)$)[\w.-]*[a-z]$/.test(value)
  return plain ? value : JSON.stringify(value)
}
