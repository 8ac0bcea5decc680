/** `escapement/ai-sdk`: the watchdog as settings of `generateText`, `streamText` and `ToolLoopAgent` (AI SDK 7). */
import type { LanguageModel, ModelMessage, StepResult, ToolApprovalStatus, ToolSet } from 'ai'
import type { Reason } from '../../core/watch/reason/reason.ts'
import { exitMessage, questionOf, rethinkMessage } from '../../core/watch/wrapped/state.ts'
import type { Permit } from '../../core/watch/wrapped/tool-gate.ts'
import type { CompletedCall, Turn } from '../../core/watch/wrapped/turn.ts'
import { type Watchdog, type WatchdogOptions, watchdog } from '../../core/watch/wrapped/watchdog.ts'

/** Options of the watchdog for an agent of the AI SDK. */
export interface AiSdkOptions extends Omit<WatchdogOptions, 'can'> {
  /** The model for one step after a loop. Default: the same model, with a message about the loop. */
  readonly smart?: LanguageModel
  /** The names of the tools that the model sees. Default: all tools. */
  readonly activeTools?: readonly string[]
  /** Approves the calls that the watchdog permits. Default: `needsApproval` of the tool. */
  readonly toolApproval?: Approval
  /** Default: the system clock. */
  readonly now?: () => number
}

type Approval = (options: ApprovalOptions) => ToolApprovalStatus | PromiseLike<ToolApprovalStatus>

/** The arguments of `toolApproval` in the SDK. */
interface ApprovalOptions {
  readonly toolCall: ToolCall
  readonly tools: ToolSet | undefined
  readonly toolsContext?: Readonly<Record<string, unknown>> | undefined
  readonly messages: ModelMessage[]
}

interface ToolCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

interface PreparedStep {
  messages?: ModelMessage[]
  model?: LanguageModel
  /** The type `never[]` fits the tool names of every agent. */
  activeTools?: never[]
}

/**
 * The watchdog of one agent at a time. After it stopped the agent, `watchdog.state.ended` has the reason. While `question` is
 * set, call `watchdog.resolveReview` with the answer.
 */
export interface AiSdkWatch {
  readonly watchdog: Watchdog
  /** The question for a person. The agent has returned, and continues after the answer. */
  readonly question: string | undefined
  /** The same tools. The substitute answers for a tool whose breaker is open. */
  tools<T extends ToolSet>(tools: T): T
  stopWhen(): boolean
  prepareStep(options: {
    readonly stepNumber: number
    readonly messages: readonly ModelMessage[]
  }): PreparedStep
  toolApproval(options: ApprovalOptions): Promise<ToolApprovalStatus>
  onStepEnd(step: StepResult<ToolSet>): void
}

/**
 * @example
 * const { tools, watchdog, ...watched } = watch({ policy: { limits: { toolCalls: 25 } } })
 * await generateText({ model, prompt, tools: tools({ search }), ...watched, stopWhen: [isStepCount(50), watched.stopWhen] })
 */
export function watch(given: AiSdkOptions = {}): AiSdkWatch {
  const { smart, activeTools: shown, toolApproval, now = Date.now, ...options } = given
  const monitor = watchdog(options)
  const permits = new Map<string, Permit>()
  let names: readonly string[] = shown ?? []
  let note: string | undefined
  /** This step answers with the exit message. */
  let stopping = false
  return {
    watchdog: monitor,
    get question() {
      return questionOf(monitor)
    },
    tools(tools) {
      names = shown ?? Object.keys(tools)
      return withSubstitutes(tools, permits)
    },
    stopWhen: () => stopping,
    prepareStep({ stepNumber, messages }) {
      const last = messages.at(-1)
      if (stepNumber === 0 && (last?.role === 'user' || monitor.state.ended !== undefined))
        monitor.userMessage(textOf(last), now())
      if (exitMessage(monitor) === undefined) monitor.beforeModelCall(now())
      releasePermits(permits, monitor, now())
      // The SDK carries messages forward to later steps. A note is for one step only.
      const lasting = messages.filter(message => note === undefined || message.content !== note)
      const exit = exitMessage(monitor)
      stopping = exit !== undefined
      note =
        exit === undefined && monitor.rethinking ? rethinkMessage(monitor.rethinking) : undefined
      if (exit !== undefined)
        return { messages: lasting, model: stopModel(exit, monitor.state.because) }
      const hidden = monitor.unavailableTools(now())
      const activeTools = names.filter(name => !hidden.includes(name)) as never[]
      return {
        messages: note === undefined ? lasting : [...lasting, { role: 'user', content: note }],
        ...(note !== undefined && smart !== undefined ? { model: smart } : {}),
        ...(shown || activeTools.length < names.length ? { activeTools } : {}),
      }
    },
    async toolApproval(approval) {
      const { toolCallId, toolName } = approval.toolCall
      const permit = monitor.permit(toolName, now(), permits.size)
      permits.set(toolCallId, permit)
      if (permit.kind === 'no') return { type: 'denied', reason: permit.why }
      return (toolApproval ?? approvalOfTool)(approval)
    },
    onStepEnd(step) {
      if (!stopping) monitor.afterModelTurn(turnOf(step, { watchdog: monitor, permits, at: now() }))
    },
  }
}

