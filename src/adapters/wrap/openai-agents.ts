/** `escapement/openai-agents`: the watchdog around an agent of `@openai/agents`. */
import type { CallModelInputFilter, RunContext, RunErrorHandlers } from '@openai/agents'
import { MaxTurnsExceededError, tool } from '@openai/agents'
import { guardOf } from '../../core/watch/data/guard.ts'
import { exitMessage, questionOf, rethinkMessage } from '../../core/watch/wrapped/state.ts'
import type { GrantedPermit } from '../../core/watch/wrapped/tool-gate.ts'
import type { CallOutcome, Turn } from '../../core/watch/wrapped/turn.ts'
import { type Watchdog, type WatchdogOptions, watchdog } from '../../core/watch/wrapped/watchdog.ts'
import { handoffTo, isMessage, messageText, turnsIn } from './openai-history.ts'

/** Options of the watchdog for agents of OpenAI Agents. */
export interface OpenAiAgentsOptions extends Omit<WatchdogOptions, 'can'> {
  /** The final output of a run that the watchdog ended, for an agent whose `outputType` is not text. */
  readonly finalOutput?: (text: string) => unknown
  /** Default: the system clock. */
  readonly now?: () => number
}

/**
 * The watchdog of one run at a time. After it stopped the run, `watchdog.state.ended` has the reason. While `question` is set,
 * call `watchdog.resolveReview` with the answer.
 */
export interface OpenAiAgentsWatch {
  readonly watchdog: Watchdog
  /** The question for a person. The run has returned, and continues with its history after the answer. */
  readonly question: string | undefined
  /** Replaces `tool` of the SDK. */
  readonly tool: typeof tool
  /** Options of `run`. */
  readonly options: {
    readonly callModelInputFilter: CallModelInputFilter
    // biome-ignore lint/suspicious/noExplicitAny: the handlers fit every context and agent
    readonly errorHandlers: RunErrorHandlers<any, any>
    readonly toolNotFoundBehavior?: 'return_error_to_model'
  }
}

/** The watchdog ended the run. It extends the SDK's own limit error: the error handlers of the run apply. */
export class LeftByWatchdog extends MaxTurnsExceededError {
  override readonly name = 'LeftByWatchdog'
  readonly code = 'left-by-watchdog'
}

/** Whether an error is a `LeftByWatchdog`. */
export const isLeftByWatchdog = guardOf(LeftByWatchdog)

/** A watch and the run that it follows. It changes with each call of the model. */
interface RunState {
  readonly watchdog: Watchdog
  /** By call id. */
  readonly outcomes: Map<string, CallOutcome>
  /** Calls without an end, by id. */
  readonly open: Map<string, GrantedPermit>
  readonly now: () => number
  readonly meter: UsageMeter
  /** The number of the agent's items in the last history. */
  seen: number | undefined
  /** The place of the next call in its turn. */
  place: number
  speaker: Speaker
  /** The last answer of a run was reported. The history of the next run contains it, too. */
  concluded: boolean
}

/**
 * @example
 * const watched = watch({ policy: { limits: { toolCalls: 25 } } })
 * const agent = new Agent({ name: 'helper', model, tools: [watched.tool({ name: 'search', description, parameters, execute })] })
 * const result = await run(agent, 'Find it.', watched.options)
 */
