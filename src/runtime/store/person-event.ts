/** Validates commands: every event from outside is checked before it is stored. */
import { guardOf } from '../../core/watch/data/fault.ts'
import { ReasonError, type Reason } from '../../core/watch/reason/reason.ts'
import { CHOSEN_RUNGS, DECISIONS } from '../../core/watch/event/event.ts'
import type { Dismissed, PersonEvent } from '../../core/watch/event/event.ts'
import { CLASSES } from '../../core/watch/failure/failure.ts'
import { type Json, notJsonAt, defined } from '../../core/watch/data/json.ts'

/** An event that can be submitted to a thread. The journal holds `policy.change` as the resulting policy: `policy.changed`. */
export type Command = PersonCommand & {
  /** When the person acted, in ms by the thread's clock; default: when the command is taken. Deadlines of decisions use it. */
  readonly at?: number
}

type PersonCommand =
  | PersonEvent
  | { readonly type: 'policy.change'; readonly change: Json; readonly command?: string }

/** Characters of an event as JSON. */
const SIZE_MAX = 1_048_576

/** The submitted event is not valid. */
export class InvalidEvent extends ReasonError {
  readonly code = 'invalid-event'
  constructor(reason: Reason) {
    super('InvalidEvent', reason)
  }
}

/** Whether an error is an `InvalidEvent`. */
export const isInvalidEvent = guardOf(InvalidEvent)

/** Returns what a field must be, or `undefined` for a valid value. */
type Check = (value: unknown) => string | undefined

const text: Check = value => (typeof value === 'string' ? undefined : 'a string')
const time: Check = value => (Number.isFinite(value) ? undefined : 'a time in ms')
const anything: Check = () => undefined
const map: Check = value =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'an object'

const oneOf =
  (words: readonly string[]): Check =>
  value =>
    words.includes(value as string) ? undefined : `one of ${words.join(', ')}`

const optional =
  (check: Check): Check =>
  value =>
    value === undefined ? undefined : check(value)

const isCount = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1000

const dismissed: Check = value => {
  const { id, signs, states } = (value ?? {}) as Partial<Dismissed>
  const isList = (list: unknown) => Array.isArray(list) && list.every(each => !text(each))
  return !text(id) && isList(signs) && isList(states) ? undefined : 'a finding of the thread'
}

const COMMAND = { command: optional(text) }
const TIMED = { at: optional(time), ...COMMAND }

const FIELDS: Readonly<Record<Command['type'], Readonly<Record<string, Check>>>> = {
  resume: {
    effect: text,
    decision: oneOf(DECISIONS),
    to: optional(text),
    rung: optional(oneOf(CHOSEN_RUNGS)),
    output: anything,
    note: optional(text),
    ...TIMED,
  },
  cancel: { reason: text, ...TIMED },
  message: { input: map, ...TIMED },
  pause: { reason: optional(text), before: optional(text), ...TIMED },
  continue: TIMED,
  step: TIMED,
  escape: { rung: oneOf(CHOSEN_RUNGS), to: optional(text), note: optional(text), ...TIMED },
  stop: { reason: text, ...TIMED },
  dismiss: { finding: dismissed, ...TIMED },
  inject: {
    kind: oneOf(['tool', 'model']),
    name: text,
    class: oneOf(CLASSES),
    message: text,
    times: value => (isCount(value) ? undefined : 'a number from 1 to 1000'),
    ...TIMED,
  },
  'child.ended': { effect: text, call: text, thread: text, ...COMMAND },
  'policy.change': { change: map, ...TIMED },
}

/** @throws InvalidEvent with the path of the fault. */
export function personEvent(event: unknown): Command {
  if (map(event)) throw mismatch(undefined, 'an event', event)
  const { type, ...given } = event as Readonly<Record<string, unknown>>
  const unknown = oneOf(Object.keys(FIELDS))(type)
  if (unknown) throw mismatch('type', unknown, type)
  const fields = FIELDS[type as Command['type']]
  for (const [name, check] of Object.entries(fields)) {
    const expected = check(given[name])
    if (expected) throw mismatch(name, expected, given[name])
  }
  const field = Object.keys(given).find(name => !Object.hasOwn(fields, name))
  if (field !== undefined)
    throw new InvalidEvent({
      code: 'unknown-field',
      params: { type: String(type), field, known: Object.keys(fields) },
    })
  const fault = ['output', 'change', 'input', 'finding']
    .map(name => (given[name] === undefined ? undefined : notJsonAt(given[name], name)))
    .find(Boolean)
  if (fault) throw new InvalidEvent({ code: 'event-not-json', params: { fault } })
  const characters = JSON.stringify(event).length
  if (characters > SIZE_MAX)
    throw new InvalidEvent({ code: 'event-too-large', params: { characters, limit: SIZE_MAX } })
  return event as Command
}

function mismatch(path: string | undefined, expected: string, received: unknown): InvalidEvent {
  const params = { ...defined({ path }), expected, received: shown(received) }
  return new InvalidEvent({ code: 'invalid-event', params })
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) ? 'an array' : 'an object'
}
