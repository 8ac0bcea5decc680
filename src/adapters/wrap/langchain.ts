/** `escapement/langchain`: the watchdog as a middleware of `createAgent`. Its state stands in the agent's own checkpoints. */
import { AIMessage, type BaseMessage, createMiddleware, HumanMessage } from 'langchain'
import { z } from 'zod'
import { breakerCell } from '../../core/watch/failure/breaker.ts'
import {
  type ReviewAnswer,
  type Watchdog,
  type WatchdogOptions,
  watchdog,
} from '../../core/watch/wrapped/watchdog.ts'
import type { WatchdogState, EscapeVerdict } from '../../core/watch/wrapped/state.ts'
import { guardedCall } from './langchain-call.ts'
import { stopMessage, rethinkMessage, reviewQuestion } from '../../core/watch/wrapped/messages.ts'
import { hasAnswered, isOfForm, lastMessageId, turnsSince } from './langchain-history.ts'

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
  const watching: Watching = {
    smart,
    now,
    watchdogOf: (state, running = {}) => {
      const thread = threadOf(running)
      return watchdog({
        ...options,
        breakers,
        ...(state.watchdog ? { state: state.watchdog } : {}),
        ...(thread === undefined ? {} : { thread }),
      })
    },
    unrecorded: ({ watchdog: state }) =>
      watchdog({ ...options, breakers, ...(state ? { state } : {}), record: () => {} }),
  }
  return createMiddleware({
    name: 'escapement',
    stateSchema,
    beforeAgent: (state, runtime) => beginRound(watching, state, runtime),
    beforeModel: {
      canJumpTo: ['end'],
      hook: (state, runtime) => beforeModel(watching, state, runtime),
    },
    wrapModelCall: (request, handler) => callModel(watching, request, handler),
    wrapToolCall: (request, handler) =>
      guardedCall(watching.unrecorded(request.state), now, { request, handler }),
    afterModel: {
      canJumpTo: ['model'],
      hook: (state, runtime) => afterAnswer(watching, state, runtime),
    },
  })
}

/** What the hooks share. */
interface Watching {
  readonly smart: LangChainOptions['smart']
  readonly now: () => number
  watchdogOf(state: Watched, running?: Running): Watchdog
  /** For a state that is not kept. The next hook reports the same again, and that is recorded. */
  unrecorded(state: Watched): Watchdog
}

/** A user message starts a round, and a run after the end starts again. */
function beginRound({ watchdogOf, now }: Watching, state: Watched, running: Running) {
  const ended = state.watchdog?.ended !== undefined
  const last = state.messages.at(-1)
  if (!ended && !HumanMessage.isInstance(last)) return undefined
  const monitor = watchdogOf(state, running)
  monitor.userMessage(last?.text ?? '', now())
  // The next hook reports a history that comes with the first message.
  return { watchdog: ended ? storedState(monitor, state) : { ...state.watchdog, ...monitor.state } }
}

/** Reports the turns so far, asks a person if that is due, and ends the run if it is stopped. */
function beforeModel(
  { watchdogOf, now }: Watching,
  state: Watched,
  runtime: Running & { readonly interrupt?: (value: object) => unknown },
) {
  const monitor = watchdogOf(state, runtime)
  reportTurns(monitor, state, now)
  // Interrupts are thrown: what comes before one is done again, with the same times, when the answer has come.
  if (monitor.pendingEscape?.route.rung === 'review') {
    const ask = runtime.interrupt ?? (() => 'stop')
    monitor.resolveReview(answerTo(monitor.pendingEscape, ask), now())
  }
  if (monitor.state.ended === undefined) monitor.beforeModelCall(now())
  const watched = { watchdog: storedState(monitor, state) }
  if (monitor.state.ended === undefined) return watched
  const messages = [new AIMessage(stopMessage(monitor.state))]
  return { ...watched, messages, jumpTo: 'end' as const }
}

/** Calls the model without the tools that are out of order; after a loop the smarter model, with what was found. */
function callModel(
  { unrecorded, now, smart }: Watching,
  request: Parameters<Handler>[0] & { readonly state: Watched },
  handler: Handler,
) {
  const { state } = request
  const monitor = unrecorded(state)
  if (hasAnswered(state.messages, state.watchdog?.told)) {
    reportTurns(monitor, state, now)
    if (monitor.pendingEscape?.route.rung !== 'review') monitor.beforeModelCall(now())
    // The next hook keeps what is asked here; a person is asked when the agent is invoked again.
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
  // After an answer without a call the note is in the history already.
  const messages =
    request.messages.at(-1)?.text === note
      ? request.messages
      : [...request.messages, new HumanMessage(note)]
  return handler({ ...request, tools, messages, ...(smart === undefined ? {} : { model: smart }) })
}

/** The framework ends at an answer without a call. A `rethink` sends it back to the model. */
function afterAnswer({ watchdogOf, now }: Watching, state: Watched, running: Running) {
  const last = state.messages.at(-1)
  if (!AIMessage.isInstance(last) || (last.tool_calls ?? []).length > 0) return undefined
  const monitor = watchdogOf(state, running)
  reportTurns(monitor, state, now)
  const { pendingEscape } = monitor
  if (pendingEscape?.route.rung !== 'rethink' || isOfForm(state.messages))
    return { watchdog: storedState(monitor, state) }
  monitor.beforeModelCall(now())
  const watched = { watchdog: storedState(monitor, state) }
  if (monitor.state.ended !== undefined) return watched
  const messages = [new HumanMessage(rethinkMessage(pendingEscape))]
  return { ...watched, messages, jumpTo: 'model' as const }
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
