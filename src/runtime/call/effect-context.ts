import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { ChildLink } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Callable, CallContext } from './callable.ts'
import { storedJson } from './stored-json.ts'
import type { CallRecord, CallRecords, Recording } from './call-record.ts'

/** The work of one effect: where it is done, what the journal holds of it already, and how many of its calls are out. */
export interface EffectContext extends CallContext {
  readonly records: CallRecords
  readonly recording: Recording
  readonly out: Set<string>
  /** Of these, the children that wait for people. */
  readonly resting: ChildLink[]
}

/** Characters the arguments of a call, or the calls of an answer, may have: they are handed on whole or not at all. */
export const VALUE_MAX = 1_048_576

/** A node asked for other calls than the journal holds of it: it depends on more than its input. */
export class OtherCall extends ReasonError {
  constructor(id: string, was: string, call: string) {
    super('Nondeterministic', { code: 'call-changed', params: { id, was, call } })
  }
}

/** What the journal holds of a call. @throws when it holds another call in its place. */
export function recordFor(
  { records }: EffectContext,
  call: string,
  subject: string,
  key: string,
): CallRecord | undefined {
  const before = records.calls.get(call)
  if (before && before.key !== key) throw new OtherCall(call, before.subject, subject)
  return before
}

/** Counts a call as out until its last event is about to be written: while any is, verdicts wait. */
export function countCall(
  { out }: EffectContext,
  call: string,
): Pick<Callable<unknown>, 'more' | 'close'> {
  out.add(call)
  return { more: () => out.size > (out.has(call) ? 1 : 0), close: () => void out.delete(call) }
}

/** A value that is handed on whole. @throws TooLarge, NotJson */
export function wholeValue(
  what: string,
  raw: unknown,
  redact: (value: Json) => Json,
  max = VALUE_MAX,
): Json {
  const { value, cut } = storedJson(what, raw, redact, max)
  if (cut !== undefined)
    throw new ReasonError('TooLarge', {
      code: 'too-large',
      params: { path: what, characters: cut, limit: max },
    })
  return value
}
