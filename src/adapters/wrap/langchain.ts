/** `escapement/langchain`: the watchdog as a middleware of `createAgent`. Its state stands in the agent's own checkpoints. */
import {
  AIMessage,
  type BaseMessage,
  createMiddleware,
  HumanMessage,
  MiddlewareError,
  ToolInvocationError,
  ToolMessage,
} from 'langchain'
import { z } from 'zod'
import { breakerCell } from '../../core/watch/failure/breaker-table.ts'
import {
  type ReviewAnswer,
  type Watchdog,
  type WatchdogOptions,
  watchdog,
} from '../../core/watch/wrapped/watchdog.ts'
import type { WatchdogState, EscapeVerdict } from '../../core/watch/wrapped/state.ts'
import { stopMessage, rethinkMessage, reviewQuestion } from '../../core/watch/wrapped/messages.ts'
import {
  hasAnswered,
  isOfForm,
  placeIn,
  lastMessageId,
  turnsSince,
  withOutcome,
} from './langchain-history.ts'

/** Options of the middleware. */
export interface LangChainOptions extends Omit<WatchdogOptions, 'state' | 'can'> {
  /** The chat model that thinks again, for one turn. Absent: the same model, told what was found. */
  readonly smart?: Parameters<Handler>[0]['model']
  /** Default: the clock of the system. */
  readonly now?: () => number
}

type Handler = Parameters<NonNullable<Parameters<typeof createMiddleware>[0]['wrapModelCall']>>[1]

/** What it keeps. `told`: the id of the latest message of the model that the watchdog knows of. */
type StoredState = WatchdogState & { readonly told?: string }

const stateSchema = z.object({ watchdog: z.custom<StoredState>().optional() })

/**
 * Put it first in the list, so that it sees what the others make of the calls. `result.watchdog` is what it keeps. With `policy.escape.review`
 * a person is asked through `interrupt()`, which needs a checkpointer; the answer is `approved`, `dismiss`, `rejected` or `stop`.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [watch({ policy: { limits: { toolCalls: 25 } } })] })
 */
export function watch({
  smart,
  now = Date.now,
  breakers = breakerCell(),
  ...options
}: LangChainOptions = {}) {
  const watchdogOf = (state: Watched, running: Running = {}): Watchdog => {
    const thread = threadOf(running)
    return watchdog({
      ...options,
      breakers,
      ...(state.watchdog ? { state: state.watchdog } : {}),
      ...(thread === undefined ? {} : { thread }),
    })
  }
  /** For what is not kept: the next hook tells it again, and that is recorded. */
  const unrecorded = ({ watchdog: state }: Watched): Watchdog =>
    watchdog({ ...options, breakers, ...(state ? { state } : {}), record: () => {} })
  return createMiddleware({
    name: 'escapement',
    stateSchema,
    beforeAgent: (state, runtime) => {
      const ended = state.watchdog?.ended !== undefined
      const said = state.messages.at(-1)
      if (!ended && !HumanMessage.isInstance(said)) return undefined
      const monitor = watchdogOf(state, runtime)
      monitor.userMessage(said?.text ?? '', now())
      // A history that comes with the first word is told by the next hook.
      return {
        watchdog: ended ? storedState(monitor, state) : { ...state.watchdog, ...monitor.state },
      }
    },
    beforeModel: {
      canJumpTo: ['end'],
      hook: (state, runtime) => {
        const monitor = watchdogOf(state, runtime)
        reportTurns(monitor, state, now)
        // Interrupts are thrown: what comes before one is done again, with the same times, when the answer has come.
        if (monitor.pendingEscape?.route.rung === 'review')
          monitor.resolveReview(
            answerTo(monitor.pendingEscape, runtime.interrupt ?? (() => 'stop')),
            now(),
          )
        if (monitor.state.ended === undefined) monitor.beforeModelCall(now())
        const watched = { watchdog: storedState(monitor, state) }
        return monitor.state.ended === undefined
          ? watched
          : {
              ...watched,
              messages: [new AIMessage(stopMessage(monitor.state))],
              jumpTo: 'end' as const,
            }
      },
    },
    wrapModelCall: (request, handler) => {
      const { state } = request
      const monitor = unrecorded(state)
      if (hasAnswered(state.messages, state.watchdog?.told)) {
        reportTurns(monitor, state, now)
        if (monitor.pendingEscape?.route.rung !== 'review') monitor.beforeModelCall(now())
        // What has been asked here is kept by the next hook; a person is asked when the agent is told to go on.
        if (isLeft(monitor))
          return new AIMessage(
            monitor.pendingEscape?.route.rung === 'review'
              ? reviewQuestion(monitor.pendingEscape)
              : stopMessage(monitor.state),
          )
      }
      const hidden = monitor.unavailableTools(now())
      const tools = request.tools.filter(({ name }) => !hidden.includes(String(name)))
      const { rethinking } = monitor
      if (!rethinking) return handler({ ...request, tools })
      const note = rethinkMessage(rethinking)
      // An answer without a call was followed by it in the history.
      const messages =
        request.messages.at(-1)?.text === note
          ? request.messages
          : [...request.messages, new HumanMessage(note)]
      return handler({
        ...request,
        tools,
        messages,
        ...(smart === undefined ? {} : { model: smart }),
      })
    },
    wrapToolCall: (request, handler) =>
      guardedCall(unrecorded(request.state), now, { request, handler }),
    afterModel: {
      canJumpTo: ['model'],
      hook: (state, runtime) => {
        const said = state.messages.at(-1)
        if (!AIMessage.isInstance(said) || (said.tool_calls ?? []).length > 0) return undefined
        const monitor = watchdogOf(state, runtime)
        reportTurns(monitor, state, now)
        const { pendingEscape } = monitor
        if (pendingEscape?.route.rung !== 'rethink' || isOfForm(state.messages))
          return { watchdog: storedState(monitor, state) }
        // The framework would end here; the model is to think again.
        monitor.beforeModelCall(now())
        const watched = { watchdog: storedState(monitor, state) }
        return monitor.state.ended === undefined
          ? {
              ...watched,
              messages: [new HumanMessage(rethinkMessage(pendingEscape))],
              jumpTo: 'model' as const,
            }
          : watched
      },
    },
  })
}

