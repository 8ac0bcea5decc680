/** `escapement/openai-agents`: the watchdog around an agent of `@openai/agents`. */
import type { CallModelInputFilter, RunContext, RunErrorHandlers } from '@openai/agents'
import { MaxTurnsExceededError, tool } from '@openai/agents'
import { guardOf } from '../../core/watch/data/fault.ts'
import { knownSubstitutes } from '../../core/watch/wrapped/known-substitutes.ts'
import { aFunction } from '../../core/watch/wrapped/option-kinds.ts'
import { checkOptions, type WatchdogOptions } from '../../core/watch/wrapped/options.ts'
import { exitMessage, questionOf, rethinkMessage } from '../../core/watch/wrapped/state.ts'
import type { Watchdog } from '../../core/watch/wrapped/watchdog.ts'
import { watchesOf } from '../../core/watch/wrapped/watchdog.ts'
import { handoffTo, isMessage, messageText, turnsIn, onAgentEnd, Runs } from './openai-history.ts'
import { type Speaker, type RunState, type AgentEvents, UsageMeter } from './openai-history.ts'

/** Options of the watchdog for agents of OpenAI Agents. */
export interface OpenAiAgentsOptions extends Omit<WatchdogOptions, 'can'> {
  /** The thread of all runs, which share one watch. Default: each run has its own watch. See also `optionsFor`. */
  readonly thread?: string
  /** The final output of a run that the watchdog ended, for an agent whose `outputType` is not text. */
  readonly finalOutput?: (text: string) => unknown
  /** Default: the system clock. */
  readonly now?: () => number
}

/**
 * The tools and the options of the runs. After the watchdog stopped a run, `watchdog.state.ended` has the reason. While `question`
 * is set, call `watchdog.resolveReview` with the answer.
 */
export interface OpenAiAgentsWatch {
  /** The watchdog of the run that started last. If several users call the agent at once, use `watchdogOf`. */
  readonly watchdog: Watchdog
  /** The watchdog of a thread, if it has had a run. */
  watchdogOf(thread: string): Watchdog | undefined
  /** The question for a person. The run has returned, and continues with its history after the answer. */
  readonly question: string | undefined
  /** Replaces `tool` of the SDK. */
  readonly tool: typeof tool
  /** Options of `run`. Each run has its own watch. Put your own `context` after them. */
  readonly options: WatchedRunOptions
  /** The options of a run of a thread. All runs of the thread share one watch. */
  optionsFor(thread: string): WatchedRunOptions
}

/** Options of `run`. */
export interface WatchedRunOptions {
  // biome-ignore lint/suspicious/noExplicitAny: the context has the type of the caller
  readonly context: any
  readonly callModelInputFilter: CallModelInputFilter
  // biome-ignore lint/suspicious/noExplicitAny: the handlers fit every context and agent
  readonly errorHandlers: RunErrorHandlers<any, any>
  readonly toolNotFoundBehavior?: 'return_error_to_model'
}

/** The watchdog ended the run. It extends the SDK's own limit error: the error handlers of the run apply. */
export class LeftByWatchdog extends MaxTurnsExceededError {
  override readonly name = 'LeftByWatchdog'
  readonly code = 'left-by-watchdog'
}

/** Whether an error is a `LeftByWatchdog`. */
export const isLeftByWatchdog = guardOf(LeftByWatchdog)

/**
 * @example
 * const watched = watch({ policy: { limits: { toolCalls: 25 } } })
 * const agent = new Agent({ name: 'helper', model, tools: [watched.tool({ name: 'search', description, parameters, execute })] })
 * const result = await run(agent, 'Find it.', watched.options)
 */
export function watch(given: OpenAiAgentsOptions = {}): OpenAiAgentsWatch {
  checkOptions(given, { finalOutput: aFunction, now: aFunction })
  const { finalOutput = text => text, now = Date.now, ...options } = given
  const known = knownSubstitutes(given.substitutes)
  const watches = watchesOf<RunState>(
    { ...options, substitutes: known.substitutes },
    () => crypto.randomUUID(),
    monitor => ({
      watchdog: monitor,
      outcomes: new Map(),
      open: new Map(),
      now,
      meter: new UsageMeter(),
      seen: undefined,
      place: 0,
      speaker: { name: '', run: undefined },
      concluded: false,
    }),
  )
  const runs = new Runs(watches.open)
  const observeAgent = onAgentEnd((speaker, text) => {
    const state = runs.find(speaker.run)
    if (state) concludeRun(state, speaker, text)
  })
  const optionsOf = (thread?: string): WatchedRunOptions => ({
    // The filter receives only the context, so each run has a different one.
    get context() {
      return {}
    },
    callModelInputFilter: ({ modelData, agent, context }) => {
      const begins = isUserMessage(modelData.input.at(-1))
      return filterModelInput(runs.beforeModelCall(context, begins, thread), modelData, agent.name)
    },
    errorHandlers: {
      maxTurns: ({ error }) =>
        isLeftByWatchdog(error) ? { finalOutput: finalOutput(error.message) as never } : undefined,
    },
    // The SDK does not find a tool that is hidden from the model.
    ...(options.policy?.mode === 'observe'
      ? {}
      : { toolNotFoundBehavior: 'return_error_to_model' as const }),
  })
  return {
    watchdog: watches.watchdog,
    watchdogOf: thread => watches.find(thread)?.watchdog,
    get question() {
      return questionOf(watches.watchdog)
    },
    tool: toolOf(
      ({ usage }) => runs.stateOf(usage),
      ({ runContext, agent }) => {
        runs.follow(runContext)
        observeAgent(agent as AgentEvents)
        return watches.watchdog.unavailableTools(now())
      },
      name => known.add([name]),
    ),
    options: optionsOf(),
    optionsFor: optionsOf,
  }
}

