import type { Json } from '../../core/watch/data/json.ts'
import type { Graph, Tool } from '../ports.ts'
import { lookUp } from './context.ts'
import { wholeValue } from './stored-json.ts'

export interface ToolCall {
  readonly call: string
  readonly name: string
  readonly args: Json
}

type PreparedCall =
  | { readonly ok: true; readonly tool: Tool; readonly args: Json }
  | { readonly ok: false; readonly error: unknown }

/** Looks up the tool of a call; validates and coerces the arguments by its schema, and checks their size. */
export function prepareCall(
  tools: Graph['tools'],
  { name, args }: Pick<ToolCall, 'name' | 'args'>,
): PreparedCall {
  try {
    const tool = lookUp('InvalidArguments', 'tool', tools, name)
    const parsed = wholeValue(`${name}.arguments`, tool.parse(args), same => same)
    return { ok: true, tool, args: parsed }
  } catch (error) {
    return { ok: false, error }
  }
}
