/** Makes a tool call of a LangChain agent if the watchdog permits it. */
import { type createMiddleware, MiddlewareError, ToolInvocationError, ToolMessage } from 'langchain'
import type { Watchdog } from '../../core/watch/wrapped/watchdog.ts'
import { placeOf, withOutcome } from './langchain-history.ts'

type Handler = Parameters<NonNullable<Parameters<typeof createMiddleware>[0]['wrapToolCall']>>[1]

export async function guardCall(
  monitor: Watchdog,
  now: () => number,
  { request, handler }: { readonly request: Parameters<Handler>[0]; readonly handler: Handler },
): Promise<Awaited<ReturnType<Handler>>> {
  const { toolCall, state, runtime } = request
  const { id = '', name } = toolCall
  const rejection = (content: string) =>
    new ToolMessage({ content, tool_call_id: id, name, status: 'error' })
  const permit = monitor.permit(name, now(), placeOf(state.messages, id))
  if (permit.kind === 'no') return withOutcome(rejection(permit.why), permit.outcome)
  try {
    const substitute = { ...request, tool: undefined, toolCall: { ...toolCall, name: permit.tool } }
    const answer = await handler(permit.tool === name ? request : substitute)
    if (!ToolMessage.isInstance(answer)) {
      monitor.settle(permit, now())
      return answer
    }
    const failure = answer.status === 'error' ? { error: new Error(answer.text) } : undefined
    return withOutcome(answer, monitor.settle(permit, now(), failure))
  } catch (error) {
    const cause = rootOf(error)
    const invalid = ToolInvocationError.isInstance(cause)
    const isForeign = MiddlewareError.isInstance(error) && !invalid
    // An error of another middleware ends the run, as it does without the watchdog.
    if (isBubbling(error) || runtime.signal?.aborted || isForeign) {
      monitor.settle(permit, now(), { error: { name: 'Cancelled' } })
      throw error
    }
    const thrown = invalid ? { name: 'InvalidArguments', message: cause.message } : error
    // The text is the one that the framework itself writes.
    const text = invalid ? cause.message : `${errorText(error)}\n Please fix your mistakes.`
    return withOutcome(rejection(text), monitor.settle(permit, now(), { error: thrown }))
  }
}

/** The framework itself fails on an error that has no text. */
function errorText(error: unknown): string {
  try {
    return `${error}`
  } catch {
    return 'Error'
  }
}

/** LangGraph throws interrupts and commands to a parent graph. */
function isBubbling(error: unknown): boolean {
  return (error as { is_bubble_up?: unknown } | null | undefined)?.is_bubble_up === true
}

/** Each middleware in between may wrap the error of the tool in its own. */
function rootOf(error: unknown): unknown {
  return MiddlewareError.isInstance(error) ? rootOf(error.cause) : error
}
