/** The faults of a change of a policy that its merge would hide. */
import { z } from 'zod'
import { type Fault, pathOf, unknownKey } from '../data/fault.ts'
import { isMap, notJsonAt } from '../data/json.ts'
import { plainOf } from './key.ts'
import { policyKeys, policyKind } from './policy-keys.ts'

export function changeFaults(change: unknown): readonly Fault[] {
  const message =
    isMap(change) && Object.keys(change).length > 0
      ? notJsonAt(change)
      : `expected a map with one or more of ${Object.keys(policyKeys).join(', ')}`
  if (message !== undefined) return [{ path: '(the change)', message }]
  return removalFaults(policyKind, change, [])
}

/** Unknown keys with the value `null`: a merge drops them. Names in maps that take any name are not judged. */
function removalFaults(of: z.ZodType, change: unknown, path: readonly string[]): readonly Fault[] {
  if (!isMap(change)) return []
  const { known, schemaOf } = keysOf(of)
  return Object.entries(change).flatMap(([key, value]): readonly Fault[] => {
    const inner = schemaOf(key)
    if (inner) return removalFaults(inner, value, [...path, key])
    if (value !== null) return []
    return [{ path: pathOf([...path, key]), message: unknownKey(key, known) }]
  })
}

interface Keys {
  readonly known: readonly string[]
  /** The schema of a key. `undefined`: the map does not take the key. */
  readonly schemaOf: (key: string) => z.ZodType | undefined
}

/** The keys of the map that a schema takes. A short form stands before the map. */
function keysOf(of: z.ZodType): Keys {
  const schema = plainOf(of)
  if (schema instanceof z.ZodReadonly) return keysOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUnion) return keysOf(schema.options.at(-1) as z.ZodType)
  if (schema instanceof z.ZodRecord)
    return { known: [], schemaOf: () => schema.valueType as z.ZodType }
  if (!(schema instanceof z.ZodObject)) return { known: [], schemaOf: () => z.unknown() }
  const { shape, def } = schema
  const others = def.catchall instanceof z.ZodNever ? undefined : (def.catchall as z.ZodType)
  const schemaOf = (key: string) => (Object.hasOwn(shape, key) ? shape[key] : others)
  return { known: Object.keys(shape), schemaOf: schemaOf as Keys['schemaOf'] }
}
