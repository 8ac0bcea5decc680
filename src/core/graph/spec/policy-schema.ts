/** The policy in the schema of a spec: the kinds of `core/watch/policy` as zod schemas and JSON Schema. */
import { z } from 'zod'
import { CONFIRM } from '../../watch/policy/policy-keys.ts'
import { tunings as tuningsKind } from '../../watch/policy/detect-keys.ts'
import * as kinds from '../../watch/policy/policy-keys.ts'
import type { Definitions, InOf, Kind, OutOf } from '../../watch/policy/policy-kinds.ts'
import { duration as durationOf, pattern as patternKind } from '../../watch/policy/policy-kinds.ts'
import { readKind, schemaAt } from '../../watch/policy/policy-kinds.ts'
import { type PolicyRead, type Policy, layChange } from '../../watch/policy/policy.ts'
import { whenCompiler } from './when.ts'

const conditionOver = whenCompiler(['args'])

/** The fault of a condition over the arguments of a call. */
export function conditionFault(text: string): string | undefined {
  const { fault } = conditionOver(text)
  return fault && `expected ${CONFIRM.join(', ')}, or a condition over args; ${fault}`
}

/** A zod schema that reads a value as its kind does, with the same messages. */
function schemaOf<K extends Kind>(kind: K) {
  return z
    .unknown()
    .transform((value, context) => {
      const { value: read, faults: problems = [] } = readKind(kind, value, { conditionFault })
      for (const { path, message } of problems)
        context.addIssue({ code: 'custom', path: [...path], message })
      return read as OutOf<K>
    })
    .meta({ kind }) as unknown as z.ZodType<OutOf<K>, InOf<K>>
}

export const duration = schemaOf(durationOf()``)
export const pattern = schemaOf(patternKind)
export const retry = schemaOf(kinds.retry)
export const breaker = schemaOf(kinds.breaker)
export const tunings = schemaOf(tuningsKind)
export const review = schemaOf(kinds.review)
export const confirming = schemaOf(kinds.confirming)

/** The keys of a spec that form its policy. */
export const policyShape = {
  mode: schemaOf(kinds.policyKeys.mode).optional(),
  limits: schemaOf(kinds.policyKeys.limits).default({}),
  retry: schemaOf(kinds.policyKeys.retry).default({}),
  breaker: schemaOf(kinds.policyKeys.breaker).default({}),
  detect: schemaOf(kinds.policyKeys.detect).default({}),
  escape: schemaOf(kinds.policyKeys.escape).default({}),
  rounds: schemaOf(kinds.policyKeys.rounds).default({}),
  failures: schemaOf(kinds.policyKeys.failures).default({ defaults: true }),
  confirm: schemaOf(kinds.policyKeys.confirm).default({}),
}

type JsonSchema = Record<string, unknown>

/** Adds the definitions of kinds to a JSON Schema made by zod. */
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
 * Applies a change to the policy in force: maps are merged, lists and single values replaced, and `null` restores the default.
 * Never throws, and never mutates its arguments.
 * @example changePolicy(run.policy, { limits: { usd: 5 }, detect: { sequence: { repeats: 4 } }, escape: { review: { deadline: '2h' } } })
 */
export const changePolicy = (policy: Policy, change: unknown): PolicyRead =>
  layChange(policy, change, { conditionFault })
