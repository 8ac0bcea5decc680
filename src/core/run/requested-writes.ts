/**
 * Writes that a model has requested, until their node hands over the results. A node that is left hands over nothing: the model reads of
 * each of its writes what is known since.
 */
import { callOfQuestion } from './question-id.ts'
import { remember } from '../watch/data/json.ts'
import type { AgentEvent, EventOf } from '../watch/event/event.ts'

/** `answer`: the model call that requested it. `applied`: whether it took effect, if that is known. */
export type RequestedWrite = Readonly<{
  effect: string
  call: string
  answer: string
  tool: string
  key: string
  applied?: boolean
}>

/** Older ones are forgotten. */
const WRITES_MAX = 64

type Writes = readonly RequestedWrite[]

/** The writes after an event. `answers`: those of the models, the latest last. */
export function requestedAfter(
  requested: Writes = [],
  answers: readonly (readonly [seq: number, call: string])[],
  event: AgentEvent,
): Writes {
  if (event.type === 'tool.called') {
    const answer = answers.at(-1)?.[1]
    if (event.effects !== 'write' || event.compensates || answer === undefined) return requested
    const { effect, call, subject: tool, key } = event
    // A node that is entered again makes the writes of the one before.
    const isSame = (write: RequestedWrite) =>
      write.effect !== effect && write.answer === answer && write.tool === tool && write.key === key
    const others = requested.filter(write => write.call !== call && !isSame(write))
    return remember(others, { effect, call, answer, tool, key }, WRITES_MAX)
  }
  if (requested.length === 0) return requested
  if (event.type === 'node.done') return requested.filter(({ effect }) => effect !== event.effect)
  const known = outcomeIn(event)
  return known
    ? requested.map(write => (write.call === known.call ? { ...write, ...known } : write))
    : requested
}

/** The write that was made, or undone. */
const made = ({ call, compensates }: EventOf<'tool.done' | 'call.late'>) =>
  compensates === undefined ? { call, applied: true } : { call: compensates, applied: false }

/** What an event says of a write. */
function outcomeIn(event: AgentEvent): Pick<RequestedWrite, 'call' | 'applied'> | undefined {
  switch (event.type) {
    case 'tool.done':
      return made(event)
    case 'call.late':
      return event.ok ? made(event) : undefined
    case 'call.reconciled':
      return event.answer === 'unknown'
        ? undefined
        : { call: event.call, applied: event.answer === 'applied' }
    case 'resume': {
      const call = callOfQuestion(event.effect)
      const { decision } = event
      const isKnown = decision === 'applied' || decision === 'not-applied'
      return call !== undefined && isKnown ? { call, applied: decision === 'applied' } : undefined
    }
    default:
      return undefined
  }
}
