/** Records of the AI SDK: the steps of a run, messages for a model, or messages for a user interface. */
import type { Act } from '../../core/watch/trace-watcher.ts'
import { agentText, contentText, isMap, jsonText, mapAt, toolAnswer, toolCall } from './fields.ts'
import { type Skip, type Item, type Fields, userText } from './fields.ts'
import type { Dialect } from './conversation.ts'

export const AI_SDK: Dialect = {
  lists: ['steps', 'messages'],
  item: 'a step as {"text", "toolCalls", "toolResults"}',
  acts(item, skip) {
    const { role, content } = item.fields
    if (typeof role === 'string') return messageActs(item, skip)
    if (!['content', 'text', 'toolCalls', 'toolResults'].some(part => part in item.fields))
      throw item.expected(AI_SDK.item)
    if (Array.isArray(content)) return stepActs(item.items('content', 'a part'))
    const typed = (name: string, type: string) =>
      item.items(name, 'a part').map(part => part.with({ type, ...part.fields }))
    return [
      ...agentText(item.optional('text') ?? ''),
      ...stepActs([...typed('toolCalls', 'tool-call'), ...typed('toolResults', 'tool-result')]),
    ]
  },
}

/** A message with `parts` is for a user interface. Any other message is for a model. */
function messageActs(item: Item, skip: Skip): readonly Act[] {
  const { role, parts, content } = item.fields
  switch (role) {
    case 'user':
      return userText(contentText(parts ?? content))
    case 'assistant':
    case 'tool':
      if ('parts' in item.fields) return shownSteps(item.items('parts', 'a part')).flatMap(stepActs)
      if (typeof content === 'string') return agentText(content)
      return stepActs(item.items('content', 'a part'))
    case 'system':
      return []
    default:
      return skip(item.text('role'))
  }
}

/** All calls of a step precede its first answer. */
function stepActs(parts: readonly Item[]): readonly Act[] {
  const ofType = (type: string) => parts.filter(({ fields }) => fields.type === type)
  const texts = ofType('text').map(part => part.text('text'))
  // Before version 5, `input` and `output` were `args` and `result`.
  const calls = ofType('tool-call').map(part =>
    toolCall(part.text('toolCallId'), part.text('toolName'), part.fields.input ?? part.fields.args),
  )
  return [...agentText(texts.join('')), ...calls, ...parts.flatMap(answersOf)]
}

function answersOf(part: Item): readonly Act[] {
  const { type, preliminary, error } = part.fields
  if (type === 'tool-error') {
    const text = jsonText(isMap(error) && typeof error.message === 'string' ? error.message : error)
    return [toolAnswer(part.text('toolCallId'), false, text)]
  }
  // A preliminary result is progress and not yet the answer.
  if (type !== 'tool-result' || preliminary === true) return []
  const { ok, value } = outputOf(part.fields)
  return [toolAnswer(part.text('toolCallId'), ok, jsonText(value))]
}

/** In messages for a model, an output names its type. */
function outputOf({ output, result, isError }: Fields): { ok: boolean; value: unknown } {
  const typed = isMap(output) && OUTPUTS.test(jsonText(output.type))
  if (!typed || !('value' in output || 'reason' in output))
    return { ok: isError !== true, value: output ?? result }
  const { type, value, reason } = output
  return {
    ok: !jsonText(type).startsWith('e'),
    value: type === 'content' ? contentText(value) : (value ?? reason),
  }
}

const OUTPUTS = /^(text|json|content|error-text|error-json|execution-denied)$/

/** The steps of a message for a user interface, with parts in the form of a step. */
function shownSteps(parts: readonly Item[]): readonly (readonly Item[])[] {
  const steps: Item[][] = [[]]
  for (const part of parts) {
    if (part.fields.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(...modelParts(part.fields).map(fields => part.with(fields)))
  }
  return steps
}

/** The part of a tool contains its call and the state of the call. */
function modelParts(part: Fields): readonly Fields[] {
  const type = jsonText(part.type)
  if (type === 'tool-invocation' && isMap(part.toolInvocation))
    return toolParts(part.toolInvocation)
  if (type === 'dynamic-tool') return toolParts(part)
  return typeof part.toolCallId === 'string' && type.startsWith('tool-')
    ? toolParts({ ...part, toolName: type.slice('tool-'.length) })
    : [part]
}

function toolParts(tool: Fields): readonly Fields[] {
  const call = { ...tool, type: 'tool-call' }
  const failure = (error: unknown) => [call, { ...tool, type: 'tool-error', error }]
  switch (tool.state) {
    // The model is still writing the call.
    case 'input-streaming':
    case 'partial-call':
      return []
    case 'output-available':
    case 'result':
      return [call, { ...tool, type: 'tool-result' }]
    case 'output-error':
      return failure(tool.errorText)
    case 'output-denied':
      return failure(mapAt(tool, 'approval').reason ?? 'denied')
    default:
      return [call]
  }
}
