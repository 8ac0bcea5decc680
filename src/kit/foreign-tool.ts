/** Tools of other libraries: what they declare, and the settings of the caller. */
import { ARGUMENTS } from '../core/watch/data/fault.ts'
import { type Json, defined } from '../core/watch/data/json.ts'
import type { Calling, Tool } from '../runtime/ports.ts'
import { tool } from './tool.ts'
import type { ToolOptions } from './tool-options.ts'
import { type JsonSchema, type Schema, parserOf } from './schema.ts'
import type { Protection } from './tool-options.ts'

/** Settings of one tool of another library. They override what the library declares. */
export interface ToolSettings<Args = Record<string, unknown>> extends Protection {
  readonly description?: string
  /** Default: `write`, unless the library declares that the tool only reads. */
  readonly effects?: 'read' | 'write'
  readonly idempotent?: boolean
  readonly reversible?: boolean
  readonly cache?: number
  readonly confirm?: boolean | string | ((args: Args) => boolean | string)
}

/** Settings by the names of the tools. */
export type ToolSettingsByName = Readonly<Record<string, ToolSettings>>

/** One tool as its library declares it. */
export interface ForeignTool extends Pick<ToolSettings, 'effects' | 'idempotent' | 'confirm'> {
  readonly name: string
  readonly description: string | undefined
  readonly inputSchema: Schema
  /** For a schema without a JSON Schema. */
  readonly parameters?: JsonSchema
  execute(args: unknown, call: Calling): Promise<unknown>
}

/** @throws TypeError if settings name an unknown tool, or a schema cannot be used */
export function foreignTools(found: readonly ForeignTool[], settings: ToolSettingsByName) {
  const names = found.map(({ name }) => name)
  const unknown = Object.keys(settings).find(name => !names.includes(name))
  const known = names.join(', ') || '(none)'
  if (unknown !== undefined)
    throw new TypeError(`settings for an unknown tool '${unknown}'; the tools are ${known}`)
  return Object.fromEntries<Tool>(
    found.map(({ description = '', inputSchema, ...declared }) => {
      const options = {
        effects: 'write',
        ...defined(declared),
        description,
        ...usableSchema(inputSchema, declared.parameters),
        ...defined<object>(settings[declared.name] ?? {}),
      }
      return [declared.name, tool(options as ToolOptions<Schema>)]
    }),
  )
}

/** A JSON Schema with unsupported parts goes to the model unchanged. The library checks the arguments. */
function usableSchema(schema: Schema, parameters?: JsonSchema) {
  try {
    parserOf(schema, ARGUMENTS)
    return { inputSchema: schema }
  } catch {
    return { inputSchema: { type: 'object' }, parameters: parameters ?? schema }
  }
}

/** A Standard Schema that checks with `schema` and returns the arguments unchanged, for a library that parses them itself. */
export function checkOnly(schema: Schema): Schema {
  const parse = parserOf(schema, ARGUMENTS)
  const validate = (value: unknown) => {
    const { faults } = parse(value)
    return faults
      ? { issues: faults.map(({ path, message }) => ({ message, path: [path] })) }
      : { value: value as Json }
  }
  return { '~standard': { version: 1, vendor: 'escapement', validate } }
}
