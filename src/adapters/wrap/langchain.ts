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
import { type Answer, type Dog, type DogOptions, watchdog } from '../../core/watch/dog/dog.ts'
import type { DogState, Escape } from '../../core/watch/dog/state.ts'
import { endingOf, noteTo, questionTo } from '../../core/watch/dog/words.ts'
import { hasSpoken, isOfForm, placeIn, toldOf, turnsSince, withFate } from './langchain-history.ts'

/** Options of the middleware. */
export interface LangChainOptions extends Omit<DogOptions, 'state' | 'can'> {
  /** The chat model that thinks again, for one turn. Absent: the same model, told what was found. */
  readonly smart?: Parameters<Handler>[0]['model']
  /** Default: the clock of the system. */
  readonly now?: () => number
}

type Handler = Parameters<NonNullable<Parameters<typeof createMiddleware>[0]['wrapModelCall']>>[1]

/** What it keeps. `told`: the id of the latest message of the model that the watchdog knows of. */
type Kept = DogState & { readonly told?: string }

const stateSchema = z.object({ watchdog: z.custom<Kept>().optional() })

/**
 * Put it first in the list, so that it sees what the others make of the calls. `result.watchdog` is what it keeps. With `policy.escape.review`
 * a person is asked through `interrupt()`, which needs a checkpointer; the answer is `approved`, `fine`, `rejected` or `stop`.
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
  const dogOf = (state: Watched, running: Running = {}): Dog => {
    const thread = threadOf(running)
    return watchdog({
      ...options,
      breakers,
      ...(state.watchdog ? { state: state.watchdog } : {}),
      ...(thread === undefined ? {} : { thread }),
    })
  }
  /** For what is not kept: the next hook tells it again, and that is recorded. */
  const unrecorded = ({ watchdog: state }: Watched): Dog =>
    watchdog({ ...options, breakers, ...(state ? { state } : {}), record: () => {} })
  return createMiddleware({
    name: 'escapement',
    stateSchema,
    beforeAgent: (state, runtime) => {
      const ended = state.watchdog?.ended !== undefined
      const said = state.messages.at(-1)
      if (!ended && !HumanMessage.isInstance(said)) return undefined
      const dog = dogOf(state, runtime)
      dog.begins(said?.text ?? '', now())
      // A history that comes with the first word is told by the next hook.
      return { watchdog: ended ? kept(dog, state) : { ...state.watchdog, ...dog.state } }
    },
    beforeModel: {
      canJumpTo: ['end'],
      hook: (state, runtime) => {
        const dog = dogOf(state, runtime)
        tell(dog, state, now)
        // Interrupts are thrown: what comes before one is done again, with the same times, when the answer has come.
        if (dog.due?.route.rung === 'review')
          dog.answer(answerTo(dog.due, runtime.interrupt ?? (() => 'stop')), now())
        if (dog.state.ended === undefined) dog.asks(now())
        const watched = { watchdog: kept(dog, state) }
        return dog.state.ended === undefined
          ? watched
          : { ...watched, messages: [new AIMessage(endingOf(dog.state))], jumpTo: 'end' as const }
      },
    },
    wrapModelCall: (request, handler) => {
      const { state } = request
      const dog = unrecorded(state)
      if (hasSpoken(state.messages, state.watchdog?.told)) {
        tell(dog, state, now)
        if (dog.due?.route.rung !== 'review') dog.asks(now())
        // What has been asked here is kept by the next hook; a person is asked when the agent is told to go on.
        if (isLeft(dog))
          return new AIMessage(
            dog.due?.route.rung === 'review' ? questionTo(dog.due) : endingOf(dog.state),
          )
      }
      const hidden = dog.hidden(now())
      const tools = request.tools.filter(({ name }) => !hidden.includes(String(name)))
      const { thinking } = dog
      if (!thinking) return handler({ ...request, tools })
      const note = noteTo(thinking)
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
      guarded(unrecorded(request.state), now, { request, handler }),
    afterModel: {
      canJumpTo: ['model'],
      hook: (state, runtime) => {
        const said = state.messages.at(-1)
        if (!AIMessage.isInstance(said) || (said.tool_calls ?? []).length > 0) return undefined
        const dog = dogOf(state, runtime)
        tell(dog, state, now)
        const { due } = dog
        if (due?.route.rung !== 'rethink' || isOfForm(state.messages))
          return { watchdog: kept(dog, state) }
        // The framework would end here; the model is to think again.
        dog.asks(now())
        const watched = { watchdog: kept(dog, state) }
        return dog.state.ended === undefined
          ? { ...watched, messages: [new HumanMessage(noteTo(due))], jumpTo: 'model' as const }
          : watched
      },
    },
  })
}

