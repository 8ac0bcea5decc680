/** Puts what endpoints send into the fields that LangChain reads: it drops all others, with what they cost. */
import { fieldOf } from '../../../core/watch/data/foreign-field.ts'
import type { ReportedUsage } from '../../../core/watch/event/call-event.ts'
import { countsIn, usageOfCounts } from '../../../core/watch/event/endpoint-usage.ts'
import { textBeside, textsIn } from '../../../core/watch/event/written-length.ts'

/** Whether a line may be an event with a field of another name, or without a choice. Parsing each event would cost more. */
export const isForeign = (line: string): boolean => line.length > LINE_MAX || !USUAL.test(line)

/** A delta with nothing but a role and a text. */
const USUAL =
  /"delta": ?\{(?:"(?:role|content)": ?"(?:[^"\\]|\\.)*"(?:, ?)?|"\w+": ?null(?:, ?)?)*\}/

/** Characters of a line that the pattern reads. Longer ones are rare. */
const LINE_MAX = 4_096

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

/** The usage of a JSON that is not an answer of chat completions, as an event. `undefined`: it reports none. */
export function eventOfUsage(text: string): string | undefined {
  const reported = reportedIn(text)
  if (!reported) return undefined
  const { input, output, total, cached, reasoning } = reported
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
  return JSON.stringify({ choices: [{ index: 0, delta: {} }], usage })
}

function reportedIn(text: string): ReportedUsage | undefined {
  try {
    return usageOfCounts(countsIn(JSON.parse(text)))
  } catch {
    return undefined
  }
}

/** What has arrived so far of an answer in one piece, as its usage: four characters are a token. */
export const eventOfLength = (characters: number): string =>
  JSON.stringify({
    choices: [{ index: 0, delta: { role: 'assistant', content: '' } }],
    usage: { completion_tokens: Math.ceil(characters / 4) },
  })

/** An answer in one piece, or an event, that broke off: what arrived has cost tokens. */
export const eventOfPart = (text: string): string =>
  JSON.stringify({ choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: text } }] })

/** The fields of a delta or a message that are read by their names. */
interface Delta {
  readonly role?: unknown
  readonly content?: unknown
  readonly refusal?: unknown
  readonly tool_calls?: readonly object[]
}

/** LangChain passes these fields on, but for a refusal, which becomes the text of its answer. */
const PASSED = ['refusal', 'function_call', 'audio']

function translateDelta({ role = 'assistant', content, ...delta }: Delta): object {
  const reasoning = textBeside({ ...delta, content }, PASSED)
  const said = Array.isArray(content) ? textsIn(content.filter(isText)) : content
  return {
    ...delta,
    ...(Array.isArray(delta.tool_calls) && { tool_calls: delta.tool_calls.map(withText) }),
    role,
    content: said || delta.refusal || said,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
  }
}

/** Some endpoints send the arguments as JSON, and not as its text. */
function withText(call: object): object {
  const of = fieldOf(call, 'function')
  const args = fieldOf(of, 'arguments')
  if (typeof args !== 'object' || args === null) return call
  return { ...call, function: { ...(of as object), arguments: JSON.stringify(args) } }
}

const isText = (part: unknown): boolean => fieldOf(part, 'type') === 'text'
