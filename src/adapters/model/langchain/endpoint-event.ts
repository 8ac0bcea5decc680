/** Puts what endpoints send into the fields that LangChain reads: it drops all others, with what they cost. */
import { fieldOf } from '../../../core/watch/data/foreign-field.ts'

/** Whether a line may be an event with a field of another name, or without a choice. Parsing each event would cost more. */
export const isForeign = (line: string): boolean => FOREIGN.test(line)

const FOREIGN =
  /"(?:reasoning|reasoning_text|reasoning_details|refusal)"|"content"\s*:\s*\[|"choices"\s*:\s*\[\s*\]/

/**
 * An event of a stream, as LangChain reads it. The first delta gets the role: without it, LangChain loses the calls of the answer. A usage
 * without a choice gets one, because LangChain would hold it back until the end. `undefined`: not a delta.
 */
export function translateEvent(data: string): string | undefined {
  try {
    const event = JSON.parse(data)
    if (event.usage && event.choices?.length === 0) event.choices = [{ index: 0, delta: {} }]
    const [choice] = event.choices ?? []
    const { delta } = choice ?? {}
    if (typeof delta !== 'object' || delta === null) return undefined
    choice.delta = translateDelta(delta)
    return JSON.stringify(event)
  } catch {
    return undefined
  }
}

/** An answer in one piece as an event. `undefined`: not an answer. */
export function eventOfAnswer(text: string): string | undefined {
  try {
    const { choices, ...answer } = JSON.parse(text)
    const deltas = choices.map(({ message, ...choice }: { message: Delta }) => {
      const calls = message.tool_calls?.map((call, index) => ({ index, ...call }))
      return { ...choice, delta: translateDelta({ ...message, tool_calls: calls }) }
    })
    return JSON.stringify({ ...answer, choices: deltas })
  } catch {
    return undefined
  }
}

/** What a delta or a message has beside the fields that are passed on. */
interface Delta {
  readonly role?: unknown
  readonly content?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
  readonly reasoning_text?: unknown
  readonly reasoning_details?: unknown
  readonly refusal?: unknown
  readonly tool_calls?: readonly object[]
}

/** The fields of one delta repeat the same reasoning. A refusal is the text of its answer. */
function translateDelta({ role = 'assistant', content, ...delta }: Delta): object {
  const parts = Array.isArray(content) ? content : []
  const thoughts = [
    ...[delta.reasoning_content, delta.reasoning, delta.reasoning_text],
    textsIn(delta.reasoning_details, ['text', 'summary']),
    textsIn(parts.filter(part => fieldOf(part, 'type') === 'thinking').flatMap(thinkingOf), [
      'text',
    ]),
  ]
  const reasoning = thoughts.find(text => typeof text === 'string' && text !== '')
  const said = Array.isArray(content) ? textsIn(parts.filter(isText), ['text']) : content
  return {
    ...delta,
    role,
    content: said || delta.refusal || said,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
  }
}

const isText = (part: unknown): boolean => fieldOf(part, 'type') === 'text'

/** Mistral lists the parts of a thought, others send its text. */
function thinkingOf(part: unknown): readonly unknown[] {
  const thinking = fieldOf(part, 'thinking')
  return Array.isArray(thinking) ? thinking : [{ text: thinking }]
}

/** The texts of the parts in a list, joined. */
function textsIn(parts: unknown, names: readonly string[]): string {
  if (!Array.isArray(parts)) return ''
  return parts
    .map(
      part => names.map(name => fieldOf(part, name)).find(text => typeof text === 'string') ?? '',
    )
    .join('')
}
