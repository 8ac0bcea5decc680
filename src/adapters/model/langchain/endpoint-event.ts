/** Puts what endpoints send into the fields that LangChain reads: it drops all others, with what they cost. */
import { fieldOf } from '../../../core/watch/data/foreign-field.ts'
import type { ReportedUsage } from '../../../core/watch/event/call-event.ts'
import { type EndpointCounts, usageOfCounts } from '../../../core/watch/event/endpoint-usage.ts'
import { countsIn, largestCounts } from '../../../core/watch/event/endpoint-usage.ts'
import { textBeside, textsIn } from '../../../core/watch/event/written-length.ts'
import type { ReportScanner } from './report-scanner.ts'

/** An answer in one piece as an event. `undefined`: not an answer. */
export function eventOfAnswer(text: string): string | undefined {
  try {
    const { choices, ...answer } = JSON.parse(text)
    const deltas = choices.map(({ message, ...choice }: { message: Delta }) => ({
      ...choice,
      delta: deltaOfMessage(message),
    }))
    const counts = countsIn(answer)
    const usage = hasCounts(counts) ? { usage: usageField(counts) } : {}
    return JSON.stringify({ ...answer, choices: deltas, ...usage })
  } catch {
    return undefined
  }
}

/** The usage of a JSON that is not an answer of chat completions, as an event. `undefined`: it reports none. */
export function eventOfUsage(text: string): string | undefined {
  const counts = reportedIn(text)
  return hasCounts(counts)
    ? JSON.stringify({ choices: [{ index: 0, delta: {} }], usage: usageField(counts) })
    : undefined
}

/** The usage of these counts, with the names that LangChain reads. */
export function usageField(counts: EndpointCounts): object {
  const { input, output, total, cached, reasoning }: ReportedUsage = usageOfCounts(counts) ?? {}
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

export const hasCounts = (counts: EndpointCounts): boolean => usageOfCounts(counts) !== undefined

/** Gemini sends the events of a stream as a list, unless asked for server-sent events. */
function reportedIn(text: string): EndpointCounts {
  try {
    return [JSON.parse(text)].flat().map(countsIn).reduce(largestCounts, {})
  } catch {
    return {}
  }
}

/** What has arrived so far of an answer in one piece, as its usage: as it reports, or four characters are a token. */
export function eventOfArrived(characters: number, { counts, isStream }: ReportScanner): string {
  const estimate = { output: Math.ceil(characters / 4) }
  const isKnown = (counts.output ?? counts.total) !== undefined
  const arrived = isStream || !isKnown ? largestCounts(estimate, counts) : counts
  return JSON.stringify({
    choices: [{ index: 0, delta: { role: 'assistant', content: '' } }],
    usage: usageField(arrived),
  })
}

/** An event that broke off: what arrived has cost tokens. */
export const eventOfPart = (text: string, usage?: object): string =>
  JSON.stringify({
    choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: text } }],
    usage,
  })

/** The fields of a delta or a message that are read by their names. */
export interface Delta {
  readonly role?: unknown
  readonly content?: unknown
  readonly refusal?: unknown
  readonly tool_calls?: readonly object[]
}

/** LangChain passes these fields on, but for a refusal, which becomes the text of its answer. */
const PASSED = ['refusal', 'function_call', 'audio']

/** A whole message as one delta. */
export function deltaOfMessage(message: Delta): object {
  const calls = message.tool_calls?.map((call, index) => ({ index, ...call }))
  return translateDelta({ ...message, tool_calls: calls })
}

export function translateDelta({ role = 'assistant', content, ...delta }: Delta): object {
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
