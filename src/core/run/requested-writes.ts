/**
 * Writes that a model has requested, until their node hands over the results. A node that is left hands over nothing: the model reads of
 * each of its writes what is known since.
 */
import { callOfQuestion } from './question-id.ts'
import { defined, type Json, jsonLength, remember } from '../watch/data/json.ts'
import type { Edited } from '../watch/event/call-event.ts'
import type { AgentEvent, EventOf } from '../watch/event/event.ts'

/**
 * `answer`: the model call that requested it. `applied`: whether it took effect, if that is known. `result`: its answer, if it is short.
 * `edited`: a person edited its arguments, which are there if they are short.
 */
export type RequestedWrite = Readonly<{
  effect: string
  call: string
  answer: string
  tool: string
  key: string
  applied?: boolean
  result?: Json
  edited?: Partial<Edited>
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
    const edited = event.edited && shortened(event.edited)
    return remember(others, { effect, call, answer, tool, key, ...defined({ edited }) }, WRITES_MAX)
  }
  if (requested.length === 0) return requested
  if (event.type === 'node.done') return requested.filter(({ effect }) => effect !== event.effect)
  const known = outcomeIn(event)
  return known
    ? requested.map(write => (write.call === known.call ? { ...write, ...known } : write))
    : requested
}

/** Characters of a result that is kept, as JSON. The journal has all of it. */
const RESULT_MAX = 500

const isShort = (result: Json | undefined): boolean =>
  result !== undefined && jsonLength(result) <= RESULT_MAX

const shortened = ({ args, note }: Edited): Partial<Edited> =>
  defined({ args: isShort(args) ? args : undefined, note })

/** The write took effect, with this result. */
const applied = (call: string, result: Json | undefined): Known => ({
  call,
  applied: true,
  ...(isShort(result) && defined({ result })),
})

/** The write was made, or undone. */
const made = ({ call, compensates, result }: EventOf<'tool.done' | 'call.late'>): Known =>
  compensates === undefined ? applied(call, result) : { call: compensates, applied: false }

type Known = Pick<RequestedWrite, 'call' | 'applied' | 'result'>

/** What an event says of a write. */
function outcomeIn(event: AgentEvent): Known | undefined {
  switch (event.type) {
    case 'tool.done':
      return made(event)
    case 'call.late':
      return event.ok ? made(event) : undefined
    case 'call.reconciled':
      if (event.answer === 'unknown') return undefined
      return event.answer === 'applied'
        ? applied(event.call, event.result)
        : { call: event.call, applied: false }
    case 'resume': {
      const call = callOfQuestion(event.effect)
      if (call === undefined) return undefined
      if (event.decision === 'applied') return applied(call, event.output)
      return event.decision === 'not-applied' ? { call, applied: false } : undefined
    }
    default:
      return undefined
  }
}
