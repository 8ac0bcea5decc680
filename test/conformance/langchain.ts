/** `createAgent` of langchain 1.x, with its own retry middleware, and a scripted chat model. */
import type { BaseMessage } from '@langchain/core/messages'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { ChatResult } from '@langchain/core/outputs'
import { AIMessage, createAgent, HumanMessage, tool, toolRetryMiddleware } from 'langchain'
import { z } from 'zod'
import { watch } from '../../src/adapters/wrap/langchain.ts'
import type { WatchdogState } from '../../src/core/watch/wrapped/state.ts'
import { Counted, type Framework } from './framework.ts'
import { wordsTo } from './scenario.ts'

interface Kept {
  readonly messages: BaseMessage[]
  readonly watchdog?: WatchdogState | undefined
}

class Scripted extends BaseChatModel {
  readonly #of: Counted
  constructor(of: Counted) {
    super({})
    this.#of = of
  }
  _llmType(): string {
    return 'scripted'
  }
  override bindTools(): this {
    return this
  }
  async _generate(): Promise<ChatResult> {
    const { text, calls = [] } = this.#of.say()
    const n = this.#of.modelCalls
    const message = new AIMessage({
      content: text,
      tool_calls: calls.map(({ tool, args }, index) => ({
        id: `call-${n}-${index}`,
        name: tool,
        args: { ...args },
        type: 'tool_call' as const,
      })),
    })
    return { generations: [{ text, message }] }
  }
}

export function langchain(retries = 2): Framework {
  return {
    name: 'langchain createAgent',
    async run(scenario, watched) {
      const of = new Counted(scenario)
      const tools = Object.entries(of.tools).map(([name, run]) =>
        tool(run, { name, description: name, schema: z.looseObject({}) }),
      )
      const retry = toolRetryMiddleware({
        maxRetries: retries,
        initialDelayMs: 0,
        maxDelayMs: 1,
        jitter: false,
      })
      const guard = watched
        ? [watch({ ...watched.options, now: watched.now, record: of.record })]
        : []
      const agent = createAgent({
        model: new Scripted(of),
        tools,
        middleware: [...guard, ...(retries > 0 ? [retry] : [])],
      })
      const words = wordsTo(scenario)
      let messages: BaseMessage[] = []
      let state = {}
      for (const word of words) {
        messages = [...messages, new HumanMessage(word)]
        try {
          // The hooks of a middleware are steps of the graph, so a watched agent needs more steps for the same turns.
          const result: Kept = await agent.invoke(
            { ...state, messages },
            watched ? { recursionLimit: 1_000 } : {},
          )
          state = result
          if (result.watchdog?.ended !== undefined)
            return of.outcome(`stopped (${result.watchdog.ended})`)
          messages = result.messages
        } catch (error) {
          return of.outcome((error as Error).name)
        }
      }
      return of.outcome(scenario.driven ? `${words.length} × "Go on."` : 'goal')
    },
  }
}
