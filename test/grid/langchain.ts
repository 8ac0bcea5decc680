/** `createAgent` of langchain 1.x, with its own retry middleware. */
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { createAgent, HumanMessage, tool, toolRetryMiddleware } from 'langchain'
import { z } from 'zod'
import { watch } from '../../src/adapters/wrap/langchain.ts'
import type { Seen, View } from './agent.ts'
import { type Loop, resultOf, type Talk, TURNS } from './arm.ts'

export class Scripted extends BaseChatModel {
  readonly #talk: Talk
  #calls = 0
  constructor(talk: Talk) {
    super({})
    this.#talk = talk
  }
  _llmType(): string {
    return 'scripted'
  }
  override bindTools(): this {
    return this
  }
  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const next = this.#talk.move(viewOf(messages))
    const id = `call-${this.#calls++}`
    const message =
      'say' in next
        ? new AIMessage(next.say)
        : new AIMessage({
            content: '',
            tool_calls: [{ id, name: next.tool, args: { ...next.args }, type: 'tool_call' }],
          })
    return { generations: [{ text: message.text, message }] }
  }
}

function viewOf(messages: readonly BaseMessage[]): View {
  const system = messages.flatMap(of => (of.type === 'system' ? of.text : [])).join('\n')
  const [opening, ...others] = messages.filter(({ type }) => type !== 'system')
  const seen = others.flatMap((of): Seen[] => {
    if (of.type === 'human') return [{ kind: 'note', text: of.text }]
    return ToolMessage.isInstance(of) ? [resultOf(of.name ?? '', of.text)] : []
  })
  return { system, opening: opening?.text ?? '', seen }
}

const RETRIES = { maxRetries: 2, initialDelayMs: 0, maxDelayMs: 1, jitter: false }

export const langchain: Loop = {
  name: 'langchain',
  async talk(talk, guarding) {
    const { opening, substitutes } = talk
    const tools = Object.entries(talk.tools).map(([name, run]) =>
      tool(run, { name, description: name, schema: z.looseObject({}) }),
    )
    const guard = guarding ? [watch({ ...guarding, substitutes })] : []
    const retry = toolRetryMiddleware(RETRIES)
    const agent = createAgent({
      model: new Scripted(talk),
      tools,
      middleware: [...guard, ...(RETRIES.maxRetries > 0 ? [retry] : [])],
    })
    // A model call and its tools are two steps; the hooks of a middleware are further steps.
    const recursionLimit = guarding ? 10 * TURNS : 2 * TURNS
    try {
      const messages = [new HumanMessage(opening)]
      const result: { messages: BaseMessage[]; watchdog?: { ended?: string } } = await agent.invoke(
        { messages },
        { recursionLimit },
      )
      return result.watchdog?.ended === undefined ? result.messages.at(-1)?.text : undefined
    } catch {
      return undefined
    }
  },
}
