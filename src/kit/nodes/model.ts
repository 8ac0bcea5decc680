/** A node that asks a model. */
import type { WorkingNode } from '../../core/graph/spec/node.ts'
import type { ToolRequest } from '../../core/watch/event/call-event.ts'
import type { Message } from '../../runtime/model-message.ts'
import { done, failing } from '../../runtime/outcome.ts'
import type { Node } from '../../runtime/ports.ts'
import { endWithUserTurn, messagesIn, opens, openingMessage, withOpening } from '../messages.ts'
import { withRemaining, withoutDropped } from '../messages.ts'
import { systemPrompt } from '../prompt.ts'

type ModelSpec = Extract<WorkingNode, { use: 'model' }>
type Settings = Pick<ModelSpec, 'model' | 'prompt' | 'preamble' | 'command' | 'history'>

interface ModelNodeOptions extends Settings {
  readonly tools: readonly string[]
  /** The one of these tools that ends the task. */
  readonly completes?: string | undefined
  /** Whether its answers go to the channel of its `messages`. The opening message of a round then goes there, too. */
  readonly storesMessages: boolean
  /** Inputs that the model receives in addition to the goal and the messages. */
  readonly others: readonly string[]
}

/** `use: model` asks a model for the next step. Its outcome is `done.command` if the model requests tools, else `done.answer`. */
export function modelNode(options: ModelNodeOptions): Node {
  const { model, tools, completes, command, history, others, storesMessages } = options
  return async task => {
    const { outOfOrder, lessons, input, round, remaining } = task
    const isLast = remaining?.isLast === true
    // A tool that is out of order is offered only if a substitute answers.
    const usable = isLast ? tools.filter(name => name === completes) : tools
    const unavailable = usable.flatMap(tool =>
      outOfOrder[tool] ? [{ tool, ...outOfOrder[tool] }] : [],
    )
    const missing = unavailable.flatMap(({ tool, instead }) => (instead ? [] : [tool]))
    const offered = usable.flatMap(name => (missing.includes(name) ? [] : (task.tools[name] ?? [])))
    const first = openingMessage(input, others)
    const isWrite = (tool: string) => task.tools[tool]?.effects === 'write'
    const rest = withoutDropped(messagesIn(input), task.forgotten, isWrite)
    const conversation = withOpening(rest, first, round)
    const answer = await task.ask(model, {
      system: systemPrompt({ ...options, lessons, tools: offered, outOfOrder: unavailable }),
      messages: withRemaining(endWithUserTurn(conversation, command, history), remaining),
      tools: offered,
      command: isLast && offered.length === 0 ? 'optional' : command,
      ...(isLast ? { reserve: true } : {}),
    })
    if (!answer.ok) return failing(answer.failure)
    const { call, text } = answer.value
    const isOffered = ({ tool }: ToolRequest) => offered.some(({ name }) => name === tool)
    const calls = isLast ? answer.value.calls.filter(isOffered) : answer.value.calls
    const message: Message = { role: 'assistant', content: text, calls, answer: call }
    const isOpening = storesMessages && first && !rest.some(stored => opens(stored, round))
    const stored = isOpening ? [{ ...first, round }, message] : message
    return done(calls.length > 0 ? 'command' : 'answer', { message: stored, text, calls })
  }
}
