/** Validates commands: every event from outside is checked before it is stored. */
import { z } from 'zod'
import { guardOf } from '../../core/watch/data/fault.ts'
import { readBounded } from '../../core/watch/data/read-bounded.ts'
import { ReasonError, type Reason } from '../../core/watch/reason/reason.ts'
import { CHOSEN_RUNGS, DECISIONS, type PersonEvent } from '../../core/watch/event/event.ts'
import { CLASSES } from '../../core/watch/failure/failure-class.ts'
import { TIME_MAX } from '../../core/watch/data/duration.ts'
import { type Json, defined, isMap, notJsonAt } from '../../core/watch/data/json.ts'

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

const text = z.string({ error: 'a string' })
const map = z.record(z.string(), z.unknown(), { error: 'an object' })
const oneOf = <const W extends readonly string[]>(words: W) =>
  z.enum(words, { error: `one of ${words.join(', ')}` })

const COMMAND = { command: text.optional() }
const TIME = { error: 'a time in ms' }
const TIMED = { at: z.number(TIME).min(0, TIME).max(TIME_MAX, TIME).optional(), ...COMMAND }

const STATE = { error: '1 to 1000 names of states' }
const FINDING = { error: 'a finding of the thread' }
const TEXTS = z.array(z.string(FINDING), FINDING)
const DISMISSED = {
  id: z.string(FINDING),
  signs: TEXTS,
  states: TEXTS,
  detector: z.string(FINDING).optional(),
  members: TEXTS.optional(),
}
const STATES = z.array(z.string(STATE), STATE).min(1, STATE).max(1_000, STATE)
const TIMES = { error: 'a number from 1 to 1000' }

const SCHEMAS: Readonly<Record<Command['type'], z.ZodObject>> = {
  resume: z.strictObject({
    effect: text,
    decision: oneOf(DECISIONS),
    to: text.optional(),
    rung: oneOf(CHOSEN_RUNGS).optional(),
    output: z.unknown().optional(),
    note: text.optional(),
    by: text.optional(),
    ...TIMED,
  }),
  cancel: z.strictObject({ reason: text, ...TIMED }),
  message: z.strictObject({ input: map, ...TIMED }),
  pause: z.strictObject({
    reason: text.optional(),
    before: text.optional(),
    inherited: z.int({ error: 'the number of an event' }).optional(),
    ...TIMED,
  }),
  continue: z.strictObject(TIMED),
  step: z.strictObject({ until: STATES.optional(), ...TIMED }),
  escape: z.strictObject({
    rung: oneOf(CHOSEN_RUNGS),
    to: text.optional(),
    note: text.optional(),
    ...TIMED,
  }),
  stop: z.strictObject({ reason: text, ...TIMED }),
  dismiss: z.strictObject({
    finding: z.looseObject(DISMISSED, FINDING),
    ...TIMED,
  }),
  inject: z.strictObject({
    kind: oneOf(['tool', 'model']),
    name: text,
    class: oneOf(CLASSES).optional(),
    message: text.optional(),
    result: z.unknown().optional(),
    times: z.int(TIMES).min(1, TIMES).max(1_000, TIMES),
    ...TIMED,
  }),
  'child.ended': z.strictObject({ effect: text, call: text, thread: text, ...COMMAND }),
  'deadlock.found': z.strictObject({
    ...{ effect: text, call: text, since: z.int({ error: 'the number of an event' }) },
    ...{ threads: z.array(text, { error: 'names of threads' }), escapes: z.boolean() },
    ...TIMED,
  }),
  'policy.change': z.strictObject({ change: map, ...TIMED }),
}

/** @throws InvalidEvent with the path of the fault. */
export function personEvent(event: unknown): Command {
  if (!isMap(event)) throw mismatch(undefined, 'an event', event)
  const { type, ...given } = event
  if (typeof type !== 'string' || !Object.hasOwn(SCHEMAS, type))
    throw mismatch('type', `one of ${Object.keys(SCHEMAS).join(', ')}`, type)
  const schema = SCHEMAS[type as Command['type']]
  const [issue] = readBounded(schema, given).issues ?? []
  if (issue?.code === 'unrecognized_keys') {
    const [field = ''] = issue.keys
    const params = { type, field, known: Object.keys(schema.shape) }
    throw new InvalidEvent({ code: 'unknown-field', params })
  }
  const path = issue && String(issue.path[0])
  if (path !== undefined) throw mismatch(path, issue?.message ?? '', given[path])
  const { class: failureClass, message, result } = given
  const isFault = failureClass !== undefined && message !== undefined
  if (type === 'inject' && (result === undefined ? !isFault : (failureClass ?? message)))
    throw mismatch('result', 'a class and a message, or a result', result)
  const fault = notJsonAt(defined(given))
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
