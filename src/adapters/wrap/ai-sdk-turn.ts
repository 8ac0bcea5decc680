/** Reads the turn of an agent from a step. */
import type { StepResult, ToolSet } from 'ai'
import type { ReportedUsage } from '../../core/watch/event/call-event.ts'
import { countsInMetadata, withCaches } from '../../core/watch/event/endpoint-usage.ts'
import { lengthOfFile } from '../../core/watch/event/written-length.ts'
import type { Permit } from '../../core/watch/wrapped/tool-gate.ts'
import type { CompletedCall, Turn } from '../../core/watch/wrapped/turn.ts'
import type { Watchdog } from '../../core/watch/wrapped/watchdog.ts'
import { callsIn, readOutput, type ToolAnswer, type ToolOutput } from './ai-sdk-results.ts'

/** The watch of a call, or of the calls of a thread. */
export interface CallWatch {
  readonly watchdog: Watchdog
  readonly permits: Map<string, Permit>
  note: string | undefined
  /** This step answers with the exit message. */
  stopping: boolean
}

export type ToolCall = Readonly<{ toolCallId: string; toolName: string; input: unknown }>

type Results = ReturnType<typeof callsIn>['results']

/** `converted`: what the model reads, of the tools with `toModelOutput`. */
type CallPlace = CallWatch & Readonly<{ at: number; index: number; converted: Results }>

/** `converting`: the names of the tools with `toModelOutput`. */
export function turnOf(
  step: StepResult<ToolSet>,
  call: CallWatch & { readonly converting: ReadonlySet<string> },
  at: number,
): Turn {
  const { results } = callsIn(step.response.messages)
  // The SDK writes any other result as JSON, which would lose an error, a map and bytes.
  const converted = new Map(
    [...results].filter(([, { toolName }]) => call.converting.has(toolName)),
  )
  const calls = step.toolCalls.map((asked, index) =>
    completedCall(step, asked, { ...call, at, index, converted }),
  )
  return {
    at,
    text: step.text,
    hidden: step.content.map(lengthOfHidden).reduce((sum, length) => sum + length, 0),
    calls: calls.filter(call => call !== undefined),
    waiting: step.toolCalls
      .filter((_, index) => calls[index] === undefined)
      .map(({ toolCallId: id, toolName: tool, input: args }) => ({ id, tool, args })),
    usage: usageOf(step),
  }
}

/** The characters of reasoning, and those that cost as much as a generated file. */
function lengthOfHidden(part: StepResult<ToolSet>['content'][number]): number {
  if (part.type === 'reasoning') return part.text.length
  return part.type === 'file' || part.type === 'reasoning-file' ? lengthOfFile(part.file.base64) : 0
}

function usageOf({ usage, providerMetadata }: StepResult<ToolSet>): ReportedUsage {
  const { inputTokens: input, inputTokenDetails: parts, outputTokens: output } = usage
  const cached = parts?.cacheReadTokens ?? 0
  const reasoning = usage.outputTokenDetails?.reasoningTokens
  const reported = { input, output, cached, total: usage.totalTokens, reasoning }
  return parts?.noCacheTokens === undefined
    ? withCaches(reported, countsInMetadata(providerMetadata))
    : reported
}

/** Undefined for a call that waits for approval or runs elsewhere. */
function completedCall(
  { content }: StepResult<ToolSet>,
  { toolCallId, toolName, input }: ToolCall,
  { watchdog: monitor, permits, at, index, converted }: CallPlace,
): CompletedCall | undefined {
  // The SDK itself rejects a tool that is hidden from the model.
  const known = permits.get(toolCallId)
  const permit = known ?? monitor.permit(toolName, at, index)
  const call = { tool: toolName, args: input }
  if (permit.kind === 'no') return { ...call, outcome: permit.outcome }
  const end = content.find(
    part =>
      (part.type === 'tool-result' || part.type === 'tool-error') && part.toolCallId === toolCallId,
  )
  if (end) permits.delete(toolCallId)
  if (end?.type === 'tool-result') {
    const { error, ...answer } = answerOf(end.output, converted.get(toolCallId))
    const thrown = error === undefined ? undefined : { error: new Error(error) }
    return { ...call, outcome: monitor.settle(permit, at, thrown), ...answer }
  }
  if (end?.type !== 'tool-error') return undefined
  const error = known ? end.error : { name: 'InvalidArguments', message: String(end.error) }
  return { ...call, outcome: monitor.settle(permit, at, { error }) }
}

/** The flag of MCP is kept: the output of such a tool has only the texts. */
function answerOf(raw: unknown, read: { readonly output: ToolOutput } | undefined): ToolAnswer {
  if (!read) return { result: raw }
  const answer = readOutput(read.output)
  const isError =
    typeof raw === 'object' && raw !== null && 'isError' in raw && raw.isError === true
  return isError && 'result' in answer ? { result: { content: answer.result, isError } } : answer
}
