/** The keys of a definition with type, default and meaning. */
import { defaultOf } from './default.ts'
import { branches, definitions, referred, type Schema } from './schema.ts'
import { typeOf } from './type.ts'

export interface Row {
  readonly key: string
  readonly type: string
  readonly default: string
  readonly meaning: string
}

const ALL = definitions()

/** Unnamed maps are listed by the paths of their keys: `sequence.repeats`, `escalate[].to`. */
export function rowsOf(definition: string, link: (name: string) => string): readonly Row[] {
  return inner(ALL.get(definition) ?? {}, '')

  function inner(schema: Schema, prefix: string): Row[] {
    const properties = branches(schema).flatMap(branch => Object.entries(branch.properties ?? {}))
    return properties.flatMap(([name, property]) => {
      const key = `${prefix}${name}`
      const required = branches(schema).some(branch => branch.required?.includes(name))
      const row = {
        key,
        type: typeOf(property, link),
        default: required ? 'required' : defaultOf(property),
        meaning: property.description ?? ALL.get(referred(property) ?? '')?.description ?? '',
      }
      return [row, ...below(property, key)]
    })
  }

  function below(property: Schema, key: string): Row[] {
    if (property.$ref !== undefined) return []
    if (property.items) return inner(property.items, `${key}[].`)
    return inner(property, `${key}.`)
  }
}
