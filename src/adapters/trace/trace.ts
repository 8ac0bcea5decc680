/** Traces in the format of escapement: `{"id", "events", "outcome"?}`, one a line. */
import type { Act, Trace } from '../../core/watch/normalize/act.ts'
import { toolAnswer, toolCall } from './acts.ts'
import type { Document } from './documents.ts'
import { Item, mapAt, type Skip } from './fields.ts'

export interface RecordedTrace extends Trace {
  /** The numbers of events of unknown kinds. They have no acts, and all other events keep their numbers. */
  readonly gaps?: readonly number[]
}

/** @throws InvalidTrace */
export async function* recordedTraces(
  documents: AsyncIterable<Document>,
  skip: Skip,
): AsyncGenerator<RecordedTrace> {
  for await (const { place, value } of documents)
    yield traceOf(new Item(place, value, 'a trace as {"id", "events"}'), skip)
}

function traceOf(trace: Item, skip: Skip): RecordedTrace {
  const { id, events } = trace.fields
  if (typeof id !== 'string' || id === '') throw trace.expected('a text', 'id')
  if (events === undefined) throw trace.expected('a list', 'events')
  const acts = trace.items('events', 'an event').map(event => actsOf(event, skip))
  const gaps = acts.flatMap(({ length }, number) => (length > 0 ? [] : number))
  return {
    id,
    acts: acts.flat(),
    ...(gaps.length > 0 ? { gaps } : {}),
    ...(mapAt(trace.fields, 'outcome').success === true ? { solved: true } : {}),
  }
}

/** One act. A recorder may add kinds beside those that every agent has. */
function actsOf(event: Item, skip: Skip): readonly Act[] {
  const { t, args, ok = null, len, hash } = event.fields
  switch (t) {
    case 'say': {
      const by = event.optional('who') ?? event.optional('role')
      const person = by === 'user' ? { person: true as const } : {}
      return [
        { act: 'said', text: event.text('text'), ...(by === undefined ? {} : { by }), ...person },
      ]
    }
    case 'call':
      return [toolCall(event.optional('id'), event.text('tool'), args)]
    case 'result':
      if (ok !== null && typeof ok !== 'boolean') throw event.expected('true, false or null', 'ok')
      if (len !== undefined && typeof len !== 'number') throw event.expected('a number', 'len')
      if (hash !== undefined && typeof hash !== 'string') throw event.expected('a text', 'hash')
      return [
        {
          ...toolAnswer(event.optional('id'), ok, event.text('text')),
          ...(hash === undefined ? {} : { hash }),
          ...(len === undefined ? {} : { length: len }),
        },
      ]
    default:
      if (typeof t !== 'string') throw event.expected('a kind as say, call or result', 't')
      return skip(t)
  }
}
