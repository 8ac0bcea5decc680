/** `escapement/langchain`: the watchdog as a middleware of `createAgent`. Its state stands in the agent's own checkpoints. */
import { AIMessage, type BaseMessage, createMiddleware, HumanMessage, ToolInvocationError, ToolMessage } from 'langchain'
import { z } from 'zod'
import { breakerCell } from '../../core/watch/breaker-table.ts'
import { type Answer, type Dog, type DogOptions, watchdog } from '../../core/watch/dog/dog.ts'
import type { Fate, Made, Turn } from '../../core/watch/dog/turn.ts'
import type { DogState, Escape } from '../../core/watch/dog/state.ts'
import { endingOf, noteTo, questionTo } from '../../core/watch/dog/words.ts'

export interface LangChainOptions extends Omit<DogOptions, 'state' | 'can'> {
  /** The chat model that thinks again, for one turn. Absent: the same model, told what was found. */
  readonly smart?: Parameters<Handler>[0]['model']
  /** Default: the clock of the system. */
  readonly now?: () => number
}

type Handler = Parameters<NonNullable<Parameters<typeof createMiddleware>[0]['wrapModelCall']>>[1]

/** Where a tool message keeps what became of its call. */
const FATE = 'escapement'

const stateSchema = z.object({ watchdog: z.custom<DogState>().optional() })

/**
 * Put it first in the list, so that it sees what the others make of the calls. `result.watchdog` is what it keeps. With `policy.escape.review`
 * a person is asked through `interrupt()`, which needs a checkpointer; the answer is `approved`, `fine`, `rejected` or `stop`.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [watch({ policy: { limits: { toolCalls: 25 } } })] })
 */
export function watch({ smart, now = Date.now, breakers = breakerCell(), ...options }: LangChainOptions = {}) {
  const dogOf = (state: Watched, { configurable: { thread_id } = {} }: Running = {}): Dog =>
    watchdog({ ...options, breakers, ...(state.watchdog ? { state: state.watchdog } : {}), ...(thread_id === undefined ? {} : { thread: thread_id }) })
  return createMiddleware({
    name: 'escapement',
    stateSchema,
    beforeAgent: (state, runtime) => {
      if (state.watchdog?.ended === undefined) return undefined
      const dog = dogOf(state, runtime)
      dog.begins(state.messages.at(-1)?.text ?? '', now())
      return { watchdog: dog.state }
    },
    beforeModel: {
      canJumpTo: ['end'],
      hook: (state, runtime) => {
        const dog = dogOf(state, runtime)
        const turn = turnBefore(state.messages, now())
        if (turn) dog.turn(turn)
        // Interrupts are thrown: what comes before one is done again, with the same times, when the answer has come.
        if (dog.due?.route.rung === 'review') dog.answer(answerTo(dog.due, runtime.interrupt ?? (() => 'stop')), now())
        if (dog.state.ended === undefined) dog.asks(now())
        return dog.state.ended === undefined ? { watchdog: dog.state } : { watchdog: dog.state, messages: [new AIMessage(endingOf(dog.state))], jumpTo: 'end' as const }
      },
    },
    wrapModelCall: (request, handler) => {
      const dog = dogOf(request.state)
      const hidden = dog.hidden(now())
      const tools = request.tools.filter(({ name }) => !hidden.includes(String(name)))
      const { thinking } = dog
      if (!thinking) return handler({ ...request, tools })
      return handler({ ...request, tools, messages: [...request.messages, new HumanMessage(noteTo(thinking))], ...(smart === undefined ? {} : { model: smart }) })
    },
    wrapToolCall: async (request, handler) => {
      const { toolCall, state } = request
      const dog = dogOf(state)
      const permit = dog.permit(toolCall.name, now(), placeIn(state.messages, toolCall.id))
      if (permit.kind === 'no') return told(refusal(toolCall, permit.why), permit.fate)
      try {
        const answer = await handler(permit.tool === toolCall.name ? request : { ...request, tool: undefined, toolCall: { ...toolCall, name: permit.tool } })
        const failed = ToolMessage.isInstance(answer) && answer.status === 'error'
        const fate = dog.settle(permit, now(), failed ? new Error(answer.text) : undefined)
        return ToolMessage.isInstance(answer) ? told(answer, fate) : answer
      } catch (error) {
        if (isBubbling(error)) {
          dog.settle(permit, now(), { name: 'Cancelled' })
          throw error
        }
        return told(
          refusal(toolCall, `${error}\n Please fix your mistakes.`),
          dog.settle(permit, now(), isOfArguments(error) ? { name: 'InvalidArguments', message: error.message } : error),
        )
      }
    },
    afterModel: {
      canJumpTo: ['model'],
      hook: (state, runtime) => {
        const said = state.messages.at(-1)
        if (!AIMessage.isInstance(said) || (said.tool_calls ?? []).length > 0) return undefined
        const dog = dogOf(state, runtime)
        dog.turn(turnOf(said, [], now()))
        const { due } = dog
        if (due?.route.rung !== 'rethink') return { watchdog: dog.state }
        // The framework would end here; the model is to think again.
        dog.asks(now())
        return dog.state.ended === undefined ? { watchdog: dog.state, messages: [new HumanMessage(noteTo(due))], jumpTo: 'model' as const } : { watchdog: dog.state }
      },
    },
  })
}

