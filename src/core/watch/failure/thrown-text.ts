/** The text of anything thrown. Foreign values may have a message that is not a text, or no text at all. Never throws. */
import { fieldOf } from '../data/foreign-field.ts'

/** The message. Clients of HTTP services copy the message of an answer, which may be a list or a map. Empty if it is missing. */
export function messageOf(error: unknown): string {
  // The text of a function is its source, and its `toString` may throw.
  if (typeof error === 'function') return 'a function was thrown'
  if (typeof error !== 'object') return String(error)
  const message = fieldOf(error, 'message')
  return typeof message === 'string' ? message : dataText(message)
}

/** The message, or as much as is known of an error without one. `redact` removes secrets. */
export function thrownText(error: unknown, redact = <T>(value: T): T => value): string {
  if (error === undefined || error === null) return `${error} was thrown`
  const text = messageOf(error) || partsOf(error) || dataText(error)
  return text === '' ? 'an error without a message was thrown' : redact(text)
}

/** The messages in a list of errors (`AggregateError`), each once. */
function partsOf(error: unknown): string {
  const errors = fieldOf(error, 'errors')
  try {
    return Array.isArray(errors) ? [...new Set(errors.map(messageOf))].join('; ') : ''
  } catch {
    // A proxy throws.
    return ''
  }
}

/** A list of texts as a text, other data as JSON. */
function dataText(value: unknown): string {
  try {
    if (Array.isArray(value) && value.every(item => typeof item === 'string'))
      return value.join('; ')
    const json = JSON.stringify(value) ?? ''
    return json === '{}' || json === 'null' ? '' : json
  } catch {
    // The value contains itself, or a getter throws.
    return ''
  }
}
