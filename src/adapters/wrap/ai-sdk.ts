/** `escapement/ai-sdk`: the watchdog as settings of `generateText`, `streamText` and `ToolLoopAgent` (AI SDK 7). */
import type { LanguageModel, ModelMessage, StepResult, ToolApprovalStatus, ToolSet } from 'ai'
import { knownSubstitutes } from '../../core/watch/wrapped/known-substitutes.ts'
import { aFunction, kind, toolNames } from '../../core/watch/wrapped/option-kinds.ts'
import { checkOptions, type WatchdogOptions } from '../../core/watch/wrapped/options.ts'
import { exitMessage, questionOf, rethinkMessage } from '../../core/watch/wrapped/state.ts'
import type { Watchdog } from '../../core/watch/wrapped/watchdog.ts'
import { watchesOf } from '../../core/watch/wrapped/watchdog.ts'
import { resultsIn } from './ai-sdk-results.ts'
import { stopModel } from './ai-sdk-stop.ts'
import { type CallWatch, type ToolCall, turnOf } from './ai-sdk-turn.ts'

/** Options of the watchdog for an agent of the AI SDK. */
export interface AiSdkOptions extends Omit<WatchdogOptions, 'can' | 'thread'> {
  /**
   * The thread of a call. Calls with the same thread share one watch; give the function if an agent has several users. Default:
   * each call of `generate` or `stream` has its own watch.
   */
  readonly thread?: string | ((call: CallStart) => string | undefined)
  /** The model for one step after a loop. Default: the same model, with a message about the loop. */
  readonly smart?: LanguageModel
  /** The names of the tools that the model sees. Default: all tools. */
  readonly activeTools?: readonly string[]
  /** Approves the calls that the watchdog permits. Default: `needsApproval` of the tool. */
  readonly toolApproval?: Approval
  /** Default: the system clock. */
  readonly now?: () => number
}

const OPTIONS = {
  thread: kind('a text, or a function', of => typeof of === 'string' || typeof of === 'function'),
  smart: kind('a model of the AI SDK', isModel),
  activeTools: toolNames,
  toolApproval: aFunction,
  now: aFunction,
}

/** A text is the id of a model at the gateway. */
function isModel(value: unknown): boolean {
  const { doGenerate } = (value ?? {}) as { readonly doGenerate?: unknown }
  return typeof value === 'string' || typeof doGenerate === 'function'
}

/** A call before its first step. */
export interface CallStart {
  // biome-ignore lint/suspicious/noExplicitAny: the context has the type of the caller
  readonly runtimeContext: Readonly<Record<string, any>>
  readonly messages: readonly ModelMessage[]
}

type Approval = (options: ApprovalOptions) => ToolApprovalStatus | PromiseLike<ToolApprovalStatus>

/** The arguments of `toolApproval` in the SDK. */
interface ApprovalOptions {
  readonly toolCall: ToolCall
  readonly tools: ToolSet | undefined
  readonly toolsContext?: Readonly<Record<string, unknown>> | undefined
  readonly runtimeContext?: object
  readonly messages: ModelMessage[]
}

/** A step also has a `runtimeContext`. It is not declared, because the SDK would take its type as that of the context of the agent. */
interface PreparedStep {
  messages?: ModelMessage[]
  model?: LanguageModel
  /** The type `never[]` fits the tool names of every agent. */
  activeTools?: never[]
}

/**
 * The settings of an agent. After the watchdog stopped a call, `watchdog.state.ended` has the reason. While `question` is set,
 * call `watchdog.resolveReview` with the answer.
 */
export interface AiSdkWatch {
  /** The watchdog of the latest call. If several users call the agent at once, use `watchdogOf`. */
  readonly watchdog: Watchdog
  /** The watchdog of a thread, if the agent has been called for it. */
  watchdogOf(thread: string): Watchdog | undefined
  /** The question for a person. The agent has returned, and continues after the answer. */
  readonly question: string | undefined
  /** The same tools. The substitute answers for a tool whose breaker is open. */
  tools<T extends ToolSet>(tools: T): T
  stopWhen(options: { readonly steps: readonly StepOf[] }): boolean
  prepareStep(options: {
    readonly stepNumber: number
    readonly messages: ModelMessage[]
    readonly runtimeContext?: object
  }): PreparedStep
  toolApproval(options: ApprovalOptions): Promise<ToolApprovalStatus>
  onStepEnd(step: StepResult<ToolSet>): void
}

