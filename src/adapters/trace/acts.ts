/** Acts as the readers of all formats make them. */
import type { Act } from '../../core/watch/normalize/act.ts'
import { textOf } from '../../core/watch/normalize/answer-features.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { isMap } from './fields.ts'

/** What an agent says. A blank text makes no act. */
export function spokenBy(text: string, by?: unknown): readonly Act[] {
  if (text.trim() === '') return []
  return [{ act: 'said', text, ...(typeof by === 'string' && by !== '' ? { by } : {}) }]
}

export function saidByPerson(text: string): readonly Act[] {
  return text === '' ? [] : [{ act: 'said', text, by: 'user', person: true }]
}

export function called(call: string | undefined, tool: string, args: unknown) {
  const id = call === undefined ? {} : { call }
  return { act: 'called', ...id, tool, args: (args ?? null) as Json } as const
}

export function answered(call: string | undefined, ok: boolean | null, text: string) {
  return { act: 'answered', ...(call === undefined ? {} : { call }), ok, text } as const
}

/** The text of a message, which is a text, or parts of which some are. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return jsonText(content)
  return content
    .map(part => (isMap(part) ? part[TEXT_FIELDS[String(part.type)] ?? ''] : part))
    .filter(text => typeof text === 'string')
    .join('\n')
}

/** The field that holds the text, by the type of the part. */
const TEXT_FIELDS: Readonly<Record<string, string>> = {
  text: 'text',
  input_text: 'text',
  output_text: 'text',
  refusal: 'refusal',
}

/** A text as it is, any other value as JSON. */
export function jsonText(value: unknown): string {
  return textOf((value ?? null) as Json)
}

/** JSON that is written in a text. A model may have written anything there: other texts stay as they are. */
export function parseArgs(given: unknown): Json {
  if (typeof given !== 'string') return (given ?? null) as Json
  try {
    return JSON.parse(given) as Json
  } catch {
    return given
  }
}
