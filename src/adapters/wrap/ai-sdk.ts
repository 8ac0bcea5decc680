/** `escapement/ai-sdk`: the watchdog as settings of `generateText`, `streamText` and `ToolLoopAgent` (AI SDK 7). */
import type { LanguageModel, ModelMessage, StepResult, ToolApprovalStatus, ToolSet } from 'ai'
import { type Watchdog, type WatchdogOptions, watchdog } from '../../core/watch/wrapped/watchdog.ts'
import type { Permit } from '../../core/watch/wrapped/tool-gate.ts'
import type { CompletedCall, Turn } from '../../core/watch/wrapped/turn.ts'
import { stopModel } from './ai-sdk-stop.ts'
import { rethinkMessage, reviewQuestion, stopMessage } from '../../core/watch/wrapped/messages.ts'

/** Options of the watch over an agent of the AI SDK. */
export interface AiSdkOptions extends Omit<WatchdogOptions, 'can'> {
  /** The model that thinks again, for one step. Absent: the same model, told what was found. */
  readonly smart?: LanguageModel
  /** Your own setting: names of the tools that the model is shown at all. Absent: all of them. */
  readonly activeTools?: readonly string[]
  /** Your own approval, asked about calls that the watchdog lets through. */
  readonly toolApproval?: Approval
  /** Default: the clock of the system. */
  readonly now?: () => number
}

type Approval = (options: ApprovalOptions) => ToolApprovalStatus | PromiseLike<ToolApprovalStatus>

/** As the SDK hands it over. */
interface ApprovalOptions {
  readonly toolCall: {
    readonly toolCallId: string
    readonly toolName: string
    readonly input: unknown
  }
  readonly tools: ToolSet | undefined
  readonly toolsContext?: Readonly<Record<string, unknown>> | undefined
  readonly messages: ModelMessage[]
}

interface Preparing {
  readonly stepNumber: number
  readonly messages: readonly ModelMessage[]
}

interface Prepared {
  messages?: ModelMessage[]
  model?: LanguageModel
  /** Names of the agent's own tools, whichever these are: a list of `never` fits them all. */
  activeTools?: never[]
}

/** For one agent at a time. Where it has ended by itself, `watchdog.state.ended` says why; where `question` is asked, `watchdog.answer` answers it. */
export interface AiSdkWatch {
  readonly watchdog: Watchdog
  /** What a person is asked: the loop has been left, and goes on when the answer is known. */
  readonly question: string | undefined
  /** The same tools: one that is out of order is answered by the tool that stands in for it. */
  tools<T extends ToolSet>(tools: T): T
  stopWhen(): boolean
  prepareStep(options: Preparing): Prepared
  toolApproval(options: ApprovalOptions): Promise<ToolApprovalStatus>
  onStepEnd(step: StepResult<ToolSet>): void
}

/**
 * @example
 * const { tools, watchdog, ...watched } = watch({ policy: { limits: { toolCalls: 25 } } })
 * await generateText({ model, prompt, tools: tools({ search }), ...watched, stopWhen: [isStepCount(50), watched.stopWhen] })
 */
export function watch({
  smart,
  activeTools: shown,
  toolApproval: approval = customApproval,
  now = Date.now,
  ...options
}: AiSdkOptions = {}): AiSdkWatch {
  const monitor = watchdog(options)
  const permits = new Map<string, Permit>()
  let names: readonly string[] = shown ?? []
  let note: string | undefined
  /** This step answers with the reason of the end. */
  let stopping = false
  return {
    watchdog: monitor,
    get question() {
      return questionOf(monitor)
    },
    tools(tools) {
      names = shown ?? Object.keys(tools)
      return withSubstitutes(tools, id => permits.get(id))
    },
    stopWhen: () => stopping,
    prepareStep({ stepNumber, messages }) {
      const said = messages.at(-1)
      if (stepNumber === 0 && (said?.role === 'user' || monitor.state.ended !== undefined))
        monitor.userMessage(textOf(said), now())
      if (!endsRun(monitor)) monitor.beforeModelCall(now())
      stopping = endsRun(monitor)
      releasePermits(permits, monitor, now())
      const hidden = monitor.unavailableTools(now())
      const activeTools = names.filter(name => !hidden.includes(name))
      // The SDK carries messages forward to later steps; a note is for one.
      const lasting = messages.filter(message => note === undefined || message.content !== note)
      if (stopping) {
        note = undefined
        return { messages: lasting, model: stopModel(endOf(monitor), monitor.state.because) }
      }
      note = monitor.rethinking && rethinkMessage(monitor.rethinking)
      return {
        messages: note === undefined ? lasting : [...lasting, { role: 'user', content: note }],
        ...(note !== undefined && smart !== undefined ? { model: smart } : {}),
        ...(shown || activeTools.length < names.length
          ? { activeTools: activeTools as never[] }
          : {}),
      }
    },
    async toolApproval(asked) {
      const { toolCallId, toolName } = asked.toolCall
      const permit = monitor.permit(toolName, now(), permits.size)
      permits.set(toolCallId, permit)
      return permit.kind === 'no' ? { type: 'denied', reason: permit.why } : approval(asked)
    },
    onStepEnd(step) {
      if (!stopping) monitor.afterModelTurn(turnOf(step, { watchdog: monitor, permits, at: now() }))
    },
  }
}

