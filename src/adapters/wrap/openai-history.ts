/** The runs of OpenAI Agents, their watches, and the turns in their histories. */
import { isMap, jsonOrText } from '../../core/watch/data/json.ts'
import type { AgentInputItem, RunContext } from '@openai/agents'
import { lengthOfTexts } from '../../core/watch/event/written-length.ts'
import type { GrantedPermit } from '../../core/watch/wrapped/tool-gate.ts'
import type { CallOutcome, CompletedCall, Turn } from '../../core/watch/wrapped/turn.ts'
import type { Watchdog } from '../../core/watch/wrapped/watchdog.ts'

interface Reading {
  readonly watchdog: Watchdog
  readonly outcomes: Map<string, CallOutcome>
  readonly open: Map<string, GrantedPermit>
  readonly at: number
}

/**
 * The turns after the first `seen` items of the agent, and the number of its items. On the first reading, only the calls of this
 * watch count: all other items belong to the past of another one.
 */
export function turnsIn(
  items: readonly AgentInputItem[],
  seen: number | undefined,
  reading: Reading,
): { readonly turns: readonly Turn[]; readonly count: number } {
  const { outcomes, open, at } = reading
  const turns: { at: number; text: string; hidden: number; calls: CompletedCall[] }[] = []
  let count = 0
  let hidden = 0
  let isOpen = false
  for (const item of items) {
    if (!isCall(item) && !(isMessage(item) && item.role === 'assistant')) {
      // A tool result or a user message ends the turn.
      isOpen = false
      hidden = item.type === 'reasoning' ? hidden + lengthOfReasoning(item) : 0
      continue
    }
    count++
    const isOwn = isCall(item) && (outcomes.has(item.callId) || open.has(item.callId))
    if (seen === undefined ? !isOwn : count <= seen) continue
    const turn = (isOpen ? turns.pop() : undefined) ?? { at, text: '', hidden, calls: [] }
    hidden = 0
    if (isCall(item)) turn.calls.push(completedCall(item, items, turn.calls.length, reading))
    else turn.text += textOf(item)
    turns.push(turn)
    isOpen = true
  }
  const began = (calls: readonly CompletedCall[]) => calls.map(({ outcome }) => outcome.began)
  return { turns: turns.map(turn => ({ ...turn, at: Math.min(at, ...began(turn.calls)) })), count }
}

/** The turn of a handoff that is missing in the history. */
export function handoffTo(name: string, at: number): Turn {
  const result = JSON.stringify({ assistant: name })
  const outcome = { began: at, ended: at }
  return { at, text: '', calls: [{ tool: `transfer_to_${name}`, args: {}, result, outcome }] }
}

/** An endpoint passes on the reasoning, or its summary. */
const lengthOfReasoning = ({ content, rawContent }: Reasoning): number =>
  Math.max(lengthOfTexts(content), lengthOfTexts(rawContent))

type Reasoning = Extract<AgentInputItem, { type: 'reasoning' }>
type Call = Extract<AgentInputItem, { type: 'function_call' }>
type Message = Extract<AgentInputItem, { role: string }>

const isCall = (item: AgentInputItem): item is Call => item.type === 'function_call'
export const isMessage = (item: AgentInputItem): item is Message => 'role' in item

/** How the SDK answers a handoff. */
const HANDED_OVER = /^\{"assistant":"(?:[^"\\]|\\.)*"\}$/

function completedCall(
  { callId, name, arguments: args }: Call,
  items: readonly AgentInputItem[],
  place: number,
  { watchdog: monitor, outcomes, open, at }: Reading,
): CompletedCall {
  const answer = items.find(item => item.type === 'function_call_result' && item.callId === callId)
  const result = answer && 'output' in answer ? resultOf(answer.output) : undefined
  // A call that is still open exceeded its timeout: the SDK answered.
  const late = open.get(callId)
  const error = { name: 'TimeoutError', message: String(result ?? '') }
  const outcome = late ? monitor.settle(late, at, { error }) : outcomes.get(callId)
  open.delete(callId)
  outcomes.delete(callId)
  // What explains a handoff differs each time. Without it, agents that only hand over to each other form a loop.
  const isHandoff =
    outcome === undefined && /^transfer_to_/.test(name) && HANDED_OVER.test(String(result))
  return {
    tool: name,
    args: isHandoff ? {} : jsonOrText(args),
    outcome: outcome ?? foreignOutcome(monitor, name, at, place),
    result,
  }
}

