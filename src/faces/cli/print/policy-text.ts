/** A policy as lines of `path value`, as `--set` takes them. */
import { spanText } from '../../../core/watch/duration.ts'
import type { Json } from '../../../core/watch/json.ts'
import type { Policy } from '../../../core/watch/policy.ts'
import { policyKind } from '../../../core/watch/policy-keys.ts'
import type { Kind } from '../../../core/watch/policy-kinds.ts'
import { notationOf } from '../../../core/watch/policy-notation.ts'
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

/** The value as people write it: durations as text. */
function written(kind: Kind | undefined, value: Json): Json {
  const shape = kind?.shape
  if (shape?.type === 'duration' && typeof value === 'number') return spanText(value)
  if (shape?.type === 'literalOr') return written(shape.of, value)
  if (shape?.type === 'list' && Array.isArray(value))
    return value.map(item => written(shape.of, item))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const kindAt = (key: string) =>
    shape?.type === 'part' ? shape.keys[key] : shape?.type === 'record' ? shape.of : undefined
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, written(kindAt(key), inner)]),
  )
}

/** A word that YAML reads as text stands without quotes. */
function leafText(value: Json): string {
  const plain = typeof value === 'string' && /^(?!(true|false|null)$)[\w.-]*[a-z]$/.test(value)
  return plain ? value : JSON.stringify(value)
}
