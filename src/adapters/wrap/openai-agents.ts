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
import { type Ending, onEnd, type Speaker } from './openai-end.ts'
import { handoffTo, isMessage, messageText, turnsIn } from './openai-history.ts'
import { Meter } from './openai-usage.ts'

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
  const monitor = watchdog(options)
  const outcomes = new Map<string, CallOutcome>()
  const out = new Map<string, GrantedPermit>()
  const meter = new Meter()
  let seen: number | undefined
  let place = 0
  let speaker: Speaker = { name: '', run: undefined }
  /** The last answer of a run has been told; the history of the next one holds it, too. */
  let concluded = false
  const hears = onEnd(({ name, run }, text) => {
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
    concluded = true
  })
  const of: Guard = {
    watchdog: monitor,
    outcomes,
    out,
    now,
    next: () => place++,
    asked({ runContext, agent }) {
      meter.sees(runContext)
      hears(agent as Ending)
    },
  }
  return {
    watchdog: monitor,
    get question() {
      return monitor.pendingEscape?.route.rung === 'review'
        ? reviewQuestion(monitor.pendingEscape)
        : undefined
    },
    tool: toolOf(of),
    options: {
      callModelInputFilter({ modelData, agent }) {
        const last = modelData.input.at(-1)
        if (monitor.state.ended !== undefined) monitor.userMessage(messageText(last), now())
        const { turns: read, count } = turnsIn(modelData.input, seen, {
          watchdog: monitor,
          outcomes,
          out,
          at: now(),
        })
        seen = count
        clearCall(of)
        // The filter of a handoff may have taken it out of the history.
        const handed =
          read.length === 0 &&
          agent.name !== speaker.name &&
          meter.run !== undefined &&
          meter.run === speaker.run
        const turns = handed ? [handoffTo(agent.name, now())] : concluded ? [] : read
        concluded = false
        speaker = { name: agent.name, run: meter.run }
        const usage = turns.length === 0 ? undefined : meter.since()
        for (const [index, turn] of turns.entries())
          monitor.afterModelTurn(usage && index === turns.length - 1 ? { ...turn, usage } : turn)
        if (monitor.state.ended === undefined && last && isMessage(last) && last.role === 'user')
          monitor.userMessage(messageText(last), now())
        place = 0
        if (!isLeft(monitor)) monitor.beforeModelCall(now())
        throwIfDue(monitor)
        const { rethinking } = monitor
        return rethinking
          ? {
              ...modelData,
              input: [...modelData.input, { role: 'user', content: rethinkMessage(rethinking) }],
            }
          : modelData
      },
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

interface Guard {
  readonly watchdog: Watchdog
  readonly outcomes: Map<string, CallOutcome>
  readonly out: Map<string, GrantedPermit>
  readonly now: () => number
  /** The place of a call in its turn. */
  readonly next: () => number
  /** A tool has been asked whether it is enabled. */
  readonly asked: (args: {
    readonly runContext: RunContext<unknown>
    readonly agent: unknown
  }) => void
}

/** What no history tells of will never be told: calls of a run that was aborted, or of an agent inside this one. */
function clearCall({ watchdog: monitor, outcomes, out, now }: Guard): void {
  for (const permit of out.values()) monitor.settle(permit, now(), { error: { name: 'Cancelled' } })
  out.clear()
  outcomes.clear()
}

/** The SDK's own type has a form for each kind of schema; what is added here is the same for all of them. */
function toolOf({ watchdog: monitor, outcomes, out, now, next, asked }: Guard): typeof tool {
  const executes = new Map<string, Execute>()
  return ((of: Parameters<typeof tool>[0]) => {
    // The SDK makes the name one that a model can say.
    let name = ''
    const execute: Execute = async (input, context, details) => {
      const permit = monitor.permit(name, now(), next())
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
