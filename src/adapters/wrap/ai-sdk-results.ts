/** Reads what the model reads of its calls: in a step, and in a history with the results of tools that the client runs and of calls that a person allowed or denied. */
import type { ModelMessage, ToolContent } from 'ai'
import { foreignOutcome } from '../../core/watch/wrapped/turn.ts'
import type { ArrivedCall } from '../../core/watch/wrapped/waiting.ts'

type ToolResult = Extract<ToolContent[number], { type: 'tool-result' }>

/** The latest call of each id, if it has a result. */
export function resultsIn(messages: readonly ModelMessage[], at: number): readonly ArrivedCall[] {
  const { args, results } = callsIn(messages)
  return [...results.values()].map(({ toolCallId: id, toolName: tool, output }) => {
    const { error, ...answer } = readOutput(output)
    return { id, tool, args: args.get(id), outcome: foreignOutcome(at, error), ...answer }
  })
}

/** The arguments and the results of calls by their ids. The SDK has applied `toModelOutput` of the tools. */
export function callsIn(messages: readonly ModelMessage[]) {
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
  return { args, results } as const
}

export type ToolOutput = ToolResult['output']

/** One of the two. */
export type ToolAnswer = Readonly<{ result?: unknown; error?: string }>

/** The answer of a call, or its error, as the model reads it. */
export function readOutput(output: ToolOutput): ToolAnswer {
  switch (output.type) {
    case 'execution-denied':
      return { error: output.reason ?? 'the call was denied' }
    case 'error-text':
      return { error: output.value }
    case 'error-json':
      return { error: JSON.stringify(output.value) }
    default:
      return { result: output.value }
  }
}