function questionOf({ pendingEscape }: Watchdog): string | undefined {
  return pendingEscape?.route.rung === 'review' ? reviewQuestion(pendingEscape) : undefined
}

/** The text of the last step: what a person is asked, or why the run ended. */
function endOf(monitor: Watchdog): string {
  return (
    (monitor.state.ended === undefined ? questionOf(monitor) : undefined) ??
    stopMessage(monitor.state)
  )
}

function endsRun({ state, pendingEscape }: Watchdog): boolean {
  return state.ended !== undefined || pendingEscape?.route.rung === 'review'
}

/** Calls of a step that was aborted have come to no end: a tool that is tried again must not wait for them. */
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

function turnOf(step: StepResult<ToolSet>, settling: TurnTerms): Turn {
  const { inputTokens, outputTokens, inputTokenDetails } = step.usage
  const usage = {
    input: inputTokens ?? 0,
    output: outputTokens ?? 0,
    cached: inputTokenDetails?.cacheReadTokens ?? 0,
  }
  const made = step.toolCalls.map((call, index) =>
    completedCall(step, call, { ...settling, index }),
  )
  return {
    at: settling.at,
    text: step.text,
    calls: made.flat(),
    waiting: step.toolCalls.flatMap(({ toolName, input }, index) =>
      made[index]?.length === 0 ? [{ tool: toolName, args: input }] : [],
    ),
    ...(inputTokens === undefined ? {} : { usage }),
  }
}

/** A call that waits for a person's approval, or is made elsewhere, has come to no end yet. */
function completedCall(
  { content }: StepResult<ToolSet>,
  { toolCallId, toolName, input }: ApprovalOptions['toolCall'],
  { watchdog: monitor, permits, at, index }: TurnTerms & { readonly index: number },
): readonly CompletedCall[] {
  // A tool that is hidden from the model is refused by the SDK itself.
  const permit = permits.get(toolCallId) ?? monitor.permit(toolName, at, index)
  const known = permits.has(toolCallId)
  const call = { tool: toolName, args: input }
  if (permit.kind === 'no') return [{ ...call, outcome: permit.outcome }]
  const end = content.find(
    part =>
      (part.type === 'tool-result' || part.type === 'tool-error') && part.toolCallId === toolCallId,
  )
  if (end) permits.delete(toolCallId)
  if (end?.type === 'tool-result')
    return [{ ...call, outcome: monitor.settle(permit, at), result: end.output }]
  return end?.type === 'tool-error'
    ? [
        {
          ...call,
          outcome: monitor.settle(permit, at, {
            error: known ? end.error : { name: 'InvalidArguments', message: String(end.error) },
          }),
        },
      ]
    : []
}

function withSubstitutes<T extends ToolSet>(
  tools: T,
  permitOf: (id: string) => Permit | undefined,
): T {
  const routed = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool
    if (!execute) return [name, tool] as const
    const through: typeof execute = (input, options) => {
      const permit = permitOf(options.toolCallId)
      const by = permit?.kind === 'go' ? tools[permit.tool]?.execute : undefined
      return (by ?? execute)(input, options)
    }
    return [name, { ...tool, execute: through }] as const
  })
  return Object.fromEntries(routed) as T
}

/** A function in the settings takes the place of what tools say themselves: so they are asked here. */
const customApproval: Approval = async ({
  toolCall: { toolCallId, toolName, input },
  tools,
  toolsContext,
  messages,
}) => {
  const needs = tools?.[toolName]?.needsApproval
  const needed =
    typeof needs === 'function'
      ? await needs(input as never, {
          toolCallId,
          messages,
          context: toolsContext?.[toolName] as never,
        })
      : needs
  return needed ? 'user-approval' : 'not-applicable'
}

function textOf(message: ModelMessage | undefined): string {
  return typeof message?.content === 'string'
    ? message.content
    : JSON.stringify(message?.content ?? '')
}