/** The SDK itself answers a handoff, an unknown tool, and a tool that is hidden from the model. */
function foreignOutcome(monitor: Watchdog, tool: string, at: number, place: number): CallOutcome {
  const hidden = monitor.unavailableTools(at).includes(tool)
  const permit = hidden ? monitor.permit(tool, at, place) : undefined
  return permit?.kind === 'no' ? permit.outcome : { began: at, ended: at }
}

/** The text of a text output. Any other output stays unchanged. */
function resultOf(output: unknown): unknown {
  const { text } = isMap(output) ? output : {}
  return typeof text === 'string' ? text : output
}

export const messageText = (item: AgentInputItem | undefined): string =>
  item && isMessage(item) ? textOf(item) : ''

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  return content
    .map(part => ('text' in part && typeof part.text === 'string' ? part.text : ''))
    .join('')
}

/** A watch and the run that it follows. It changes with each call of the model. */
export interface RunState {
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
 * Finds the watch of a run. Tools receive the run, which its usage identifies; the filter of the model input receives only the
 * context of the run.
 */
export class Runs {
  readonly #byUsage = new WeakMap<Total, RunState>()
  /** The latest run of each context. */
  readonly #usages = new WeakMap<object, Total>()
  /** The watches of agents without a tool of the watchdog, by context. */
  readonly #byContext = new WeakMap<object, RunState>()
  readonly #open: (thread?: string) => RunState

  constructor(open: (thread?: string) => RunState) {
    this.#open = open
  }

  /** The SDK calls `isEnabled` of the tools before each model call. */
  follow({ context, usage }: RunContext<unknown>): void {
    this.#usages.set(keyOf(context), usage)
  }

  /** The watch of the run that calls its model. `begins`: it may be the first call of a run. */
  beforeModelCall(context: unknown, begins: boolean, thread: string | undefined): RunState {
    const key = keyOf(context)
    const usage = this.#usages.get(key)
    const known = usage ? this.#byUsage.get(usage) : begins ? undefined : this.#byContext.get(key)
    const state = known && thread === undefined ? known : this.#open(thread)
    if (known && known !== state) adoptCalls(state, known)
    if (usage) this.#byUsage.set(usage, state)
    else this.#byContext.set(key, state)
    if (usage) state.meter.follow(usage)
    return state
  }

  /** The watch of a tool call. A run that another process resumes calls tools before its model. */
  stateOf(usage: Total): RunState {
    const state = this.find(usage) ?? this.#open()
    this.#byUsage.set(usage, state)
    return state
  }

  find(usage: Total): RunState | undefined {
    return this.#byUsage.get(usage)
  }
}

const NO_OBJECT = {}

const keyOf = (context: unknown): object => (isMap(context) ? context : NO_OBJECT)

function adoptCalls({ outcomes, open }: RunState, from: RunState): void {
  for (const [id, outcome] of from.outcomes) outcomes.set(id, outcome)
  for (const [id, permit] of from.open) open.set(id, permit)
  from.outcomes.clear()
  from.open.clear()
}

type Usage = Record<'input' | 'output', number>

/** The SDK updates this object during the run. */
type Total = RunContext<unknown>['usage']

export class UsageMeter {
  #latest: Total | undefined
  #total: Total | undefined
  #counted: Usage = { input: 0, output: 0 }

  follow(run: Total): void {
    this.#latest = run
  }

  /** The run of the next model call. `undefined` without a tool. */
  get run(): Total | undefined {
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
export type Speaker = Readonly<{ name: string; run: Total | undefined }>

/** The part of an agent that does not depend on its type parameters. */
export interface AgentEvents {
  readonly name: string
  on(type: 'agent_end', listener: (context: RunContext<unknown>, output: string) => void): unknown
}

/** Returns a function that subscribes to each agent once. */
export function onAgentEnd(
  ended: (speaker: Speaker & { readonly run: Total }, output: string) => void,
) {
  const known = new WeakSet<object>()
  return (agent: AgentEvents): void => {
    if (known.has(agent)) return
    known.add(agent)
    agent.on('agent_end', ({ usage }, output) => ended({ name: agent.name, run: usage }, output))
  }
}
