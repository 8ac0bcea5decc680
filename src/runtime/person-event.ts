/** The border for what people say: whatever comes in from outside is looked at before anything is kept of it. */
import type { Decision, PersonEvent } from '../core/watch/event.ts'
import { notJsonAt } from '../core/watch/json.ts'

/** What may be answered to a question. */
export const DECISIONS: readonly Decision[] = ['approved', 'rejected', 'edited', 'applied', 'not-applied', 'stop']

/** Characters of an event as JSON. */
const SIZE_MAX = 1_048_576

/** Something was submitted that nobody can say to a thread. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent'
}

/** What a field must be, in words; `undefined` if it is. */
type Check = (value: unknown) => string | undefined

const text: Check = value => (typeof value === 'string' ? undefined : 'a text')
const optional: Check = value => (value === undefined ? undefined : text(value))
const oneOf =
  (words: readonly string[]): Check =>
  value =>
    words.includes(value as string) ? undefined : `one of ${words.join(', ')}`
const anything: Check = () => undefined

const FIELDS: Readonly<Record<PersonEvent['type'], Readonly<Record<string, Check>>>> = {
  resume: { effect: text, decision: oneOf(DECISIONS), to: optional, output: anything, note: optional, command: optional },
  cancel: { reason: text, command: optional },
}

/** @throws InvalidEvent naming the path of the fault. */
export function personEvent(event: unknown): PersonEvent {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) throw new InvalidEvent(`expected an event, not ${shown(event)}`)
  const { type, ...given } = event as Readonly<Record<string, unknown>>
  const fields = Object.hasOwn(FIELDS, String(type)) ? FIELDS[type as PersonEvent['type']] : undefined
  if (!fields) throw new InvalidEvent(`type: expected one of ${Object.keys(FIELDS).join(', ')}, not ${shown(type)}`)
  for (const [name, check] of Object.entries(fields)) {
    const expected = check(given[name])
    if (expected) throw new InvalidEvent(`${name}: expected ${expected}, not ${shown(given[name])}`)
  }
  const unknown = Object.keys(given).find(name => !Object.hasOwn(fields, name))
  if (unknown !== undefined) throw new InvalidEvent(`${unknown}: ${String(type)} has no such field; there are ${Object.keys(fields).join(', ')}`)
  const fault = given.output === undefined ? undefined : notJsonAt(given.output, 'output')
  if (fault) throw new InvalidEvent(`${fault}, and cannot be kept as JSON`)
  const size = JSON.stringify(event).length
  if (size > SIZE_MAX) throw new InvalidEvent(`the event has ${size} characters; at most ${SIZE_MAX} are taken`)
  return event as PersonEvent
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value.slice(0, 80)}'` : value === null || typeof value !== 'object' ? String(value) : Array.isArray(value) ? 'a list' : 'an object'
}