interface Watched {
  readonly watchdog?: DogState | undefined
}

/** The thread of the checkpointer is the thread as which it is recorded. */
interface Running {
  readonly configurable?: { readonly thread_id?: string | undefined } | undefined
}

interface Called {
  readonly id?: string | undefined
  readonly name: string
}

/** The turn whose tools have just answered; `undefined` where none has. */
function turnBefore(messages: readonly BaseMessage[], at: number): Turn | undefined {
  if (!ToolMessage.isInstance(messages.at(-1))) return undefined
  const from = messages.findLastIndex(message => AIMessage.isInstance(message))
  const said = messages[from]
  if (!said || !AIMessage.isInstance(said)) return undefined
  const answers = messages.slice(from + 1).filter(message => ToolMessage.isInstance(message))
  const made = (said.tool_calls ?? []).map(({ id, name, args }) =>
    madeOf(
      { tool: name, args },
      answers.find(answer => answer.tool_call_id === id),
      at,
    ),
  )
  return turnOf(said, made, Math.min(at, ...made.map(({ fate }) => fate.began)))
}

function turnOf({ text, usage_metadata: usage }: AIMessage, calls: readonly Made[], at: number): Turn {
  return { at, text, calls, ...(usage ? { usage: { input: usage.input_tokens, output: usage.output_tokens, cached: usage.input_token_details?.cache_read ?? 0 } } : {}) }
}

/** A call that somebody else has answered (a person who rejected it, another middleware) has a message, and no fate of ours. */
function madeOf(call: Pick<Made, 'tool' | 'args'>, answer: ToolMessage | undefined, at: number): Made {
  const kept = answer?.additional_kwargs[FATE] as Fate | undefined
  const failure = { name: 'Error', message: answer?.text ?? 'no answer', class: 'business', scope: 'request', rule: 'message' } as const
  return { ...call, fate: kept ?? { began: at, ended: at, ...(answer?.status === 'error' || !answer ? { failure } : {}) }, result: answer?.text }
}

function told(message: ToolMessage, fate: Fate): ToolMessage {
  message.additional_kwargs = { ...message.additional_kwargs, [FATE]: fate }
  return message
}

function refusal({ id, name }: Called, content: string): ToolMessage {
  return new ToolMessage({ content, tool_call_id: id ?? '', name, status: 'error' })
}

function placeIn(messages: readonly BaseMessage[], id: string | undefined): number {
  const said = messages.findLast(message => AIMessage.isInstance(message))
  return Math.max(
    0,
    (said?.tool_calls ?? []).findIndex(call => call.id === id),
  )
}

const ANSWERS: readonly unknown[] = ['approved', 'fine', 'rejected', 'stop'] satisfies readonly Answer[]

/** Asked again until the answer is one: LangGraph keeps what was said, so that an error would come back at each try. */
function answerTo(due: Escape, ask: (value: object) => unknown): Answer {
  let question = questionTo(due)
  for (;;) {
    const said = ask({ question, because: due.because })
    if (ANSWERS.includes(said)) return said as Answer
    question = `${JSON.stringify(said)} is no answer; expected one of ${ANSWERS.join(', ')}. ${questionTo(due)}`
  }
}

/** LangGraph throws interrupts, and commands to a parent graph, through whoever stands between. */
function isBubbling(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'is_bubble_up' in error && error.is_bubble_up === true
}

/** The model's arguments did not fit; other middlewares may have put an error of their own around it. */
function isOfArguments(error: unknown): error is Error {
  const { cause } = (error ?? {}) as { readonly cause?: unknown }
  return ToolInvocationError.isInstance(error) || ToolInvocationError.isInstance(cause)
}
