/** The stream of a superstep: rows and tokens for `custom`, the text of models for `messages`. */
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager'
import { AIMessage, AIMessageChunk } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { getCallbackManagerForConfig } from '@langchain/core/runnables'
import type { LangGraphRunnableConfig } from '@langchain/langgraph'
import type { Row } from '../../core/run/run.ts'
import { argumentsObject } from '../../kit/model.ts'
import type { Live, LiveToken } from '../../runtime/ports.ts'
import { eventOf } from '../thread/thread.ts'

export interface SuperstepStream {
  readonly live: (update: Live) => void
  /** The rows so far. */
  readonly rows: readonly Row[]
  /** Resolves once all messages are delivered. */
  flush(): Promise<void>
}

/** `thread`: the thread whose rows belong to the superstep. Its children only stream. */
export function streamOf(config: LangGraphRunnableConfig, thread: string): SuperstepStream {
  const { writer, callbacks } = config
  const rows: Row[] = []
  const messages = callbacks ? new Messages(config) : undefined
  return {
    rows,
    live: update => {
      if (update.kind === 'delta') {
        messages?.token(update)
        writer?.(eventOf(update.thread, { kind: 'token', token: update }))
        return
      }
      for (const item of update.items) {
        if (update.thread === thread) rows.push(item.row)
        messages?.row(item.row)
        writer?.(eventOf(update.thread, { kind: 'row', ...item }))
      }
    },
    flush: async () => messages?.flush(),
  }
}

type Manager = CallbackManagerForLLMRun | undefined

/** Reports model calls to LangChain callbacks, from which LangGraph streams `messages`. */
class Messages {
  readonly #config: LangGraphRunnableConfig
  readonly #calls = new Map<string, Promise<Manager>>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(config: LangGraphRunnableConfig) {
    this.#config = config
  }

  token({ call, attempt, text }: LiveToken): void {
    // Text of a new attempt is another message: it replaces the one before.
    const id = attempt === 1 ? call : `${call}~${attempt}`
    const manager = this.#managerOf(call)
    this.#report(async () => {
      const chunk = new ChatGenerationChunk({
        text,
        message: new AIMessageChunk({ id, content: text }),
      })
      await (await manager)?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, {
        chunk,
      })
    })
  }

  row({ event }: Row): void {
    if (event.type !== 'model.done' && event.type !== 'model.failed') return
    const { call } = event
    const manager = this.#managerOf(call)
    this.#calls.delete(call)
    this.#report(async () => {
      if (event.type === 'model.failed') return (await manager)?.handleLLMError(event.failure)
      const { text, calls } = event
      const toolCalls = calls.map(({ id, tool: name, args }) => {
        return { id, name, args: argumentsObject(args), type: 'tool_call' as const }
      })
      const message = new AIMessage({ id: call, content: text, tool_calls: toolCalls })
      return (await manager)?.handleLLMEnd({ generations: [[{ text, message } as never]] })
    })
  }

  async flush(): Promise<void> {
    await this.#last
  }

  /** In order. An error of a viewer does not disturb the run. */
  #report(report: () => Promise<unknown>): void {
    this.#last = this.#last.then(report).catch(() => {})
  }

  #managerOf(call: string): Promise<Manager> {
    const known = this.#calls.get(call) ?? this.#open(call)
    this.#calls.set(call, known)
    return known
  }

  async #open(call: string): Promise<Manager> {
    const manager = await getCallbackManagerForConfig(this.#config)
    const serialized = { lc: 1, type: 'not_implemented' as const, id: ['escapement', call] }
    const [run] = (await manager?.handleChatModelStart(serialized, [[]])) ?? []
    return run
  }
}