type ModelData = Parameters<CallModelInputFilter>[0]['modelData']

/** Reports the last answer of a run. No history contains it. */
function concludeRun(state: RunState, { name, run }: Speaker, text: string): void {
  const { watchdog: monitor, outcomes, open, now, meter, speaker } = state
  // Another run of the same agent, or a run inside this one.
  if (name !== speaker.name || run !== speaker.run) return
  // If the run ends with calls, the next history contains them.
  if (outcomes.size > 0 || open.size > 0 || exitMessage(monitor) !== undefined) return
  const usage = meter.read()
  monitor.afterModelTurn({ at: now(), text, ...(usage ? { usage } : {}) })
  state.concluded = true
}

/**
 * Reports the turns since the last call of the model, and adds the message about a loop.
 * @throws LeftByWatchdog
 */
function filterModelInput(state: RunState, modelData: ModelData, agent: string): ModelData {
  const { watchdog: monitor, now } = state
  const { input } = modelData
  const last = input.at(-1)
  if (monitor.state.ended !== undefined) monitor.userMessage(messageText(last), now())
  reportTurns(state, input, agent)
  if (monitor.state.ended === undefined && isUserMessage(last))
    monitor.userMessage(messageText(last), now())
  state.place = 0
  if (exitMessage(monitor) === undefined) monitor.beforeModelCall(now())
  const exit = exitMessage(monitor)
  if (exit !== undefined) throw new LeftByWatchdog(exit)
  const { rethinking } = monitor
  if (!rethinking) return modelData
  return { ...modelData, input: [...input, { role: 'user', content: rethinkMessage(rethinking) }] }
}

const isUserMessage = (item: ModelData['input'][number] | undefined): boolean =>
  item !== undefined && isMessage(item) && item.role === 'user'

function reportTurns(state: RunState, input: ModelData['input'], agent: string): void {
  const { watchdog: monitor, now, meter, speaker, concluded } = state
  const { turns: read, count } = turnsIn(input, state.seen, { ...state, at: now() })
  cancelCalls(state)
  // The filter of a handoff may remove the handoff from the history.
  const isSameRun = meter.run !== undefined && meter.run === speaker.run
  const isHandoff = read.length === 0 && agent !== speaker.name && isSameRun
  const turns = isHandoff ? [handoffTo(agent, now())] : concluded ? [] : read
  state.seen = count
  state.concluded = false
  state.speaker = { name: agent, run: meter.run }
  const usage = turns.length === 0 ? undefined : meter.read()
  for (const [index, turn] of turns.entries())
    monitor.afterModelTurn(usage && index === turns.length - 1 ? { ...turn, usage } : turn)
}

/** Calls that are missing in the history belong to an aborted run, or to an agent inside this one. */
function cancelCalls({ watchdog: monitor, outcomes, open, now }: RunState): void {
  for (const permit of open.values())
    monitor.settle(permit, now(), { error: { name: 'Cancelled' } })
  open.clear()
  outcomes.clear()
}

type Execute = (input: never, context: RunContext<unknown>, details?: Details) => unknown
type Details = Readonly<{ toolCall?: { readonly callId?: string } | undefined }>

type EnabledArgs = { readonly runContext: RunContext<unknown>; readonly agent: unknown }

/** The type of `tool` has an overload for each kind of schema. The addition is the same for all of them. */
function toolOf(
  stateOf: (context: RunContext<unknown>) => RunState,
  unavailableTools: (args: EnabledArgs) => readonly string[],
  defined: (name: string) => void,
): typeof tool {
  const executes = new Map<string, Execute>()
  return ((options: Parameters<typeof tool>[0]) => {
    const execute: Execute = async (input, context, details) => {
      const state = stateOf(context)
      const { watchdog: monitor, outcomes, open, now } = state
      const permit = monitor.permit(guarded.name, now(), state.place++)
      const call = details?.toolCall?.callId ?? ''
      if (permit.kind === 'no') {
        outcomes.set(call, permit.outcome)
        return permit.why
      }
      const settle = (thrown?: { readonly error: unknown }) => {
        if (open.delete(call)) outcomes.set(call, monitor.settle(permit, now(), thrown))
      }
      open.set(call, permit)
      try {
        const original = options.execute as Execute
        const result = await (executes.get(permit.tool) ?? original)(input, context, details)
        settle()
        return result
      } catch (error) {
        settle({ error })
        throw error
      }
    }
    const enabled = options.isEnabled ?? true
    const isEnabled: NonNullable<typeof options.isEnabled> = async args => {
      if (unavailableTools(args).includes(guarded.name)) return false
      return typeof enabled === 'function' ? enabled(args) : enabled
    }
    // The SDK may change the name to one that a model accepts.
    const guarded = tool({ ...options, execute, isEnabled } as Parameters<typeof tool>[0])
    executes.set(guarded.name, options.execute as Execute)
    defined(guarded.name)
    return guarded
  }) as typeof tool
}
