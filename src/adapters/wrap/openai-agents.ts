/** `escapement/openai-agents`: the watchdog around an agent of `@openai/agents`. */
import {
  type CallModelInputFilter,
  MaxTurnsExceededError,
  type RunContext,
  type RunErrorHandlers,
  tool,
} from '@openai/agents'
import { type Watchdog, type WatchdogOptions, watchdog } from '../../core/watch/wrapped/watchdog.ts'
import type { GrantedPermit } from '../../core/watch/wrapped/tool-gate.ts'
import type { CallOutcome } from '../../core/watch/wrapped/turn.ts'
import { stopMessage, rethinkMessage, reviewQuestion } from '../../core/watch/wrapped/messages.ts'
import { handoffTo, isMessage, messageText, turnsIn } from './openai-history.ts'
import { type Ending, onEnd, type Speaker, Meter } from './openai-usage.ts'

/** Options of the watch over agents of OpenAI Agents. */
export interface OpenAiAgentsOptions extends Omit<WatchdogOptions, 'can'> {
  /** The final output of a run that is left, where an agent's `outputType` is not text. */
  readonly finalOutput?: (text: string) => unknown
  /** Default: the clock of the system. */
  readonly now?: () => number
}

/** For one run at a time. Where it has been stopped, `watchdog.state.ended` says why; where `question` is asked, `watchdog.answer` answers it. */
export interface OpenAiAgentsWatch {
  readonly watchdog: Watchdog
  /** What a person is asked: the run has been left, and goes on with its history when the answer is known. */
  readonly question: string | undefined
  /** In place of the SDK's own. */
  readonly tool: typeof tool
  /** Options of `run`. */
  readonly options: {
    readonly callModelInputFilter: CallModelInputFilter
    // biome-ignore lint/suspicious/noExplicitAny: the handlers are for whichever context and agent the run has
    readonly errorHandlers: RunErrorHandlers<any, any>
    readonly toolNotFoundBehavior?: 'return_error_to_model'
  }
}

/** The run is left: a limit like the SDK's own, so that its error handlers see it. */
export class LeftByWatchdog extends MaxTurnsExceededError {
  override readonly name = 'LeftByWatchdog'
}

type Execute = (input: never, context?: never, details?: Details) => unknown
interface Details {
  readonly toolCall?: { readonly callId?: string } | undefined
}

/**
 * @example
 * const watched = watch({ policy: { limits: { toolCalls: 25 } } })
 * const agent = new Agent({ name: 'helper', model, tools: [watched.tool({ name: 'search', description, parameters, execute })] })
 * const result = await run(agent, 'Find it.', watched.options)
 */
export function watch({
  finalOutput = text => text,
  now = Date.now,
  ...options
}: OpenAiAgentsOptions = {}): OpenAiAgentsWatch {
  const following: Following = {
    watchdog: watchdog(options),
    outcomes: new Map(),
    out: new Map(),
    now,
    meter: new Meter(),
    seen: undefined,
    place: 0,
    speaker: { name: '', run: undefined },
    concluded: false,
  }
  const { watchdog: monitor, meter } = following
  const hears = onEnd((speaker, text) => concludeRun(following, speaker, text))
  return {
    watchdog: monitor,
    get question() {
      return monitor.pendingEscape?.route.rung === 'review'
        ? reviewQuestion(monitor.pendingEscape)
        : undefined
    },
    tool: toolOf(following, ({ runContext, agent }) => {
      meter.sees(runContext)
      hears(agent as Ending)
    }),
    options: {
      callModelInputFilter: ({ modelData, agent }) =>
        filterModelInput(following, modelData, agent.name),
      errorHandlers: {
        maxTurns: ({ error }) =>
          error instanceof LeftByWatchdog
            ? { finalOutput: finalOutput(error.message) as never }
            : undefined,
      },
      // A tool that is hidden is none to the SDK.
      ...(options.policy?.mode === 'observe'
        ? {}
        : { toolNotFoundBehavior: 'return_error_to_model' as const }),
    },
  }
}

/** A watch and what it knows of the run it follows; it changes with each call of the model. */
interface Following {
  readonly watchdog: Watchdog
  readonly outcomes: Map<string, CallOutcome>
  readonly out: Map<string, GrantedPermit>
  readonly now: () => number
  readonly meter: Meter
  /** How many items of the agent the last history held. */
  seen: number | undefined
  /** The place of the next call in its turn. */
  place: number
  speaker: Speaker
  /** The last answer of a run has been reported; the history of the next one holds it, too. */
  concluded: boolean
}

/** An agent has been asked whether one of its tools is enabled. */
type Asked = (args: { readonly runContext: RunContext<unknown>; readonly agent: unknown }) => void

type ModelData = Parameters<CallModelInputFilter>[0]['modelData']

