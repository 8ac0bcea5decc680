/** The border for what people say: whatever comes in from outside is looked at before anything is kept of it. */
import { ReasonError, type Reason } from '../../core/watch/reason/reason.ts'
import { CHOSEN_RUNGS, DECISIONS, type PersonEvent } from '../../core/watch/event/event.ts'
import { type Json, notJsonAt } from '../../core/watch/data/json.ts'

/** What may be submitted to a thread. `policy.change` is journalled as the policy that it makes: `policy.changed`. */
export type Command = PersonCommand & {
  /** When it was said, in ms by the thread's clock; absent: when it is heard. A decision is judged by it. */
  readonly at?: number
}

type PersonCommand =
  | PersonEvent
  | { readonly type: 'policy.change'; readonly change: Json; readonly command?: string }

/** Characters of an event as JSON. */
const SIZE_MAX = 1_048_576

/** Something was submitted that nobody can say to a thread. */
export class InvalidEvent extends ReasonError {
  readonly code = 'invalid-event'
  constructor(reason: Reason) {
    super('InvalidEvent', reason)
  }
}

/** Whether an error is an `InvalidEvent`. */
export function isInvalidEvent(error: unknown): error is InvalidEvent {
  return error instanceof InvalidEvent
}

/** What a field must be, in words; `undefined` if it is. */
type Check = (value: unknown) => string | undefined

const text: Check = value => (typeof value === 'string' ? undefined : 'a string')
const optional: Check = value => (value === undefined ? undefined : text(value))
const oneOf =
  (words: readonly string[]): Check =>
  value =>
    words.includes(value as string) ? undefined : `one of ${words.join(', ')}`
const either =
  (words: readonly string[]): Check =>
  value =>
    value === undefined ? undefined : oneOf(words)(value)
const time: Check = value =>
  value === undefined || (typeof value === 'number' && Number.isFinite(value))
    ? undefined
    : 'a time in ms'
const anything: Check = () => undefined
const map: Check = value =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'an object'

const FIELDS: Readonly<Record<Command['type'], Readonly<Record<string, Check>>>> = {
  resume: {
    effect: text,
    decision: oneOf(DECISIONS),
    to: optional,
    rung: either(CHOSEN_RUNGS),
    output: anything,
    note: optional,
    at: time,
    command: optional,
  },
  cancel: { reason: text, at: time, command: optional },
  message: { input: map, at: time, command: optional },
  'child.ended': { effect: text, call: text, thread: text, command: optional },
  'policy.change': { change: map, at: time, command: optional },
}

/** @throws InvalidEvent naming the path of the fault. */
export function personEvent(event: unknown): Command {
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw mismatch(undefined, 'an event', event)
  const { type, ...given } = event as Readonly<Record<string, unknown>>
  const fields = Object.hasOwn(FIELDS, String(type)) ? FIELDS[type as Command['type']] : undefined
  if (!fields) throw mismatch('type', `one of ${Object.keys(FIELDS).join(', ')}`, type)
  for (const [name, check] of Object.entries(fields)) {
    const expected = check(given[name])
    if (expected) throw mismatch(name, expected, given[name])
  }
  const unknown = Object.keys(given).find(name => !Object.hasOwn(fields, name))
  if (unknown !== undefined)
    throw new InvalidEvent({
      code: 'unknown-field',
      params: { type: String(type), field: unknown, known: Object.keys(fields) },
    })
  const fault = ['output', 'change', 'input']
    .map(name => (given[name] === undefined ? undefined : notJsonAt(given[name], name)))
    .find(Boolean)
  if (fault) throw new InvalidEvent({ code: 'event-not-json', params: { fault } })
  const size = JSON.stringify(event).length
  if (size > SIZE_MAX)
    throw new InvalidEvent({
      code: 'event-too-large',
      params: { characters: size, limit: SIZE_MAX },
    })
  return event as Command
}

function mismatch(path: string | undefined, expected: string, received: unknown): InvalidEvent {
  const params = { ...(path === undefined ? {} : { path }), expected, received: shown(received) }
  return new InvalidEvent({ code: 'invalid-event', params })
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) ? 'an array' : 'an object'
}
