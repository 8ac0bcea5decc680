/** `escapement/langchain`: the watchdog as a middleware of `createAgent`. Its state is part of the agent's checkpoints. */
import { AIMessage, createMiddleware, HumanMessage, MiddlewareError } from 'langchain'
import { type BaseMessage, ToolInvocationError, ToolMessage } from 'langchain'
import { z } from 'zod'
import { breakerCell } from '../../core/watch/failure/breaker.ts'
import { knownSubstitutes } from '../../core/watch/wrapped/known-substitutes.ts'
import { aFunction, kind } from '../../core/watch/wrapped/option-kinds.ts'
import { checkOptions, checkPrice, type WatchdogOptions } from '../../core/watch/wrapped/options.ts'
import { REVIEW_ANSWERS, type ReviewAnswer } from '../../core/watch/wrapped/review-answer.ts'
import { exitMessage, questionOf, rethinkMessage } from '../../core/watch/wrapped/state.ts'
import { reviewQuestion, stopMessage } from '../../core/watch/wrapped/state.ts'
import type { EscapeVerdict, WatchdogState } from '../../core/watch/wrapped/state.ts'
import type { Watchdog } from '../../core/watch/wrapped/watchdog.ts'
import { watchdog } from '../../core/watch/wrapped/watchdog.ts'
import { hasAnswered, isStructured, lastAnswerId } from './langchain-history.ts'
import { placeOf, turnsSince, withNewId, withOutcome } from './langchain-history.ts'

/** Options of the middleware. */
export interface LangChainOptions extends Omit<WatchdogOptions, 'state' | 'can'> {
  /** The chat model for one turn after a loop. Default: the same model, with a message about the loop. */
  readonly smart?: ModelRequest['model']
  /** Default: the system clock. */
  readonly now?: () => number
}

const OPTIONS = { smart: kind('a chat model of LangChain', isModel), now: aFunction }

function isModel(value: unknown): boolean {
  const { invoke } = (value ?? {}) as { readonly invoke?: unknown }
  return typeof invoke === 'function'
}

type Middleware = Parameters<typeof createMiddleware>[0]
type ModelHandler = Parameters<NonNullable<Middleware['wrapModelCall']>>[1]
type ModelRequest = Parameters<ModelHandler>[0]
type ToolHandler = Parameters<NonNullable<Middleware['wrapToolCall']>>[1]

/** `lastAnswer`: the id of the latest message of the model that the watchdog has processed. */
type StoredState = WatchdogState & { readonly lastAnswer?: string }

const stateSchema = z.object({ watchdog: z.custom<StoredState>().optional() })

/** The state of the agent in the hooks. */
type AgentState = Readonly<{ watchdog?: StoredState | undefined; messages: readonly BaseMessage[] }>

/** `checkpoint_ns` identifies a graph inside other graphs: `|` separates them. */
interface Runtime {
  readonly configurable?:
    | { readonly thread_id?: string | undefined; readonly checkpoint_ns?: string | undefined }
    | undefined
  readonly interrupt?: (value: object) => unknown
}

/** What the hooks share. */
interface Hooks {
  readonly smart: LangChainOptions['smart']
  readonly now: () => number
  noteTools(names: readonly string[]): void
  /** Without a runtime, the state is not stored: the next hook reports the same again and records it. */
  watchdogOf(state: AgentState, runtime?: Runtime): Watchdog
}

/**
 * Put it first in the list of middleware: it then sees the results of the others. `result.watchdog` is its state. With
 * `policy.escape.review` it asks a person through `interrupt()`, which needs a checkpointer. The answer is `approved`, `dismiss`,
 * `rejected` or `stop`.
 * @example
 * const agent = createAgent({ model, tools, middleware: [watch({ policy: { limits: { toolCalls: 25 } } })] })
 */
export function watch(given: LangChainOptions = {}) {
  checkOptions(given, OPTIONS)
  checkPrice(given)
  const { smart, now = Date.now, breakers = breakerCell(), ...options } = given
  const { substitutes, add: noteTools } = knownSubstitutes(given.substitutes)
  const watchdogOf: Hooks['watchdogOf'] = ({ watchdog: state }, runtime) => {
    const stored = { ...options, breakers, substitutes, ...(state ? { state } : {}) }
    if (!runtime) return watchdog({ ...stored, record: () => {} })
    const thread = threadOf(runtime)
    return watchdog({ ...stored, ...(thread === undefined ? {} : { thread }) })
  }
  // The hooks would report a wrong policy only when the agent runs.
  watchdogOf({ messages: [] })
  const hooks: Hooks = { smart, now, watchdogOf, noteTools }
  return createMiddleware({
    name: 'escapement',
    stateSchema,
    beforeAgent: (state, runtime) => beforeAgent(hooks, state, runtime),
    beforeModel: {
      canJumpTo: ['end'],
      hook: (state, runtime) => beforeModel(hooks, state, runtime),
    },
    wrapModelCall: async (request, handler) =>
      withNewId(await callModel(hooks, request, handler), request.state.messages),
    wrapToolCall: (request, handler) => guardCall(watchdogOf(request.state), now, request, handler),
    afterModel: {
      canJumpTo: ['model'],
      hook: (state, runtime) => afterModel(hooks, state, runtime),
    },
  })
}

/** A user message starts a round. A run after the end starts again. */
function beforeAgent({ watchdogOf, now }: Hooks, state: AgentState, runtime: Runtime) {
  const ended = state.watchdog?.ended !== undefined
  const last = state.messages.at(-1)
  if (!ended && !HumanMessage.isInstance(last)) return undefined
  const monitor = watchdogOf(state, runtime)
  monitor.userMessage(last?.text ?? '', now())
  // The next hook reports a history that arrives with the first message.
  return ended ? stateUpdate(monitor, state) : { watchdog: { ...state.watchdog, ...monitor.state } }
}

