/**
 * The values that `enum` and `const` of a JSON Schema list. Zod compares objects by identity, so none would be equal, takes a list in
 * `const` as several values, and names only one value in its message if their types differ. A text therefore stands for the values while
 * zod compiles, and the schema of this text is then replaced.
 */
import type { z } from 'zod'
import { choiceMessage } from '../../watch/data/schema-faults.ts'

type JsonSchema = Readonly<Record<string, unknown>>
export type Lists = (readonly unknown[])[]

const MARK = '\u0000values:'

/** The listed values that zod would not compare or name. */
export function valuesIn({
  enum: values,
  const: value,
}: JsonSchema): readonly unknown[] | undefined {
  if (values === undefined) return isObject(value) ? [value] : undefined
  const isUsable = !Array.isArray(values) || values.every(each => typeof each === 'string')
  return isUsable ? undefined : values
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether a schema lists objects or lists. */
export const listsObjects = (schema: JsonSchema): boolean =>
  valuesIn(schema)?.some(isObject) ?? false

/** The schema with a text in place of its values, which are added to `lists`. */
export function markValues(schema: JsonSchema, lists: Lists): JsonSchema {
  const values = valuesIn(schema)
  if (!values) return schema
  const { enum: _, ...rest } = schema
  return { ...rest, const: `${MARK}${lists.push(values) - 1}` }
}

/** Has the compiled schema of such a text accept the values. */
export function useValues(schema: z.core.$ZodType, lists: Readonly<Lists>): void {
  const inside = schema._zod
  const def = inside.def as z.core.$ZodLiteralDef<never>
  const [text] = def.type === 'literal' ? (def.values as readonly unknown[]) : []
  const values =
    typeof text === 'string' && text.startsWith(MARK)
      ? lists[Number(text.slice(MARK.length))]
      : undefined
  if (!values) return
  def.values = values as never
  inside.values = undefined
  inside.parse = payload => {
    const { value: input } = payload
    if (values.some(value => isEqual(value, input))) return payload
    const message = choiceMessage(input, values)
    payload.issues.push({
      code: 'invalid_value',
      values: values as never,
      input,
      inst: schema,
      message,
    })
    return payload
  }
  inside.run = inside.parse
  inside.processJSONSchema = (_, json) => {
    Object.assign(json, values.length > 1 ? { enum: values } : { const: values[0] })
  }
}

/** Whether both are the same JSON. Of an object, its own keys count in any order. */
function isEqual(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [ones, others] = [Object.entries(one), Object.keys(other)]
  return (
    ones.length === others.length &&
    ones.every(
      ([key, value]) => Object.hasOwn(other, key) && isEqual(value, Reflect.get(other, key)),
    )
  )
}