/** The field of `runtimeContext` with the watch of the call. The SDK passes the context to every step. */
const CALL = Symbol('escapement')

type StepOf = Readonly<{ runtimeContext?: object }>

const callOf = (step: StepOf | undefined): CallWatch | undefined =>
  (step?.runtimeContext as { readonly [CALL]?: CallWatch } | undefined)?.[CALL]

/**
 * @example
 * const { tools, watchdog, ...watched } = watch({ policy: { limits: { toolCalls: 25 } } })
 * await generateText({ model, prompt, tools: tools({ search }), ...watched, stopWhen: [isStepCount(50), watched.stopWhen] })
 */
export function watch(given: AiSdkOptions = {}): AiSdkWatch {
  checkOptions(given, OPTIONS)
  const { smart, activeTools: shown, toolApproval, now = Date.now, thread, ...rest } = given
  const known = knownSubstitutes(given.substitutes)
  const options = { ...rest, substitutes: known.substitutes }
  const watches = watchesOf<CallWatch>(
    typeof thread === 'string' ? { ...options, thread } : options,
    () => crypto.randomUUID(),
    monitor => ({ watchdog: monitor, permits: new Map(), note: undefined, stopping: false }),
  )
  const threadOf = ({ runtimeContext = {}, messages }: StepOf & Pick<CallStart, 'messages'>) =>
    typeof thread === 'function' ? thread({ runtimeContext, messages }) : thread
  /** The execution of a tool receives the same messages as its approval. */
  const approved = new WeakMap<object, CallWatch>()
  let names: readonly string[] = shown ?? []
  const converting = new Set<string>()
  return {
    watchdog: watches.watchdog,
    watchdogOf: of => watches.find(of)?.watchdog,
    get question() {
      return questionOf(watches.watchdog)
    },
    tools(tools) {
      names = shown ?? Object.keys(tools)
      known.add(Object.keys(tools).filter(name => tools[name]?.execute))
      for (const [name, { toModelOutput }] of Object.entries(tools))
        if (toModelOutput) converting.add(name)
      return withSubstitutes(tools, ({ messages }) => approved.get(messages), now)
    },
    stopWhen: ({ steps }) => callOf(steps.at(-1))?.stopping ?? false,
    prepareStep(step) {
      const { stepNumber, messages, runtimeContext } = step
      const begun = stepNumber === 0 ? undefined : callOf(step)
      const call = begun ?? watches.open(threadOf(step))
      noteHistory(call, messages, { begins: stepNumber === 0, at: now() })
      const prepared = prepareCall(call, messages, smart, now())
      const hidden = call.watchdog.unavailableTools(now())
      const activeTools = names.filter(name => !hidden.includes(name)) as never[]
      const limitsTools = !call.stopping && (shown || activeTools.length < names.length)
      return {
        ...prepared,
        ...(limitsTools ? { activeTools } : {}),
        // The context of the caller with the watch of the call.
        ...({ runtimeContext: { ...runtimeContext, [CALL]: call } } as object),
      }
    },
    async toolApproval(approval) {
      const { toolCallId, toolName } = approval.toolCall
      const call = callOf(approval)
      // The SDK asks again about the calls that a person has approved, before the first step.
      if (!call) return (toolApproval ?? approvalOfTool)(approval)
      const permit = call.watchdog.permit(toolName, now(), call.permits.size)
      call.permits.set(toolCallId, permit)
      approved.set(approval.messages, call)
      if (permit.kind === 'no') return { type: 'denied', reason: permit.why }
      return (toolApproval ?? approvalOfTool)(approval)
    },
    onStepEnd(step) {
      const call = callOf(step)
      if (!call || call.stopping) return
      call.watchdog.afterModelTurn(turnOf(step, { ...call, converting }, now()))
    },
  }
}

