/** Translates the events of one streamed answer. Those of another API have no answer that LangChain reads, but a cost. */
import { fieldOf } from '../../../core/watch/data/foreign-field.ts'
import { type EndpointCounts, countsIn } from '../../../core/watch/event/endpoint-usage.ts'
import { largestCounts } from '../../../core/watch/event/endpoint-usage.ts'
import { type Delta, deltaOfMessage, eventOfPart } from './endpoint-event.ts'
import { hasCounts, translateDelta, usageField } from './endpoint-event.ts'
import { isJson, type ServerEvent } from './endpoint-sse.ts'
import { ForeignText } from './foreign-text.ts'
import { ReportScanner } from './report-scanner.ts'

/** Whether an event may have a field of another name, or none of a delta. Parsing each event would cost more. */
const mayDiffer = (data: string): boolean =>
  data.length > DATA_MAX || !USUAL.test(data) || READ.test(data)

/** A delta with nothing but a role and a text. */
const USUAL =
  /"delta": ?\{(?:"(?:role|content)": ?"(?:[^"\\]|\\.)*"(?:, ?)?|"\w+": ?null(?:, ?)?)*\}/

/** The fields beside a delta that are read. */
const READ = /"usage(?:Metadata)?": ?\{|"error":(?! ?null)/

/** The reason for which an answer has ended; some endpoints send an empty one before. In a text, its quotes would have a backslash. */
const FINISH = /"finish_reason": ?"(?!"|null")/

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
  readonly error?: unknown
  readonly usage?: unknown
  readonly choices?: readonly Choice[] | null
}

/** An error that is a text, in the form that the client reads. */
const errorOf = (message: string): ServerEvent => ({
  name: 'error',
  data: JSON.stringify({ error: { message } }),
})

/** An event with a usage alone. */
const eventWith = (usage: object): ServerEvent => ({
  name: undefined,
  data: JSON.stringify({ choices: [{ index: 0, delta: translateDelta({}) }], usage }),
})

export class AnswerTranslator {
  #hasDelta = false
  #hasOther = false
  #hasEnded = false
  #isCut = false
  #counts: EndpointCounts = {}
  #error: ServerEvent | undefined
  #unreadable: string | undefined
  readonly #text = new ForeignText()

  /** Whether the answer consists of events of another API. */
  get isForeign(): boolean {
    return this.#hasOther && !this.#hasDelta
  }

  /** Whether an event broke off before the answer had ended. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** The first error that the endpoint has sent, unchanged. */
  get error(): ServerEvent | undefined {
    return this.#error
  }

  /** The first data that is not JSON. */
  get unreadable(): string | undefined {
    return this.#unreadable
  }

  /**
   * An event, as LangChain reads it. The first delta gets the role: without it, LangChain loses the calls of the answer. A usage without
   * a choice gets one, because LangChain would hold it back until the end. An error is kept, and so is data that is not JSON: the client
   * throws it, which has to wait, because what comes with it and after it has cost tokens, too.
   */
  translate(event: ServerEvent): ServerEvent | undefined {
    const { name, data } = event
    this.#hasEnded ||= FINISH.test(data)
    if (this.#hasDelta && name !== 'error' && !mayDiffer(data)) return event
    try {
      const parsed = JSON.parse(data)
      if (name !== 'error' && !parsed.error)
        return { name, data: this.#translateEvent(parsed) ?? data }
      this.#error ??= event
      return this.#usageOfError(parsed)
    } catch {
      if (isJson(data)) return event
      if (name === 'error') this.#error ??= errorOf(data)
      else this.#unreadable ??= data
      // A gateway that has lost its endpoint ends the event, and may send others.
      return { name: undefined, data: eventOfPart(data, this.#usageInPart(data)) }
    }
  }

  /** An event that arrived without its end. It costs what arrived, but of an answer that has ended nothing else than its usage was missing. */
  translateRest(event: ServerEvent, isBroken: boolean): ServerEvent | undefined {
    const { name, data } = event
    if (isJson(data)) return this.translate(event)
    if (END.startsWith(data)) return undefined
    const usage = this.#usageInPart(data)
    if (this.#hasEnded && !isBroken && name !== 'error') return usage && eventWith(usage)
    this.#isCut = true
    if (name === 'error') this.#error ??= errorOf(data)
    return { name: undefined, data: eventOfPart(data, usage) }
  }

  #usageInPart(data: string): object | undefined {
    const reports = new ReportScanner()
    reports.add(data)
    return this.#usageOf(reports.end())
  }

  /** Without a usage nothing: an answer that is only an error has cost nothing. */
  #usageOfError(event: StreamedEvent): ServerEvent | undefined {
    const usage = this.#usageIn(event, event.choices?.[0])
    return usage && eventWith(usage)
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

  /**
   * Events report the usage so far, and the last one is right. In the form of chat completions it is the whole. Anthropic reports the input in
   * the first, and the output in the last.
   */
  #usageIn(event: StreamedEvent, choice: Choice | undefined): object | undefined {
    const counts = largestCounts(countsIn(choice), countsIn(event))
    const isWhole = fieldOf(event.usage, 'prompt_tokens') !== undefined && (counts.input ?? 0) > 0
    return this.#usageOf(counts, isWhole ? {} : this.#counts)
  }

  /** The usage so far with these counts; undefined if they are empty. */
  #usageOf(counts: EndpointCounts, before = this.#counts): object | undefined {
    if (!hasCounts(counts)) return undefined
    this.#counts = { ...before, ...counts }
    return usageField(this.#counts)
  }
}
