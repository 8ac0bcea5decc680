/** A tool call of an agent of LangChain, as the watchdog permits it. */
import { type createMiddleware, MiddlewareError, ToolInvocationError, ToolMessage } from 'langchain'
import type { Watchdog } from '../../core/watch/wrapped/watchdog.ts'
import { placeIn, withOutcome } from './langchain-history.ts'

type ToolHandler = Parameters<
  NonNullable<Parameters<typeof createMiddleware>[0]['wrapToolCall']>
>[1]

interface ToolCalling {
  readonly request: Parameters<ToolHandler>[0]
  readonly handler: ToolHandler
}

/** A call, if it may be made: by whom it is made, and what became of it. */
export async function guardedCall(
  monitor: Watchdog,
  now: () => number,
  { request, handler }: ToolCalling,
): Promise<Awaited<ReturnType<ToolHandler>>> {
  const { toolCall, state, runtime } = request
  const permit = monitor.permit(toolCall.name, now(), placeIn(state.messages, toolCall.id))
  if (permit.kind === 'no')
    return withOutcome(rejectedMessage(toolCall, permit.why), permit.outcome)
  try {
    const answer = await handler(
      permit.tool === toolCall.name
        ? request
        : { ...request, tool: undefined, toolCall: { ...toolCall, name: permit.tool } },
    )
    const failed = ToolMessage.isInstance(answer) && answer.status === 'error'
    const outcome = monitor.settle(
      permit,
      now(),
      failed ? { error: new Error(answer.text) } : undefined,
    )
    return ToolMessage.isInstance(answer) ? withOutcome(answer, outcome) : answer
  } catch (error) {
    const cause = rootOf(error)
    const ofArguments = ToolInvocationError.isInstance(cause)
    // What a middleware throws of its own ends the run, as it would without us.
    if (
      isBubbling(error) ||
      runtime.signal?.aborted ||
      (MiddlewareError.isInstance(error) && !ofArguments)
    ) {
      monitor.settle(permit, now(), { error: { name: 'Cancelled' } })
      throw error
    }
    const outcome = monitor.settle(permit, now(), {
      error: ofArguments ? { name: 'InvalidArguments', message: cause.message } : error,
    })
    // In the words of the framework where nobody stands between.
    return withOutcome(
      rejectedMessage(
        toolCall,
        ofArguments ? cause.message : `${errorText(error)}\n Please fix your mistakes.`,
      ),
      outcome,
    )
  }
}

interface Called {
  readonly id?: string | undefined
  readonly name: string
}

function rejectedMessage({ id, name }: Called, content: string): ToolMessage {
  return new ToolMessage({ content, tool_call_id: id ?? '', name, status: 'error' })
}

/** The framework itself falls over what has no text. */
function errorText(error: unknown): string {
  try {
    return `${error}`
  } catch {
    return 'Error'
  }
}

/** LangGraph throws interrupts, and commands to a parent graph, through whoever stands between. */
function isBubbling(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'is_bubble_up' in error &&
    error.is_bubble_up === true
  )
}

/** Each middleware that stands between may have put an error of its own around it. */
function rootOf(error: unknown): unknown {
  return MiddlewareError.isInstance(error) ? rootOf(error.cause) : error
}
