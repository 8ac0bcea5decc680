/** Reads the turns of an agent from the history of its run. */
import type { AgentInputItem } from '@openai/agents'
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
  const turns: { at: number; text: string; calls: CompletedCall[] }[] = []
  let count = 0
  let isOpen = false
  for (const item of items) {
    if (!isCall(item) && !(isMessage(item) && item.role === 'assistant')) {
      // A tool result or a user message ends the turn.
      isOpen = false
      continue
    }
    count++
    const isOwn = isCall(item) && (outcomes.has(item.callId) || open.has(item.callId))
    if (seen === undefined ? !isOwn : count <= seen) continue
    const turn = (isOpen ? turns.pop() : undefined) ?? { at, text: '', calls: [] }
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

type Call = Extract<AgentInputItem, { type: 'function_call' }>
type Message = Extract<AgentInputItem, { role: string }>

const isCall = (item: AgentInputItem): item is Call => item.type === 'function_call'
export const isMessage = (item: AgentInputItem): item is Message => 'role' in item

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
  return {
    tool: name,
    args: parseArguments(args),
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

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The text of a text output. Any other output stays unchanged. */
function resultOf(output: unknown): unknown {
  const { text } = (typeof output === 'object' && output !== null ? output : {}) as {
    text?: unknown
  }
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