/** Reports the turns so far, asks a person if necessary, and ends the run if the watchdog stopped it. */
function beforeModel({ watchdogOf, now }: Hooks, state: AgentState, runtime: Runtime) {
  const monitor = watchdogOf(state, runtime)
  reportTurns(monitor, state, now)
  // An interrupt is thrown: after the answer, this hook runs again with the same times.
  if (monitor.pendingEscape?.route.rung === 'review') {
    const ask = runtime.interrupt ?? (() => 'stop')
    monitor.resolveReview(askReview(monitor.pendingEscape, ask), now())
  }
  if (monitor.state.ended === undefined) monitor.beforeModelCall(now())
  const update = stateUpdate(monitor, state)
  if (monitor.state.ended === undefined) return update
  const messages = [new AIMessage(stopMessage(monitor.state))]
  return { ...update, messages, jumpTo: 'end' as const }
}

/** Calls the model without the unavailable tools. After a loop, calls `smart` with a message about the loop. */
function callModel(
  { watchdogOf, now, smart, noteTools }: Hooks,
  request: ModelRequest & { readonly state: AgentState },
  handler: ModelHandler,
) {
  const { state } = request
  noteTools(request.tools.map(({ name }) => String(name)))
  const monitor = watchdogOf(state)
  if (hasAnswered(state.messages, state.watchdog?.lastAnswer)) {
    reportTurns(monitor, state, now)
    if (questionOf(monitor) === undefined) monitor.beforeModelCall(now())
    // The next hook stores this verdict. The next invocation of the agent asks the person.
    const exit = exitMessage(monitor)
    if (exit !== undefined) return new AIMessage(exit)
  }
  const hidden = monitor.unavailableTools(now())
  const tools = request.tools.filter(({ name }) => !hidden.includes(String(name)))
  const { rethinking } = monitor
  if (!rethinking) return handler({ ...request, tools })
  const note = rethinkMessage(rethinking)
  // After an answer without a call, the history already contains the note.
  const messages =
    request.messages.at(-1)?.text === note
      ? request.messages
      : [...request.messages, new HumanMessage(note)]
  return handler({ ...request, tools, messages, ...(smart === undefined ? {} : { model: smart }) })
}

/** The framework ends at an answer without a call. A `rethink` returns it to the model. */
function afterModel({ watchdogOf, now }: Hooks, state: AgentState, runtime: Runtime) {
  const last = state.messages.at(-1)
  if (!AIMessage.isInstance(last) || (last.tool_calls ?? []).length > 0) return undefined
  const monitor = watchdogOf(state, runtime)
  reportTurns(monitor, state, now)
  const { pendingEscape } = monitor
  if (pendingEscape?.route.rung !== 'rethink' || isStructured(state.messages))
    return stateUpdate(monitor, state)
  monitor.beforeModelCall(now())
  const update = stateUpdate(monitor, state)
  if (monitor.state.ended !== undefined) return update
  const messages = [new HumanMessage(rethinkMessage(pendingEscape))]
  return { ...update, messages, jumpTo: 'model' as const }
}

/** Reports the turns since the last hook. The exit message is not a turn. */
function reportTurns(monitor: Watchdog, state: AgentState, now: () => number): void {
  const turns = turnsSince(state.messages, state.watchdog?.lastAnswer, now())
  for (const [place, turn] of turns.entries()) {
    // The framework called the model again without a hook.
    if (place > 0 && questionOf(monitor) === undefined) monitor.beforeModelCall(now())
    if (place > 0 && exitMessage(monitor) !== undefined) return
    monitor.afterModelTurn(turn)
  }
}

/** The thread of the checkpointer. An agent that is a tool of another agent has its own thread. */
function threadOf({ configurable = {} }: Runtime): string | undefined {
  const { thread_id, checkpoint_ns = '' } = configurable
  const [inside = ''] = checkpoint_ns.match(/^.*(?=\|)/) ?? []
  return thread_id === undefined || inside === '' ? thread_id : `${thread_id}/${inside}`
}

function stateUpdate({ state }: Watchdog, { messages }: AgentState): { watchdog: StoredState } {
  return { watchdog: { ...state, lastAnswer: lastAnswerId(messages) } }
}

/** Repeats the question until the answer is valid. LangGraph keeps each answer, so an error would occur at every attempt. */
function askReview(escape: EscapeVerdict, ask: (value: object) => unknown): ReviewAnswer {
  let question = reviewQuestion(escape)
  for (;;) {
    const given = ask({ question, because: escape.because })
    const answer = REVIEW_ANSWERS.find(known => known === given)
    if (answer !== undefined) return answer
    question = `Invalid answer ${JSON.stringify(given)}; expected one of ${REVIEW_ANSWERS.join(', ')}. ${reviewQuestion(escape)}`
  }
}

/** Makes a tool call if the watchdog permits it. */
async function guardCall(
  monitor: Watchdog,
  now: () => number,
  request: Parameters<ToolHandler>[0],
  handler: ToolHandler,
): Promise<Awaited<ReturnType<ToolHandler>>> {
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
const isBubbling = (error: unknown): boolean =>
  (error as { is_bubble_up?: unknown } | null | undefined)?.is_bubble_up === true

/** Each middleware in between may wrap the error of the tool in its own. */
const rootOf = (error: unknown): unknown =>
  MiddlewareError.isInstance(error) ? rootOf(error.cause) : error
