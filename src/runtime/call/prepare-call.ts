/** A call of a tool before it is made: looked up and checked, and nothing more. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Graph, Tool } from '../ports.ts'
import { wholeValue } from './effect-context.ts'

export interface ToolCall {
  readonly call: string
  readonly name: string
  readonly args: Json
}

type PreparedCall =
  | { readonly ok: true; readonly tool: Tool; readonly args: Json }
  | { readonly ok: false; readonly error: unknown }

/** The tool and its arguments: checked and coerced by its schema, and small enough for the journal. */
export function prepareCall(
  tools: Graph['tools'],
  { name, args }: Pick<ToolCall, 'name' | 'args'>,
): PreparedCall {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  try {
    if (!tool)
      throw new ReasonError('InvalidArguments', {
        code: 'unknown-name',
        params: { kind: 'tool', name, known: Object.keys(tools) },
      })
    return {
      ok: true,
      tool,
      args: wholeValue(`${name}.arguments`, tool.parse(args), same => same),
    }
  } catch (error) {
    return { ok: false, error }
  }
}
