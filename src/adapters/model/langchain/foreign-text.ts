/**
 * Estimates what a model has written in events of another API than chat completions.
 *
 * The texts of all pieces add up. Hard case: the Responses API repeats each text in events that end a part, an item and the response.
 * Rejected: adding up the texts of all events, which counts an answer four times, and would exceed the usage that the endpoint reports.
 */
import { textsIn } from '../../../core/watch/event/written-length.ts'

/** Fields that describe an event, or repeat the request. */
const DESCRIPTION =
  /^(?:model|modelVersion|object|role|status|event|obfuscation|system_fingerprint|service_tier|(?:finish|stop)_?reason|instructions|tools|tool_choice|prompt|.*_id|.*Id)$/i

/** A longer piece of text has a blank. */
const ENCODED = /^\S{200}/

/** Gateways put an event of another service into `data`. Elsewhere, and without a blank, this field has encoded bytes. */
const textOfData = (data: unknown): string =>
  typeof data === 'string' && ENCODED.test(data) ? '' : textsIn([data], DESCRIPTION)

export class ForeignText {
  /** The characters for each type of event. All pieces are one type. */
  readonly #lengths = new Map<string, number>()
  #total = 0

  /** The text of an event beyond what earlier ones contained. */
  add(event: object): string {
    const { type, data } = event as { type?: unknown; data?: unknown }
    const text = textsIn(event, DESCRIPTION) + textOfData(data)
    const kind = /delta$/.test(`${type}`) ? 'delta' : `${type}`
    const length = (this.#lengths.get(kind) ?? 0) + text.length
    this.#lengths.set(kind, length)
    const more = Math.max(0, length - this.#total)
    this.#total += more
    return text.slice(text.length - more)
  }
}
