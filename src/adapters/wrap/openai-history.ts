/** The turns of an agent, read from the history of its run. */
import type { AgentInputItem } from '@openai/agents'
import type { GrantedPermit } from '../../core/watch/wrapped/tool-gate.ts'
import type { CallOutcome, CompletedCall, Turn } from '../../core/watch/wrapped/turn.ts'
import type { Watchdog } from '../../core/watch/wrapped/watchdog.ts'

interface Reading {
  readonly watchdog: Watchdog
  readonly outcomes: Map<string, CallOutcome>
  /** Calls that have not come to their end. */
  readonly out: Map<string, GrantedPermit>
  readonly at: number
}

/**
 * The turns in a history after the `seen`th thing an agent has said or called, and how many of these there are by now. Of a history
 * that is seen for the first time, only what has been called here: all else is another watch's past, or nobody's.
 */
export function turnsIn(
  items: readonly AgentInputItem[],
  seen: number | undefined,
  reading: Reading,
): { readonly turns: readonly Turn[]; readonly count: number } {
  const turns: { at: number; text: string; calls: CompletedCall[] }[] = []
  let count = 0
  let open = false
  for (const item of items) {
    const own = isCall(item) || (isMessage(item) && item.role === 'assistant')
    if (!own) {
      // An answer, or a person's word, ends what was said in one turn.
      open = false
      continue
    }
    count++
    if (
      seen === undefined
        ? !(isCall(item) && (reading.outcomes.has(item.callId) || reading.out.has(item.callId)))
        : count <= seen
    )
      continue
    if (!open) turns.push({ at: reading.at, text: '', calls: [] })
    open = true
    const turn = turns.at(-1)
    if (isCall(item))
      turn?.calls.push(completedCall(item, items, { ...reading, place: turn.calls.length }))
    else if (turn) turn.text += textOf(item)
  }
  return {
    turns: turns.map(turn => ({
      ...turn,
      at: Math.min(reading.at, ...turn.calls.map(({ outcome }) => outcome.began)),
    })),
    count,
  }
}

/** As it stands in a history that was left as it is. */
export function handoffTo(name: string, at: number): Turn {
  return {
    at,
    text: '',
    calls: [
      {
        tool: `transfer_to_${name}`,
        args: {},
        result: JSON.stringify({ assistant: name }),
        outcome: { began: at, ended: at },
      },
    ],
  }
}

type Call = Extract<AgentInputItem, { type: 'function_call' }>
type Message = Extract<AgentInputItem, { role: string }>

function isCall(item: AgentInputItem): item is Call {
  return item.type === 'function_call'
}

export function isMessage(item: AgentInputItem): item is Message {
  return 'role' in item
}

/** A call that another has answered (a handoff, a tool that there is not) has a result, and no outcome of ours. */
function completedCall(
  { callId, name, arguments: text }: Call,
  items: readonly AgentInputItem[],
  { watchdog: monitor, outcomes, out, at, place }: Reading & { readonly place: number },
): CompletedCall {
  const answer = items.find(item => item.type === 'function_call_result' && item.callId === callId)
  const late = out.get(callId)
  // The SDK has answered in its place, because its time was up.
  if (late && out.delete(callId))
    outcomes.set(
      callId,
      monitor.settle(late, at, {
        error: {
          name: 'TimeoutError',
          message: String(plain(answer && 'output' in answer ? answer.output : '')),
        },
      }),
    )
  const refused =
    outcomes.has(callId) || !monitor.unavailableTools(at).includes(name)
      ? undefined
      : monitor.permit(name, at, place)
  const outcome =
    outcomes.get(callId) ?? (refused?.kind === 'no' ? refused.outcome : { began: at, ended: at })
  outcomes.delete(callId)
  return {
    tool: name,
    args: parseArguments(text),
    outcome,
    result: answer && 'output' in answer ? plain(answer.output) : undefined,
  }
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The text of an answer that is a text. */
function plain(output: unknown): unknown {
  return typeof output === 'object' &&
    output !== null &&
    'text' in output &&
    typeof output.text === 'string'
    ? output.text
    : output
}

export function messageText(item: AgentInputItem | undefined): string {
  return item && isMessage(item) ? textOf(item) : ''
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  return content
    .map(part => ('text' in part && typeof part.text === 'string' ? part.text : ''))
    .join('')
}
