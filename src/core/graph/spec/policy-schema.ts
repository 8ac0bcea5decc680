/** The policy in the schema of a spec. The keys themselves are in `core/watch/policy-keys.ts`; here they become zod and JSON Schema. */
import { z } from 'zod'
import { CONFIRM } from '../../watch/confirm.ts'
import { whenCompiler } from '../when.ts'
import { tunings as tuningsKind } from '../../watch/detect-keys.ts'
import { SPAN } from '../../watch/duration.ts'
import {
  duration as durationOf,
  type InOf,
  type Kind,
  type OutOf,
  type PartShape,
  type Shape,
} from '../../watch/policy-kinds.ts'
import {
  breaker as breakerKind,
  confirming as confirmingKind,
  policyKeys,
  retry as retryKind,
} from '../../watch/policy-keys.ts'
import { pattern as patternKind } from '../../watch/names.ts'
import { readAs } from '../../watch/policy-reader.ts'

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
      const { value: read, problems = [] } = readAs(kind, value, conditionFault)
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
  const defs: JsonSchema = {}
  const whole = make(({ jsonSchema }) => {
    const { kind } = jsonSchema as { kind?: Kind }
    delete jsonSchema.kind
    if (kind) Object.assign(jsonSchema, { ...keySchema(kind, defs), ...jsonSchema })
  })
  return { ...whole, $defs: { ...defs, ...(whole.$defs as object) } }
}

/** What a kind is, without what one of its keys says of it. */
function definition({ shape, ...kind }: Kind, defs: JsonSchema): JsonSchema {
  const description = kind.definition ?? kind.description
  return { ...shapeSchema(shape, defs), ...(description === '' ? {} : { description }) }
}

function keySchema(kind: Kind, defs: JsonSchema): JsonSchema {
  const { id, description, shape } = kind
  const by = kind.default === undefined ? {} : { default: filled(kind) }
  const meaning = description === '' || (id && !kind.definition) ? {} : { description }
  if (id === undefined) return { ...shapeSchema(shape, defs), ...meaning, ...by }
  if (!Object.hasOwn(defs, id)) {
    defs[id] = {}
    defs[id] = definition(kind, defs)
  }
  return { $ref: `#/$defs/${id}`, ...meaning, ...by }
}

function shapeSchema(shape: Shape, defs: JsonSchema): JsonSchema {
  switch (shape.type) {
    case 'number':
      return shape.whole
        ? { type: 'integer', minimum: shape.min, maximum: shape.max }
        : { type: 'number', exclusiveMinimum: shape.above }
    case 'duration':
      return {
        anyOf: [
          { type: 'number', minimum: 0 },
          { type: 'string', pattern: SPAN.source },
        ],
      }
    case 'text':
      return {
        anyOf: [
          ...(shape.rule?.known ? [{ type: 'string', enum: shape.rule.known }] : []),
          { type: 'string', minLength: shape.min, maxLength: shape.max },
        ],
      }
    case 'choice':
      return { type: 'string', enum: shape.of }
    case 'flag':
      return { type: 'boolean' }
    case 'json':
      return {}
    case 'list':
      return { type: 'array', items: keySchema(shape.of, defs), maxItems: shape.max }
    case 'condition':
      return { type: 'string' }
    case 'literalOr':
      return {
        anyOf: [
          ...(shape.literals[0] === false
            ? [{ const: false, type: 'boolean' }]
            : [{ type: 'string', enum: shape.literals }]),
          keySchema(shape.of, defs),
        ],
      }
    case 'record':
      return {
        type: 'object',
        propertyNames: keySchema(shape.key, defs),
        additionalProperties: keySchema(shape.of, defs),
      }
    case 'part':
      return partSchema(shape, defs)
  }
}

function partSchema({ keys, custom, short, shortText }: PartShape, defs: JsonSchema): JsonSchema {
  const entries = Object.entries(keys)
  const required = entries.filter(([, kind]) => kind.required).map(([key]) => key)
  const map = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, kind]) => [key, keySchema(kind, defs)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: custom ? keySchema(custom, defs) : false,
  }
  if (shortText !== undefined) return { anyOf: [{ type: 'string' }, map] }
  return short ? { anyOf: [{ type: 'integer', minimum: short.min }, map] } : map
}

/** The default of a kind with what its own keys take by default. */
function filled({ shape, default: by }: Kind): unknown {
  const of = shape.type === 'literalOr' ? shape.of.shape : shape
  if (of.type !== 'part' || !of.fills || typeof by !== 'object') return by
  const inner = Object.entries(of.keys).flatMap(([key, kind]) =>
    kind.default === undefined ? [] : [[key, kind.default] as const],
  )
  return { ...Object.fromEntries(inner), ...by }
}
