/** Builds acts from the values that the readers of all formats find. */
import type { Act } from '../../core/watch/normalize/act.ts'
import { textOf } from '../../core/watch/normalize/answer-features.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { isMap } from './fields.ts'

/** A text of the agent. A blank text is not an act. */
export function agentText(text: string, by?: unknown): readonly Act[] {
  if (text.trim() === '') return []
  return [{ act: 'said', text, ...(typeof by === 'string' && by !== '' ? { by } : {}) }]
}

export function userText(text: string): readonly Act[] {
  return text === '' ? [] : [{ act: 'said', text, by: 'user', person: true }]
}

export function toolCall(call: string | undefined, tool: string, args: unknown) {
  const id = call === undefined ? {} : { call }
  return { act: 'called', ...id, tool, args: (args ?? null) as Json } as const
}

export function toolAnswer(call: string | undefined, ok: boolean | null, text: string) {
  return { act: 'answered', ...(call === undefined ? {} : { call }), ok, text } as const
}

/** The text of a message. Its content is a text or a list of parts. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return jsonText(content)
  return content
    .map(part => (isMap(part) ? part[TEXT_FIELDS[String(part.type)] ?? ''] : part))
    .filter(text => typeof text === 'string')
    .join('\n')
}

/** The field with the text, by the type of the part. */
const TEXT_FIELDS: Readonly<Record<string, string>> = {
  text: 'text',
  input_text: 'text',
  output_text: 'text',
  refusal: 'refusal',
}

/** A text unchanged, any other value as JSON. */
export function jsonText(value: unknown): string {
  return textOf((value ?? null) as Json)
}

/** Parses JSON in a text. Models also write invalid JSON there: such a text stays unchanged. */
export function parseArgs(given: unknown): Json {
  if (typeof given !== 'string') return (given ?? null) as Json
  try {
    return JSON.parse(given) as Json
  } catch {
    return given
  }
}