/** An aborted step leaves calls without an end. Their breakers must not wait for them. */
function releasePermits(permits: Map<string, Permit>, monitor: Watchdog, at: number): void {
  for (const permit of permits.values())
    if (permit.kind === 'go') monitor.settle(permit, at, { error: { name: 'Cancelled' } })
  permits.clear()
}

interface TurnTerms {
  readonly watchdog: Watchdog
  readonly permits: Map<string, Permit>
  readonly at: number
}

function turnOf(step: StepResult<ToolSet>, terms: TurnTerms): Turn {
  const { inputTokens, outputTokens = 0, inputTokenDetails } = step.usage
  const calls = step.toolCalls.map((call, index) => completedCall(step, call, { ...terms, index }))
  const cached = inputTokenDetails?.cacheReadTokens ?? 0
  return {
    at: terms.at,
    text: step.text,
    calls: calls.filter(call => call !== undefined),
    waiting: step.toolCalls
      .filter((_, index) => calls[index] === undefined)
      .map(({ toolName, input }) => ({ tool: toolName, args: input })),
    ...(inputTokens === undefined
      ? {}
      : { usage: { input: inputTokens, output: outputTokens, cached } }),
  }
}

/** Undefined for a call that waits for approval or runs elsewhere. */
function completedCall(
  { content }: StepResult<ToolSet>,
  { toolCallId, toolName, input }: ToolCall,
  { watchdog: monitor, permits, at, index }: TurnTerms & { readonly index: number },
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
  if (end?.type === 'tool-result')
    return { ...call, outcome: monitor.settle(permit, at), result: end.output }
  if (end?.type !== 'tool-error') return undefined
  const error = known ? end.error : { name: 'InvalidArguments', message: String(end.error) }
  return { ...call, outcome: monitor.settle(permit, at, { error }) }
}

function withSubstitutes<T extends ToolSet>(tools: T, permits: ReadonlyMap<string, Permit>): T {
  const routed = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool
    if (!execute) return [name, tool] as const
    const route: typeof execute = (input, options) => {
      const permit = permits.get(options.toolCallId)
      const substitute = permit?.kind === 'go' ? tools[permit.tool]?.execute : undefined
      return (substitute ?? execute)(input, options)
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

/**
 * The model of the last step after the watchdog ended the run: it answers with the exit message and calls no provider.
 * `providerMetadata.escapement` has the reason as data.
 */
function stopModel(
  text: string,
  because: Reason | undefined,
): Extract<LanguageModel, { readonly specificationVersion: 'v4' }> {
  const finish = {
    finishReason: { unified: 'stop', raw: 'escapement' },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    providerMetadata: {
      escapement: because ? { because: JSON.parse(JSON.stringify(because)) } : {},
    },
  } as const
  return {
    specificationVersion: 'v4',
    provider: 'escapement',
    modelId: 'stopped',
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: 'text', text }], warnings: [], ...finish }),
    doStream: async () => ({
      stream: ReadableStream.from([
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: 'stopped' },
        { type: 'text-delta', id: 'stopped', delta: text },
        { type: 'text-end', id: 'stopped' },
        { type: 'finish', ...finish },
      ] as const),
    }),
  }
}
