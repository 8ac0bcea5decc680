/** Traces in the form of our own: `{"id", "events", "outcome"?}`, one a line. */
import type { Act, Trace } from '../../core/watch/normalize/act.ts'
import type { Json } from '../../core/watch/json.ts'
import type { Document } from './documents.ts'
import {
  expected,
  type Fields,
  inside,
  isMap,
  listIn,
  mapAt,
  optionalIn,
  type Passed,
  type Place,
  textIn,
} from './fields.ts'

export interface RecordedTrace extends Trace {
  /** The numbers of its events whose kinds nobody here knows: they are no acts, and all others keep their numbers. */
  readonly gaps?: readonly number[]
}

/** @throws InvalidTrace */
export async function* tracesOf(
  documents: AsyncIterable<Document>,
  passed: Passed,
): AsyncGenerator<RecordedTrace> {
  for await (const { place, value } of documents) yield traceAt(place, value, passed)
}

function traceAt(place: Place, value: unknown, passed: Passed): RecordedTrace {
  const trace = mapAt(place, value, 'a trace as {"id", "events"}')
  const { id, events, outcome } = trace
  if (typeof id !== 'string' || id === '') throw expected(inside(place, 'id'), 'a text', id)
  if (events === undefined) throw expected(inside(place, 'events'), 'a list', events)
  const acts: Act[] = []
  const gaps: number[] = []
  for (const [number, [at, event]] of listIn(place, trace, 'events').entries()) {
    const act = actAt(at, mapAt(at, event, 'an event'), passed)
    if (act) acts.push(act)
    else gaps.push(number)
  }
  return {
    id,
    acts,
    ...(gaps.length > 0 ? { gaps } : {}),
    ...(isMap(outcome) && outcome.success === true ? { solved: true } : {}),
  }
}

/** Recorders have kinds of their own beside those that every agent has. */
function actAt(place: Place, event: Fields, passed: Passed): Act | undefined {
  switch (event.t) {
    case 'say': {
      const by = optionalIn(place, event, 'who') ?? optionalIn(place, event, 'role')
      return {
        act: 'said',
        text: textIn(place, event, 'text'),
        ...(by === undefined ? {} : { by }),
        ...(by === 'user' ? { person: true } : {}),
      }
    }
    case 'call':
      return {
        act: 'called',
        tool: textIn(place, event, 'tool'),
        args: (event.args ?? null) as Json,
        ...called(place, event),
      }
    case 'result': {
      const { ok = null, len, hash } = event
      if (ok !== null && typeof ok !== 'boolean')
        throw expected(inside(place, 'ok'), 'true, false or null', ok)
      if (len !== undefined && typeof len !== 'number')
        throw expected(inside(place, 'len'), 'a number', len)
      if (hash !== undefined && typeof hash !== 'string')
        throw expected(inside(place, 'hash'), 'a text', hash)
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
      if (typeof event.t !== 'string')
        throw expected(inside(place, 't'), 'a kind as say, call or result', event.t)
      passed(event.t)
      return undefined
  }
}

function called(place: Place, event: Fields): { readonly call?: string } {
  const call = optionalIn(place, event, 'id')
  return call === undefined ? {} : { call }
}