/** Tells what has been done since. What the model is told to say at the end is no turn of its own. */
function tell(dog: Dog, { messages, watchdog: kept }: Watched, now: () => number): void {
  for (const [place, turn] of turnsSince(messages, kept?.told, now()).entries()) {
    // The model was asked again, and no hook was told.
    if (place > 0 && dog.due?.route.rung !== 'review') dog.asks(now())
    if (place > 0 && isLeft(dog)) return
    dog.turn(turn)
  }
}

function isLeft({ state, due }: Dog): boolean {
  return state.ended !== undefined || due?.route.rung === 'review'
}

type ToolHandler = Parameters<
  NonNullable<Parameters<typeof createMiddleware>[0]['wrapToolCall']>
>[1]

interface Calling {
  readonly request: Parameters<ToolHandler>[0]
  readonly handler: ToolHandler
}

/** A call, if it may be made: by whom it is made, and what became of it. */
async function guarded(
  dog: Dog,
  now: () => number,
  { request, handler }: Calling,
): Promise<Awaited<ReturnType<ToolHandler>>> {
  const { toolCall, state, runtime } = request
  const permit = dog.permit(toolCall.name, now(), placeIn(state.messages, toolCall.id))
  if (permit.kind === 'no') return withFate(refusal(toolCall, permit.why), permit.fate)
  try {
    const answer = await handler(
      permit.tool === toolCall.name
        ? request
        : { ...request, tool: undefined, toolCall: { ...toolCall, name: permit.tool } },
    )
    const failed = ToolMessage.isInstance(answer) && answer.status === 'error'
    const fate = dog.settle(permit, now(), failed ? { error: new Error(answer.text) } : undefined)
    return ToolMessage.isInstance(answer) ? withFate(answer, fate) : answer
  } catch (error) {
    const cause = rootOf(error)
    const ofArguments = ToolInvocationError.isInstance(cause)
    // What a middleware throws of its own ends the run, as it would without us.
    if (
      isBubbling(error) ||
      runtime.signal?.aborted ||
      (MiddlewareError.isInstance(error) && !ofArguments)
    ) {
      dog.settle(permit, now(), { error: { name: 'Cancelled' } })
      throw error
    }
    const fate = dog.settle(permit, now(), {
      error: ofArguments ? { name: 'InvalidArguments', message: cause.message } : error,
    })
    // In the words of the framework where nobody stands between.
    return withFate(
      refusal(
        toolCall,
        ofArguments ? cause.message : `${worded(error)}\n Please fix your mistakes.`,
      ),
      fate,
    )
  }
}

interface Watched {
  readonly watchdog?: Kept | undefined
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

function kept({ state }: Dog, { messages }: Watched): Kept {
  return { ...state, told: toldOf(messages) }
}

function refusal({ id, name }: Called, content: string): ToolMessage {
  return new ToolMessage({ content, tool_call_id: id ?? '', name, status: 'error' })
}

const ANSWERS: readonly unknown[] = [
  'approved',
  'fine',
  'rejected',
  'stop',
] satisfies readonly Answer[]

/** Asked again until the answer is one: LangGraph keeps what was said, so that an error would come back at each try. */
function answerTo(due: Escape, ask: (value: object) => unknown): Answer {
  let question = questionTo(due)
  for (;;) {
    const said = ask({ question, because: due.because })
    if (ANSWERS.includes(said)) return said as Answer
    question = `${JSON.stringify(said)} is no answer; expected one of ${ANSWERS.join(', ')}. ${questionTo(due)}`
  }
}

/** The framework itself falls over what has no text. */
function worded(error: unknown): string {
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
