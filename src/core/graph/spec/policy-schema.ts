/** The policy in the schema of a spec. The keys themselves are in `core/watch/policy-keys.ts`; here they become zod and JSON Schema. */
import { z } from 'zod'
import { CONFIRM } from '../../watch/policy/confirm.ts'
import { whenCompiler } from './when.ts'
import { tunings as tuningsKind } from '../../watch/policy/detect-keys.ts'
import {
  type Definitions,
  duration as durationOf,
  type InOf,
  type Kind,
  type OutOf,
  pattern as patternKind,
  readKind,
  schemaAt,
} from '../../watch/policy/policy-kinds.ts'
import {
  breaker as breakerKind,
  confirming as confirmingKind,
  policyKeys,
  retry as retryKind,
} from '../../watch/policy/policy-keys.ts'
import type { Policy } from '../../watch/policy/policy.ts'
import { layChange, type PolicyRead } from '../../watch/policy/policy-notation.ts'

const conditionOver = whenCompiler(['args'])

/** What is wrong with a condition over the arguments of a call. */
export function conditionFault(text: string): string | undefined {
  const { fault } = conditionOver(text)
  return fault && `expected ${CONFIRM.join(', ')}, or a condition over args; ${fault}`
}

/** A schema that reads a value as its kind says, with the same sentences. */
function schemaOf<K extends Kind>(kind: K) {
  return z
    .unknown()
    .transform((value, context) => {
      const { value: read, problems = [] } = readKind(kind, value, { conditionFault })
      for (const { path, message } of problems)
        context.addIssue({ code: 'custom', path: [...path], message })
      return read as OutOf<K>
    })
    .meta({ kind }) as unknown as z.ZodType<OutOf<K>, InOf<K>>
}

export const duration = schemaOf(durationOf()``)
export const pattern = schemaOf(patternKind)
export const retry = schemaOf(retryKind)
export const breaker = schemaOf(breakerKind)
export const tunings = schemaOf(tuningsKind)
export const confirming = schemaOf(confirmingKind)

/** What of a spec makes its policy. */
export const policyShape = {
  mode: schemaOf(policyKeys.mode).optional(),
  limits: schemaOf(policyKeys.limits).default({}),
  retry: schemaOf(policyKeys.retry).default({}),
  breaker: schemaOf(policyKeys.breaker).default({}),
  detect: schemaOf(policyKeys.detect).default({}),
  escape: schemaOf(policyKeys.escape).default({}),
  rounds: schemaOf(policyKeys.rounds).default({}),
  failures: schemaOf(policyKeys.failures).default({ defaults: true }),
  confirm: schemaOf(policyKeys.confirm).default({}),
}

type JsonSchema = Record<string, unknown>

/** Puts the kinds into a JSON Schema that zod has made. */
export function kindsDefined(
  make: (override: (of: { jsonSchema: JsonSchema }) => void) => JsonSchema,
): JsonSchema {
  const defs: Definitions = {}
  const whole = make(({ jsonSchema }) => {
    const { kind } = jsonSchema as { kind?: Kind }
    delete jsonSchema.kind
    if (kind) Object.assign(jsonSchema, { ...schemaAt(kind, defs), ...jsonSchema })
  })
  return { ...whole, $defs: { ...defs, ...(whole.$defs as object) } }
}

/**
 * Lays a change over the policy in force: maps are merged, lists and single values replaced, and `null` takes back to the
 * default. Never throws, and never changes what it is given.
 *
 * @example changePolicy(run.policy, { limits: { usd: 5 }, detect: { sequence: { repeats: 4 } }, escape: { review: { deadline: '2h' } } })
 */
export function changePolicy(policy: Policy, change: unknown): PolicyRead {
  return layChange(policy, change, { conditionFault })
}
