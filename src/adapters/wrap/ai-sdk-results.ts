/** Reads the results that a history has of earlier calls: of tools that the client runs, and of calls that a person allowed or denied. */
import type { ModelMessage, ToolContent } from 'ai'
import { foreignOutcome } from '../../core/watch/wrapped/turn.ts'
import type { ArrivedCall } from '../../core/watch/wrapped/waiting.ts'

type ToolResult = Extract<ToolContent[number], { type: 'tool-result' }>

/** The latest call of each id, if it has a result. */
export function resultsIn(messages: readonly ModelMessage[], at: number): readonly ArrivedCall[] {
  const args = new Map<string, unknown>()
  const results = new Map<string, ToolResult>()
  for (const { content } of messages) {
    if (typeof content === 'string') continue
    for (const part of content) {
      if (part.type === 'tool-result') results.set(part.toolCallId, part)
      if (part.type !== 'tool-call') continue
      args.set(part.toolCallId, part.input)
      // Some models use an id again.
      results.delete(part.toolCallId)
    }
  }
  return [...results.values()].map(({ toolCallId: id, toolName: tool, output }) => {
    const error = errorIn(output)
    const call = { id, tool, args: args.get(id), outcome: foreignOutcome(at, error) }
    return error === undefined && 'value' in output ? { ...call, result: output.value } : call
  })
}

function errorIn(output: ToolResult['output']): string | undefined {
  if (output.type === 'execution-denied') return output.reason ?? 'the call was denied'
  if (output.type === 'error-text') return output.value
  return output.type === 'error-json' ? JSON.stringify(output.value) : undefined
}
