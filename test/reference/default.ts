/** What holds where a key is absent. */
import { spanText } from '../../src/core/graph/spec/span.ts'
import { POLICY } from '../../src/core/watch/policy.ts'
import { branches, referred, type Schema } from './schema.ts'

/** The parts of a policy that a definition writes, as they are by default. */
const BY_POLICY: Readonly<Record<string, unknown>> = {
  spec: { mode: POLICY.mode },
  limits: POLICY.limits,
  retry: POLICY.retry,
  breaker: POLICY.breaker,
  detect: POLICY.detect,
  escape: POLICY.escape,
  rounds: POLICY.rounds,
  failures: { recurring: POLICY.recurring },
}

/** In the notation of a spec; `''` where there is none. `path` leads from the definition to the key. */
export function defaultOf(definition: string, path: readonly string[], schema: Schema): string {
  const said = shown(schema.default, schema)
  const policy = shown(at(BY_POLICY[definition], path), schema)
  if (said !== '' && policy !== '' && said !== policy)
    throw new Error(
      `${definition}.${path.join('.')}: the schema says ${said}, the policy ${policy}`,
    )
  return said === '' ? policy : said
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  )
}

function shown(value: unknown, schema: Schema): string {
  if (value === undefined || isEmpty(value)) return ''
  return `\`${noted(value, schema)}\``
}

function noted(value: unknown, schema: Schema): string {
  if (typeof value === 'number' && referred(schema) === 'duration') return spanText(value)
  if (Array.isArray(value)) return `[${value.join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const properties = branches(schema).find(branch => branch.properties)?.properties ?? {}
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${noted(inner, properties[key] ?? {})}`)
    .join(', ')} }`
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
