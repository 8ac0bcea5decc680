/** Adapts tools of LangChain. */
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import type { ForeignTool, ToolSettings, ToolSettingsByName } from '../../kit/foreign-tool.ts'
import { checkOnly, foreignTools } from '../../kit/foreign-tool.ts'
import type { JsonSchema, Schema, SchemaInput, StandardSchema } from '../../kit/schema.ts'
import type { Tool } from '../../runtime/ports.ts'

/** The used part of LangChain's `StructuredTool`. */
export interface LangChainTool {
  readonly name: string
  readonly description: string
  readonly schema: unknown
  invoke(input: never, config?: never): Promise<unknown>
}

/** The arguments of each tool. Tools whose names are not literal types share one entry. */
type ArgsByName<T extends readonly LangChainTool[]> = {
  [E in T[number] as E['name']]: InputOf<E['schema']>
}
type InputOf<S> = S extends StandardSchema ? SchemaInput<S> : Record<string, unknown>
type Settings<Args> = { readonly [N in keyof Args]?: ToolSettings<Args[N]> }

/**
 * Makes tools of the tools of LangChain. A tool counts as a write unless its settings declare a read. The arguments are checked
 * first; LangChain transforms them when it calls the tool.
 * @throws TypeError for settings of an unknown tool
 * @example
 * const tools = langchainTools([search, refund], { search: { effects: 'read' } })
 */
export function langchainTools<const T extends readonly LangChainTool[]>(
  tools: T,
  settings: Settings<ArgsByName<T>> = {},
): { [N in keyof ArgsByName<T>]: Tool<ArgsByName<T>[N]> } {
  return foreignTools(tools.map(foreignTool), settings as object as ToolSettingsByName) as never
}

type Invoke = (input: unknown, config: { readonly signal: AbortSignal }) => Promise<unknown>

function foreignTool(tool: LangChainTool): ForeignTool {
  const { name, description, schema } = tool
  const { parameters } = convertToOpenAITool(tool as never).function
  return {
    name,
    description,
    inputSchema: checkOnly(schema as Schema),
    parameters: parameters as JsonSchema,
    execute: async (args, { signal }) =>
      resultOf(name, await (tool.invoke as unknown as Invoke).call(tool, args, { signal })),
  }
}

/** A tool may return a message, or a command to the graph that called it. */
function resultOf(name: string, result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result
  const { lg_name, content, status, tool_call_id } = result as Record<string, unknown>
  const wrong = `the tool '${name}' returned a Command of LangGraph; expected a result: only a LangGraph graph executes commands`
  if (lg_name === 'Command') throw new TypeError(wrong)
  if (tool_call_id === undefined || content === undefined) return result
  if (status === 'error')
    throw Object.assign(new Error(String(content)), { name: 'ToolMessageError' })
  return content
}
