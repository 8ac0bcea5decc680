/** Faults between an agent and an OpenAI-compatible endpoint. */
import type { Effect } from '../scenario/effect.ts'
import type { Injector } from '../inject/injector.ts'
import { delayOrFail } from '../inject/failing.ts'
import { askWith, type Habit } from '../inject/model-effects.ts'
import {
  type ChatRequest,
  type Completion,
  completionIn,
  completionText,
  emptyCompletion,
  withReply,
} from './chat-completion.ts'
import { PROXIED } from './proxy-faults.ts'

/** What the faults need for one request. */
export interface ModelRelay {
  readonly sleep: (ms: number) => Promise<void>
  /** The body of the answer of the endpoint. Rejects with its response if the endpoint refuses. */
  readonly read: () => Promise<string>
}

/** The effects that only delay a request, or make it fail. */
const FAILING: ReadonlySet<string> = new Set(['error', 'timeout', 'hang', 'latency'])
const changesReply = (effect: Effect) => !FAILING.has(Object.keys(effect)[0] ?? '')

export class ModelFaults {
  readonly #injector: Injector
  /** By model. */
  readonly #habits = new Map<string, Habit>()

  constructor(injector: Injector) {
    this.#injector = injector
  }

  /**
   * The body of a changed answer. `undefined`: the answer of the endpoint passes unchanged, and `learn` receives its body.
   * @throws the error of a fault that makes the request fail
   */
  async answer(request: ChatRequest, { sleep, read }: ModelRelay): Promise<string | undefined> {
    const { model } = request
    const met = this.#injector.meet('model', model, PROXIED)
    const habit = this.#habitOf(model)
    if (habit.repeats === 0 && !met.hits.some(({ effect }) => changesReply(effect))) {
      await delayOrFail(met, { sleep })
      return undefined
    }
    const key = `proxy/${model}/${met.index}`
    let fresh: Completion | undefined
    const call = { sleep, idempotencyKey: key }
    const reply = await askWith(met, { request: UNREAD, call, habit }, async () => {
      fresh = completionIn(await read(), key)
      return fresh.reply
    })
    const raw = fresh?.raw ?? emptyCompletion(model, `chatcmpl-${met.index}`)
    return completionText(withReply(raw, reply), request)
  }

  /** Remembers an answer that passed, for a fault that repeats it. An answer that is not a completion is not remembered. */
  learn({ model }: ChatRequest, body: string): void {
    try {
      this.#habitOf(model).last = completionIn(body, `proxy/${model}`).reply
    } catch {
      // The agent has the same text, and it is its matter.
    }
  }

  #habitOf(model: string): Habit {
    const known = this.#habits.get(model) ?? { repeats: 0 }
    this.#habits.set(model, known)
    return known
  }
}

/** No effect at a proxy reads the request. */
const UNREAD = { system: '', messages: [], tools: [] }