/** Results of earlier calls arrive with the history. A user message starts a round. A call after the end starts again. */
function noteHistory(
  { watchdog: monitor }: CallWatch,
  messages: readonly ModelMessage[],
  { begins, at }: { readonly begins: boolean; readonly at: number },
) {
  const { ended, waiting = [] } = monitor.state
  if (waiting.length > 0) monitor.afterWaitingCalls(resultsIn(messages, at))
  const last = messages.at(-1)
  if (begins && (last?.role === 'user' || ended !== undefined))
    monitor.userMessage(textOf(last), at)
}

/** The input of a step: the history with the finding, or the exit message. */
function prepareCall(
  call: CallWatch,
  messages: readonly ModelMessage[],
  smart: LanguageModel | undefined,
  at: number,
): Pick<PreparedStep, 'messages' | 'model'> {
  const { watchdog: monitor, note: before } = call
  if (exitMessage(monitor) === undefined) monitor.beforeModelCall(at)
  releasePermits(call, at)
  // The SDK carries messages forward to later steps. A note is for one step only.
  const lasting = messages.filter(({ content }) => before === undefined || content !== before)
  const exit = exitMessage(monitor)
  const note =
    exit === undefined && monitor.rethinking ? rethinkMessage(monitor.rethinking) : undefined
  Object.assign(call, { stopping: exit !== undefined, note })
  if (exit !== undefined)
    return { messages: lasting, model: stopModel(exit, monitor.state.because) }
  return {
    messages: note === undefined ? lasting : [...lasting, { role: 'user', content: note }],
    ...(note !== undefined && smart !== undefined ? { model: smart } : {}),
  }
}

/** An aborted step leaves calls without an end. Their breakers must not wait for them. */
function releasePermits({ permits, watchdog: monitor }: CallWatch, at: number): void {
  for (const permit of permits.values())
    if (permit.kind === 'go') monitor.settle(permit, at, { error: { name: 'Cancelled' } })
  permits.clear()
}

type ExecuteOptions = Parameters<NonNullable<ToolSet[string]['execute']>>[1]

function withSubstitutes<T extends ToolSet>(
  tools: T,
  callOf: (options: ExecuteOptions) => CallWatch | undefined,
  now: () => number,
): T {
  const routed = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool
    if (!execute) return [name, tool] as const
    const route: typeof execute = (input, options) => {
      const call = callOf(options)
      const { abortSignal, toolCallId } = options
      // The next call of this agent belongs to another watch. After a timeout, the step itself ends the call.
      const release = () =>
        call && abortSignal?.reason?.name !== 'TimeoutError' && releasePermits(call, now())
      abortSignal?.addEventListener('abort', release, { once: true })
      const permit = call?.permits.get(toolCallId)
      const substitute = permit?.kind === 'go' ? tools[permit.tool]?.execute : undefined
      const output = (substitute ?? execute)(input, options)
      const forget = () => abortSignal?.removeEventListener('abort', release)
      if (output instanceof Promise) output.then(forget, forget)
      return output
    }
    return [name, { ...tool, execute: route }] as const
  })
  return Object.fromEntries(routed) as T
}

/** `toolApproval` in the settings replaces `needsApproval` of the tools, so this applies it. */
const approvalOfTool: Approval = async ({ toolCall, tools, toolsContext, messages }) => {
  const { toolCallId, toolName, input } = toolCall
  const needs = tools?.[toolName]?.needsApproval
  const context = toolsContext?.[toolName] as never
  const needed =
    typeof needs === 'function'
      ? await needs(input as never, { toolCallId, messages, context })
      : needs
  return needed ? 'user-approval' : 'not-applicable'
}

function textOf(message: ModelMessage | undefined): string {
  const content = message?.content ?? ''
  return typeof content === 'string' ? content : JSON.stringify(content)
}
