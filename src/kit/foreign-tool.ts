/** Tools of other libraries as ours: what they declare, and what you add to it. */
import { defined } from '../core/watch/data/defined.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { Calling, Guarded, Tool } from '../runtime/ports.ts'
import { type JsonSchema, parserOf, type Schema } from './schema.ts'
import { tool, type ToolOptions } from './tool.ts'

/** What you say of one tool of another library; it replaces what the library says. */
export interface ToolSettings<Args = Record<string, unknown>> extends Partial<Guarded> {
  readonly description?: string
  /** Default: `write`, unless the library declares that the tool only reads. */
  readonly effects?: 'read' | 'write'
  readonly idempotent?: boolean
  readonly reversible?: boolean
  readonly confirm?: boolean | string | ((args: Args) => boolean | string)
}

/** Settings by the names of the tools. */
export type ToolSettingsByName = Readonly<Record<string, ToolSettings>>

/** One tool as its library declares it. */
export interface ForeignTool extends Pick<ToolSettings, 'effects' | 'idempotent' | 'confirm'> {
  readonly name: string
  readonly description: string | undefined
  readonly inputSchema: Schema
  /** Where the schema gives no JSON Schema. */
  readonly parameters?: JsonSchema
  execute(args: unknown, call: Calling): Promise<unknown>
}

/** @throws TypeError where settings name no tool, or a schema cannot be used */
export function foreignTools(
  found: readonly ForeignTool[],
  settings: ToolSettingsByName,
): Record<string, Tool> {
  const names = found.map(({ name }) => name)
  for (const name of Object.keys(settings))
    if (!names.includes(name))
      throw new TypeError(
        `settings for an unknown tool '${name}'; the tools are ${names.join(', ') || '(none)'}`,
      )
  return Object.fromEntries(
    found.map(({ description = '', inputSchema, ...declared }) => [
      declared.name,
      tool({
        effects: 'write',
        ...defined(declared as Omit<ForeignTool, 'description' | 'inputSchema'>),
        description,
        ...usable(inputSchema, declared.parameters),
        ...(defined(settings[declared.name] ?? {}) as object),
      } as ToolOptions<Schema>),
    ]),
  )
}

/** A JSON Schema with parts that cannot be checked here goes to the model as it is; the library checks the arguments. */
function usable(schema: Schema, parameters?: JsonSchema) {
  try {
    parserOf(schema, 'arguments')
    return { inputSchema: schema }
  } catch {
    const json = (parameters ?? schema) as JsonSchema
    return { inputSchema: { type: 'object' } as Schema, parameters: json }
  }
}

/** A Standard Schema that checks with `schema` and returns the arguments unchanged, for a library that parses them itself. */
export function checkOnly(schema: Schema): Schema {
  const parse = parserOf(schema, 'arguments')
  return {
    '~standard': {
      version: 1,
      vendor: 'escapement',
      validate: (value: unknown) => {
        const { faults } = parse(value)
        return faults
          ? { issues: faults.map(({ path, message }) => ({ message, path: [path] })) }
          : { value: value as Json }
      },
    },
  }
}
