import { failing, done } from '../../runtime/outcome.ts'
import type { Message } from '../../runtime/model-message.ts'
import type { Node } from '../../runtime/ports.ts'
import {
  endWithUserTurn,
  messagesIn,
  openingMessage,
  withoutDropped,
  truncated,
} from '../messages.ts'
import { systemPrompt } from '../prompt.ts'

export interface ModelNodeOptions {
  readonly model: string
  readonly prompt?: string | undefined
  /** Replaces the rules after the prompt; false: none. */
  readonly preamble?: false | string | undefined
  /** The names of the tools it may ask for. */
  readonly tools: readonly string[]
  /** Of these, the one that ends the task. */
  readonly completes?: string | undefined
  readonly command: 'required' | 'optional'
  /** The most messages sent. */
  readonly history: number
  /** Inputs beside the goal and the messages that the model is told. */
  readonly others: readonly string[]
}

/** `use: model` asks a model for the next step. Its outcome is `done.command` if the model asks for tools, else `done.answer`. */
export function modelNode({
  model,
  prompt,
  preamble,
  tools,
  completes,
  command,
  history,
  others,
}: ModelNodeOptions): Node {
  return async task => {
    const { outOfOrder } = task
    // What is out of order is not offered, unless another answers in its place.
    const offered = tools.flatMap(name =>
      outOfOrder[name] && !outOfOrder[name].instead ? [] : (task.tools[name] ?? []),
    )
    const first = openingMessage(task.input, others)
    const writes = (tool: string) => task.tools[tool]?.effects === 'write'
    const messages = [
      ...(first ? [first] : []),
      ...withoutDropped(messagesIn(task.input), task.forgotten, writes),
    ]
    const answer = await task.ask(model, {
      system: systemPrompt({
        prompt,
        preamble,
        tools: offered,
        completes,
        outOfOrder: tools.flatMap(name =>
          outOfOrder[name] ? [{ tool: name, ...outOfOrder[name] }] : [],
        ),
        lessons: task.lessons,
      }),
      messages: truncated(endWithUserTurn(messages, command), history),
      tools: offered,
      command,
    })
    if (!answer.ok) return failing(answer.failure)
    const { call, text, calls } = answer.value
    const message: Message = { role: 'assistant', content: text, calls, answer: call }
    return done(calls.length > 0 ? 'command' : 'answer', { message, text, calls })
  }
}
