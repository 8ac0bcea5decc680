/** The border for what people say: whatever comes in from outside is looked at before anything is kept of it. */
import { CHOSEN_RUNGS, DECISIONS, type PersonEvent } from '../../core/watch/event.ts'
import { type Json, notJsonAt } from '../../core/watch/json.ts'

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
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent'
  readonly code = 'invalid-event'
}

/** Whether an error is an `InvalidEvent`. */
export function isInvalidEvent(error: unknown): error is InvalidEvent {
  return error instanceof InvalidEvent
}

/** What a field must be, in words; `undefined` if it is. */
type Check = (value: unknown) => string | undefined

const text: Check = value => (typeof value === 'string' ? undefined : 'a text')
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
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'a map'

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
    throw new InvalidEvent(`expected an event, not ${shown(event)}`)
  const { type, ...given } = event as Readonly<Record<string, unknown>>
  const fields = Object.hasOwn(FIELDS, String(type)) ? FIELDS[type as Command['type']] : undefined
  if (!fields)
    throw new InvalidEvent(
      `type: expected one of ${Object.keys(FIELDS).join(', ')}, not ${shown(type)}`,
    )
  for (const [name, check] of Object.entries(fields)) {
    const expected = check(given[name])
    if (expected) throw new InvalidEvent(`${name}: expected ${expected}, not ${shown(given[name])}`)
  }
  const unknown = Object.keys(given).find(name => !Object.hasOwn(fields, name))
  if (unknown !== undefined)
    throw new InvalidEvent(
      `${unknown}: ${String(type)} has no such field; there are ${Object.keys(fields).join(', ')}`,
    )
  const fault = ['output', 'change', 'input']
    .map(name => (given[name] === undefined ? undefined : notJsonAt(given[name], name)))
    .find(Boolean)
  if (fault) throw new InvalidEvent(`${fault}, and cannot be kept as JSON`)
  const size = JSON.stringify(event).length
  if (size > SIZE_MAX)
    throw new InvalidEvent(`the event has ${size} characters; at most ${SIZE_MAX} are taken`)
  return event as Command
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}
