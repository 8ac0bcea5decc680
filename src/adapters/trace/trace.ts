/** Traces in the format of escapement: `{"id", "events", "outcome"?}`, one a line. */
import type { Act, Trace } from '../../core/watch/normalize/act.ts'
import { answered, called } from './acts.ts'
import type { Document } from './documents.ts'
import { isMap, Item, type Passed } from './fields.ts'

export interface RecordedTrace extends Trace {
  /** The numbers of its events of unknown kinds: they give no acts, and all others keep their numbers. */
  readonly gaps?: readonly number[]
}

/** @throws InvalidTrace */
export async function* tracesOf(
  documents: AsyncIterable<Document>,
  passed: Passed,
): AsyncGenerator<RecordedTrace> {
  for await (const { place, value } of documents)
    yield traceOf(new Item(place, value, 'a trace as {"id", "events"}'), passed)
}

function traceOf(trace: Item, passed: Passed): RecordedTrace {
  const { id, events, outcome } = trace.fields
  if (typeof id !== 'string' || id === '') throw trace.expected('a text', 'id')
  if (events === undefined) throw trace.expected('a list', 'events')
  const acts = trace.items('events', 'an event').map(event => actOf(event, passed))
  const gaps = acts.flatMap((act, number) => (act ? [] : number))
  return {
    id,
    acts: acts.filter(act => act !== undefined),
    ...(gaps.length > 0 ? { gaps } : {}),
    ...(isMap(outcome) && outcome.success === true ? { solved: true } : {}),
  }
}

/** A recorder may add kinds beside those that every agent has. */
function actOf(event: Item, passed: Passed): Act | undefined {
  const { t, args, ok = null, len, hash } = event.fields
  switch (t) {
    case 'say': {
      const by = event.optional('who') ?? event.optional('role')
      return {
        act: 'said',
        text: event.text('text'),
        ...(by === undefined ? {} : { by }),
        ...(by === 'user' ? { person: true } : {}),
      }
    }
    case 'call':
      return called(event.optional('id'), event.text('tool'), args)
    case 'result':
      if (ok !== null && typeof ok !== 'boolean') throw event.expected('true, false or null', 'ok')
      if (len !== undefined && typeof len !== 'number') throw event.expected('a number', 'len')
      if (hash !== undefined && typeof hash !== 'string') throw event.expected('a text', 'hash')
      return {
        ...answered(event.optional('id'), ok, event.text('text')),
        ...(hash === undefined ? {} : { hash }),
        ...(len === undefined ? {} : { length: len }),
      }
    default:
      if (typeof t !== 'string') throw event.expected('a kind as say, call or result', 't')
      passed(t)
      return undefined
  }
}
