/** Traces in the form of our own: `{"id", "events", "outcome"?}`, one a line. */
import type { Act, Trace } from '../../core/watch/act.ts'
import type { Json } from '../../core/watch/json.ts'
import type { Document } from './documents.ts'
import { expected, type Fields, inside, isMap, listIn, mapAt, optionalIn, type Place, textIn } from './fields.ts'

/** @throws InvalidTrace */
export async function* tracesOf(documents: AsyncIterable<Document>): AsyncGenerator<Trace> {
  for await (const { place, value } of documents) yield traceAt(place, value)
}

function traceAt(place: Place, value: unknown): Trace {
  const trace = mapAt(place, value, 'a trace as {"id", "events"}')
  const { id, events, outcome } = trace
  if (typeof id !== 'string' || id === '') throw expected(inside(place, 'id'), 'a text', id)
  if (events === undefined) throw expected(inside(place, 'events'), 'a list', events)
  const acts = listIn(place, trace, 'events').map(([at, event]) => actAt(at, mapAt(at, event, 'an event')))
  return { id, acts, ...(isMap(outcome) && outcome.success === true ? { solved: true } : {}) }
}

function actAt(place: Place, event: Fields): Act {
  switch (event.t) {
    case 'say': {
      const by = optionalIn(place, event, 'who') ?? optionalIn(place, event, 'role')
      return { act: 'said', text: textIn(place, event, 'text'), ...(by === undefined ? {} : { by }), ...(by === 'user' ? { person: true } : {}) }
    }
    case 'call':
      return { act: 'called', tool: textIn(place, event, 'tool'), args: (event.args ?? null) as Json, ...called(place, event) }
    case 'result': {
      const { ok = null, len, hash } = event
      if (ok !== null && typeof ok !== 'boolean') throw expected(inside(place, 'ok'), 'true, false or null', ok)
      if (len !== undefined && typeof len !== 'number') throw expected(inside(place, 'len'), 'a number', len)
      if (hash !== undefined && typeof hash !== 'string') throw expected(inside(place, 'hash'), 'a text', hash)
      return {
        act: 'answered',
        ok,
        text: textIn(place, event, 'text'),
        ...called(place, event),
        ...(hash === undefined ? {} : { hash }),
        ...(len === undefined ? {} : { length: len }),
      }
    }
    default:
      throw expected(inside(place, 't'), 'say, call or result', event.t)
  }
}

function called(place: Place, event: Fields): { readonly call?: string } {
  const call = optionalIn(place, event, 'id')
  return call === undefined ? {} : { call }
}
