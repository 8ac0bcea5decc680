/** Translates the events of one streamed answer. Those of another API have no answer that LangChain reads, but a cost. */
import { fieldOf } from '../../../core/watch/data/foreign-field.ts'
import { type EndpointCounts, countsIn } from '../../../core/watch/event/endpoint-usage.ts'
import { largestCounts } from '../../../core/watch/event/endpoint-usage.ts'
import { type Delta, deltaOfMessage, eventOfPart } from './endpoint-event.ts'
import { hasCounts, translateDelta, usageField } from './endpoint-event.ts'
import { isJson } from './endpoint-sse.ts'
import { ForeignText } from './foreign-text.ts'
import { ReportScanner } from './report-scanner.ts'

/** Whether an event may have a field of another name, or none of a delta. Parsing each event would cost more. */
const mayDiffer = (data: string): boolean =>
  data.length > DATA_MAX || !USUAL.test(data) || USAGE.test(data)

/** A delta with nothing but a role and a text. */
const USUAL =
  /"delta": ?\{(?:"(?:role|content)": ?"(?:[^"\\]|\\.)*"(?:, ?)?|"\w+": ?null(?:, ?)?)*\}/

const USAGE = /"usage(?:Metadata)?": ?\{/

/** Characters of an event that the patterns read. Longer ones are rare. */
const DATA_MAX = 4_096

/** The last data of a stream. */
export const END = '[DONE]'

interface Choice {
  readonly delta?: Delta | null
  readonly message?: Delta | null
  readonly finish_reason?: unknown
}

interface StreamedEvent {
  readonly type?: unknown
  readonly usage?: unknown
  readonly choices?: readonly Choice[] | null
}

export class AnswerTranslator {
  #hasDelta = false
  #hasOther = false
  #counts: EndpointCounts = {}
  #unreadable: string | undefined
  readonly #text = new ForeignText()

  /** Whether the answer consists of events of another API. */
  get isForeign(): boolean {
    return this.#hasOther && !this.#hasDelta
  }

  /** The first data that is not JSON. The client throws it, at the end: what comes after it has cost tokens, too. */
  get unreadable(): string | undefined {
    return this.#unreadable
  }

  /**
   * The data of an event, as LangChain reads it. The first delta gets the role: without it, LangChain loses the calls of the answer. A
   * usage without a choice gets one, because LangChain would hold it back until the end.
   */
  translate(data: string): string {
    if (this.#hasDelta && !mayDiffer(data)) return data
    try {
      const event = JSON.parse(data)
      // An error passes unchanged: the client throws it.
      return event.error ? data : (this.#translateEvent(event) ?? data)
    } catch {
      if (isJson(data)) return data
      if (data === END) return this.#unreadable ?? data
      this.#unreadable ??= data
      return eventOfPart(data)
    }
  }

  /** The data of an event that arrived without its end. It costs what arrived, but changes no answer that has come to its end. */
  translateRest(data: string, isBroken: boolean): string | undefined {
    if (isJson(data)) return this.translate(data)
    const isLost = (isBroken || !this.#hasDelta) && !END.startsWith(data)
    if (!isLost) return undefined
    const reports = new ReportScanner()
    reports.add(data)
    return eventOfPart(data, this.#usageOf(reports.counts))
  }

  #translateEvent(event: StreamedEvent): string | undefined {
    const [choice, ...others] = event.choices ?? []
    const usage = this.#usageIn(event, choice)
    const delta = this.#deltaIn(event, choice)
    if (!delta && !usage) return undefined
    const choices = [{ index: 0, ...choice, delta: delta ?? translateDelta({}) }, ...others]
    return JSON.stringify({ ...event, choices, ...(usage && { usage }) })
  }

  #deltaIn(event: StreamedEvent, choice: Choice | undefined): object | undefined {
    const { delta, message, finish_reason: finish } = choice ?? {}
    if (delta) {
      this.#hasDelta = true
      return translateDelta(delta)
    }
    if (this.#hasDelta) return undefined
    // Without the reason for its end, a message may be the whole text so far, or only its next piece.
    if (message && finish) {
      this.#hasDelta = true
      return deltaOfMessage(message)
    }
    // An empty list has the metadata of a request, or a usage.
    const text = event.choices && !choice ? '' : this.#text.add(choice ?? event)
    this.#hasOther ||= text !== '' || (event.type !== undefined && hasCounts(countsIn(event)))
    return text === '' ? undefined : { role: 'assistant', reasoning_content: text }
  }

  /** Events report the usage so far. Anthropic reports the input in the first, and the output in the last. */
  #usageIn(event: StreamedEvent, choice: Choice | undefined): object | undefined {
    const usage = this.#usageOf(largestCounts(countsIn(choice), countsIn(event)))
    const isUsual = fieldOf(event.usage, 'prompt_tokens') !== undefined
    return usage && isUsual ? (event.usage as object) : usage
  }

  /** The usage so far with these counts; undefined if they are empty. */
  #usageOf(counts: EndpointCounts): object | undefined {
    if (!hasCounts(counts)) return undefined
    this.#counts = largestCounts(this.#counts, counts)
    return usageField(this.#counts)
  }
}
