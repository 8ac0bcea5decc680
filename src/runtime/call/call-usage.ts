/** What the attempts of a model call cost: the usage that the endpoint reports, or an estimate. */
import { type ReportedUsage, type Usage, cost } from '../../core/watch/event/call-event.ts'
import { isWholeUsage, readUsage, roundMoney } from '../../core/watch/event/call-event.ts'
import { fieldOf } from '../../core/watch/data/foreign-field.ts'
import { defined, jsonLength } from '../../core/watch/data/json.ts'
import type { ModelReply } from '../model-message.ts'
import type { Model, ModelRequest } from '../ports.ts'

/** What an attempt received before it ended: its reply, or the characters of its stream and the usage that came with them. */
interface Received {
  reply?: ModelReply
  usage?: ReturnType<typeof usageIn>
  /** Also without a character, a stream that began has cost its input. */
  characters?: number
}

export const NO_USAGE: Usage = { input: 0, output: 0, cached: 0, usd: 0 }

/** The usage of the attempts of one call. An abandoned attempt may still receive something beside the next one. */
export class CallUsage {
  readonly #attempts = new Map<number, Received>()
  readonly #model: Model
  readonly #request: ModelRequest

  constructor(model: Model, request: ModelRequest) {
    this.#model = model
    this.#request = request
  }

  /** Begins an attempt. */
  begin(attempt: number): Received {
    const received = {}
    this.#attempts.set(attempt, received)
    return received
  }

  /** Whether the endpoint began to answer. */
  hasBegun(attempt: number): boolean {
    const { usage, characters } = this.#received(attempt)
    return usage !== undefined || characters !== undefined
  }

  /** What an attempt has cost so far. */
  of(attempt: number): Usage {
    return usageOf(this.#model, this.#request, this.#received(attempt))
  }

  /** What an attempt has cost beyond `booked`; `undefined` if that is nothing. */
  beyond(attempt: number, booked = NO_USAGE): Usage | undefined {
    const received = this.#received(attempt)
    const isReported = (finalUsage(received) ?? received.usage) !== undefined
    if (!isReported && (!received.reply || booked !== NO_USAGE)) return undefined
    const { estimated, ...whole } = this.of(attempt)
    const rest = (key: keyof typeof whole) => Math.max(0, whole[key] - booked[key])
    const [input, output, cached] = [rest('input'), rest('output'), rest('cached')]
    const usd = roundMoney(rest('usd'))
    if (input + output + usd === 0) return undefined
    return { input, output, cached, usd, ...defined({ estimated }) }
  }

  #received(attempt: number): Received {
    return this.#attempts.get(attempt) ?? {}
  }
}

/** Notes a part of a stream. */
export function receive(
  into: Received,
  characters: number,
  usage: ReportedUsage | undefined,
): void {
  into.characters = (into.characters ?? 0) + characters
  into.usage = usageIn(usage) ?? into.usage
}

/** Valid counts of a usage. */
function usageIn(usage: unknown): ReturnType<typeof readUsage> {
  const names = ['input', 'output', 'cached', 'total', 'reasoning']
  const counts = Object.fromEntries(names.map(name => [name, fieldOf(usage, name)]))
  return readUsage(counts as ReportedUsage)
}

const finalUsage = ({ reply }: Received) => usageIn(fieldOf(reply, 'usage'))

/**
 * The reported usage of a call, or an estimate: four characters a token, the providers' rule of thumb for English. Some endpoints
 * report the usage so far at the start of a stream. If the stream breaks, that leaves out what followed. Such a part is the least
 * that the call has cost.
 */
function usageOf(model: Model, request: ModelRequest, received: Received): Usage {
  const { reply, usage, characters = 0 } = received
  const final = finalUsage(received)
  const reported = final ?? usage
  const written = Math.max(characters, reply ? lengthOf(reply) : 0)
  const output = tokensOf(written)
  if (reported && isWholeUsage(reported, written) && (final || output <= reported.output))
    return { ...reported, usd: cost(model.price, reported) }
  const tokens = {
    input: reported?.input || inputOf(request),
    output: Math.max(output, reported?.output ?? 0),
    cached: reported?.cached ?? 0,
  }
  return { ...tokens, usd: cost(model.price, tokens), estimated: true }
}

/** The characters of a reply. A custom model may return another form. */
const lengthOf = ({ text, reasoning = '', calls }: ModelReply): number =>
  String(text).length + String(reasoning).length + (calls?.length ? jsonLength(calls) : 0)

/** The estimated tokens of a request, with the definitions of its tools. */
function inputOf({ system, messages, tools }: ModelRequest): number {
  const definitions = tools.map(({ name, description, parameters }) => [
    name,
    description,
    parameters,
  ])
  return tokensOf(system.length + jsonLength(messages) + (tools.length && jsonLength(definitions)))
}

const tokensOf = (characters: number): number => Math.ceil(characters / 4)