/** The last answer of a run, which stands in no history. */
function concludeRun(following: Following, { name, run }: Speaker, text: string): void {
  const { watchdog: monitor, outcomes, out, now, meter, speaker } = following
  // Another run of the same agent, or one inside this one; and where calls are the last thing, the next history tells of them.
  if (
    name !== speaker.name ||
    run !== speaker.run ||
    outcomes.size > 0 ||
    out.size > 0 ||
    isLeft(monitor)
  )
    return
  const usage = meter.since()
  monitor.afterModelTurn({ at: now(), text, ...(usage ? { usage } : {}) })
  following.concluded = true
}

/**
 * Reports the turns since the last call of the model, and adds what the model is to think about again.
 * @throws LeftByWatchdog
 */
function filterModelInput(following: Following, modelData: ModelData, agent: string): ModelData {
  const { watchdog: monitor, now } = following
  const last = modelData.input.at(-1)
  if (monitor.state.ended !== undefined) monitor.userMessage(messageText(last), now())
  reportTurns(following, modelData.input, agent)
  if (monitor.state.ended === undefined && last && isMessage(last) && last.role === 'user')
    monitor.userMessage(messageText(last), now())
  following.place = 0
  if (!isLeft(monitor)) monitor.beforeModelCall(now())
  throwIfDue(monitor)
  const { rethinking } = monitor
  return rethinking
    ? {
        ...modelData,
        input: [...modelData.input, { role: 'user', content: rethinkMessage(rethinking) }],
      }
    : modelData
}

function reportTurns(following: Following, input: ModelData['input'], agent: string): void {
  const { watchdog: monitor, outcomes, out, now, meter, speaker, concluded } = following
  const { turns: read, count } = turnsIn(input, following.seen, {
    watchdog: monitor,
    outcomes,
    out,
    at: now(),
  })
  following.seen = count
  clearCall(following)
  // The filter of a handoff may have taken it out of the history.
  const handed =
    read.length === 0 &&
    agent !== speaker.name &&
    meter.run !== undefined &&
    meter.run === speaker.run
  const turns = handed ? [handoffTo(agent, now())] : concluded ? [] : read
  following.concluded = false
  following.speaker = { name: agent, run: meter.run }
  const usage = turns.length === 0 ? undefined : meter.since()
  for (const [index, turn] of turns.entries())
    monitor.afterModelTurn(usage && index === turns.length - 1 ? { ...turn, usage } : turn)
}

/** What no history tells of will never be told: calls of a run that was aborted, or of an agent inside this one. */
function clearCall({ watchdog: monitor, outcomes, out, now }: Following): void {
  for (const permit of out.values()) monitor.settle(permit, now(), { error: { name: 'Cancelled' } })
  out.clear()
  outcomes.clear()
}

/** The SDK's own type has a form for each kind of schema; what is added here is the same for all of them. */
function toolOf(following: Following, asked: Asked): typeof tool {
  const { watchdog: monitor, outcomes, out, now } = following
  const executes = new Map<string, Execute>()
  return ((of: Parameters<typeof tool>[0]) => {
    // The SDK makes the name one that a model can say.
    let name = ''
    const execute: Execute = async (input, context, details) => {
      const permit = monitor.permit(name, now(), following.place++)
      const call = details?.toolCall?.callId ?? ''
      if (permit.kind === 'no') {
        outcomes.set(call, permit.outcome)
        return permit.why
      }
      out.set(call, permit)
      try {
        const result = await (executes.get(permit.tool) ?? (of.execute as Execute))(
          input,
          context,
          details,
        )
        if (out.delete(call)) outcomes.set(call, monitor.settle(permit, now()))
        return result
      } catch (error) {
        if (out.delete(call)) outcomes.set(call, monitor.settle(permit, now(), { error }))
        throw error
      }
    }
    const enabled = of.isEnabled ?? true
    const isEnabled: NonNullable<typeof of.isEnabled> = async args => {
      asked(args)
      return (
        !monitor.unavailableTools(now()).includes(name) &&
        (typeof enabled === 'function' ? enabled(args) : enabled)
      )
    }
    const made = tool({ ...of, execute, isEnabled } as Parameters<typeof tool>[0])
    name = made.name
    executes.set(name, of.execute as Execute)
    return made
  }) as typeof tool
}

function isLeft({ state, pendingEscape }: Watchdog): boolean {
  return state.ended !== undefined || pendingEscape?.route.rung === 'review'
}

/** @throws LeftByWatchdog */
function throwIfDue({ state, pendingEscape }: Watchdog): void {
  if (state.ended !== undefined) throw new LeftByWatchdog(stopMessage(state))
  if (pendingEscape?.route.rung === 'review')
    throw new LeftByWatchdog(reviewQuestion(pendingEscape))
}