export function watch(given: OpenAiAgentsOptions = {}): OpenAiAgentsWatch {
  const { finalOutput = text => text, now = Date.now, ...options } = given
  const monitor = watchdog(options)
  const state: RunState = {
    watchdog: monitor,
    outcomes: new Map(),
    open: new Map(),
    now,
    meter: new UsageMeter(),
    seen: undefined,
    place: 0,
    speaker: { name: '', run: undefined },
    concluded: false,
  }
  const observeAgent = onAgentEnd((speaker, text) => concludeRun(state, speaker, text))
  return {
    watchdog: monitor,
    get question() {
      return questionOf(monitor)
    },
    tool: toolOf(state, ({ runContext, agent }) => {
      state.meter.follow(runContext)
      observeAgent(agent as AgentEvents)
    }),
    options: {
      callModelInputFilter: ({ modelData, agent }) =>
        filterModelInput(state, modelData, agent.name),
      errorHandlers: {
        maxTurns: ({ error }) =>
          isLeftByWatchdog(error)
            ? { finalOutput: finalOutput(error.message) as never }
            : undefined,
      },
      // The SDK does not find a tool that is hidden from the model.
      ...(options.policy?.mode === 'observe'
        ? {}
        : { toolNotFoundBehavior: 'return_error_to_model' as const }),
    },
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
  if (monitor.state.ended === undefined && last && isMessage(last) && last.role === 'user')
    monitor.userMessage(messageText(last), now())
  state.place = 0
  if (exitMessage(monitor) === undefined) monitor.beforeModelCall(now())
  const exit = exitMessage(monitor)
  if (exit !== undefined) throw new LeftByWatchdog(exit)
  const { rethinking } = monitor
  if (!rethinking) return modelData
  return { ...modelData, input: [...input, { role: 'user', content: rethinkMessage(rethinking) }] }
}

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

type Execute = (input: never, context?: never, details?: Details) => unknown
interface Details {
  readonly toolCall?: { readonly callId?: string } | undefined
}

type EnabledArgs = { readonly runContext: RunContext<unknown>; readonly agent: unknown }

/** The type of `tool` has an overload for each kind of schema. The addition is the same for all of them. */
function toolOf(state: RunState, onEnabled: (args: EnabledArgs) => void): typeof tool {
  const { watchdog: monitor, outcomes, open, now } = state
  const executes = new Map<string, Execute>()
  return ((options: Parameters<typeof tool>[0]) => {
    const execute: Execute = async (input, context, details) => {
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
      onEnabled(args)
      if (monitor.unavailableTools(now()).includes(guarded.name)) return false
      return typeof enabled === 'function' ? enabled(args) : enabled
    }
    // The SDK may change the name to one that a model accepts.
    const guarded = tool({ ...options, execute, isEnabled } as Parameters<typeof tool>[0])
    executes.set(guarded.name, options.execute as Execute)
    return guarded
  }) as typeof tool
}

type Usage = NonNullable<Turn['usage']>

/** The SDK updates this object during the run. */
type Total = RunContext<unknown>['usage']

class UsageMeter {
  #latest: Total | undefined
  #total: Total | undefined
  #counted: Usage = { input: 0, output: 0 }

  /** The SDK calls `isEnabled` of the tools before each model call: the last context before the call belongs to its run. */
  follow({ usage }: RunContext<unknown>): void {
    this.#latest = usage
  }

  /** The run of the next model call. `undefined` without a tool. */
  get run(): unknown {
    return this.#latest
  }

  /** The usage since the last reading, including the last call of a run that has ended. `undefined` without a tool. */
  read(): Usage | undefined {
    if (this.#latest === undefined) return undefined
    const before = this.#advance()
    if (this.#total === this.#latest) return before
    this.#total = this.#latest
    this.#counted = { input: 0, output: 0 }
    const used = this.#advance()
    return { input: before.input + used.input, output: before.output + used.output }
  }

  #advance(): Usage {
    const { input, output } = this.#counted
    const { inputTokens = 0, outputTokens = 0 } = this.#total ?? {}
    this.#counted = { input: inputTokens, output: outputTokens }
    return { input: inputTokens - input, output: outputTokens - output }
  }
}

/** An agent in one of its runs. The usage object identifies the run. */
interface Speaker {
  readonly name: string
  readonly run: unknown
}

/** The part of an agent that does not depend on its type parameters. */
interface AgentEvents {
  readonly name: string
  on(type: 'agent_end', listener: (context: RunContext<unknown>, output: string) => void): unknown
}

/** Returns a function that subscribes to each agent once. */
function onAgentEnd(ended: (speaker: Speaker, output: string) => void) {
  const known = new WeakSet<object>()
  return (agent: AgentEvents): void => {
    if (known.has(agent)) return
    known.add(agent)
    agent.on('agent_end', ({ usage }, output) => ended({ name: agent.name, run: usage }, output))
  }
}