/** Tells what has been done since. What the model is told to say at the end is no turn of its own. */
function reportTurns(
  monitor: Watchdog,
  { messages, watchdog: kept }: Watched,
  now: () => number,
): void {
  for (const [place, turn] of turnsSince(messages, kept?.told, now()).entries()) {
    // The model was asked again, and no hook was told.
    if (place > 0 && monitor.pendingEscape?.route.rung !== 'review') monitor.beforeModelCall(now())
    if (place > 0 && isLeft(monitor)) return
    monitor.afterModelTurn(turn)
  }
}

function isLeft({ state, pendingEscape }: Watchdog): boolean {
  return state.ended !== undefined || pendingEscape?.route.rung === 'review'
}

type ToolHandler = Parameters<
  NonNullable<Parameters<typeof createMiddleware>[0]['wrapToolCall']>
>[1]

interface Calling {
  readonly request: Parameters<ToolHandler>[0]
  readonly handler: ToolHandler
}

/** A call, if it may be made: by whom it is made, and what became of it. */
async function guardedCall(
  monitor: Watchdog,
  now: () => number,
  { request, handler }: Calling,
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

interface Watched {
  readonly watchdog?: StoredState | undefined
  readonly messages: readonly BaseMessage[]
}

/** Where the framework keeps the state of what is running: `|` stands between a graph and the one inside it. */
interface Running {
  readonly configurable?:
    | { readonly thread_id?: string | undefined; readonly checkpoint_ns?: string | undefined }
    | undefined
}

interface Called {
  readonly id?: string | undefined
  readonly name: string
}

/** The thread of the checkpointer is the thread as which it is recorded; an agent inside another one, as a tool, is one of its own. */
function threadOf({
  configurable: { thread_id, checkpoint_ns = '' } = {},
}: Running): string | undefined {
  const [inside = ''] = checkpoint_ns.match(/^.*(?=\|)/) ?? []
  return thread_id === undefined || inside === '' ? thread_id : `${thread_id}/${inside}`
}

function storedState({ state }: Watchdog, { messages }: Watched): StoredState {
  return { ...state, told: lastMessageId(messages) }
}

function rejectedMessage({ id, name }: Called, content: string): ToolMessage {
  return new ToolMessage({ content, tool_call_id: id ?? '', name, status: 'error' })
}

const ANSWERS: readonly unknown[] = [
  'approved',
  'dismiss',
  'rejected',
  'stop',
] satisfies readonly ReviewAnswer[]

/** Asked again until the answer is one: LangGraph keeps what was said, so that an error would come back at each try. */
function answerTo(due: EscapeVerdict, ask: (value: object) => unknown): ReviewAnswer {
  let question = reviewQuestion(due)
  for (;;) {
    const said = ask({ question, because: due.because })
    if (ANSWERS.includes(said)) return said as ReviewAnswer
    question = `${JSON.stringify(said)} is no answer; expected one of ${ANSWERS.join(', ')}. ${reviewQuestion(due)}`
  }
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
