/** What the AI SDK keeps: the steps of a run, the messages that a model is given, or those that users are shown. */
import type { Act } from '../../core/watch/normalize/act.ts'
import { answered, called, contentText, jsonText, saidByPerson, spokenBy } from './acts.ts'
import type { Dialect } from './conversation.ts'
import { type Fields, isMap, type Item, type Passed } from './fields.ts'

export const AI_SDK: Dialect = {
  lists: ['steps', 'messages'],
  item: 'a step as {"text", "toolCalls", "toolResults"}',
  acts(item, passed) {
    const { role, content } = item.fields
    if (typeof role === 'string') return message(item, passed)
    if (!PARTS.some(part => part in item.fields)) throw item.expected(AI_SDK.item)
    if (Array.isArray(content)) return stepActs(item.items('content', 'a part'))
    const typed = (name: string, type: string) =>
      item.items(name, 'a part').map(part => part.with({ type, ...part.fields }))
    const text = item.with({ type: 'text', text: item.optional('text') ?? '' })
    return stepActs([
      text,
      ...typed('toolCalls', 'tool-call'),
      ...typed('toolResults', 'tool-result'),
    ])
  },
}

const PARTS = ['content', 'text', 'toolCalls', 'toolResults']

/** A message with `parts` is one that users are shown, any other one that a model is given. */
function message(item: Item, passed: Passed): readonly Act[] {
  const { role, parts, content } = item.fields
  switch (role) {
    case 'user':
      return saidByPerson(contentText(parts ?? content))
    case 'assistant':
    case 'tool':
      if ('parts' in item.fields) return shownSteps(item.items('parts', 'a part')).flatMap(stepActs)
      if (typeof content === 'string') return spokenBy(content)
      return stepActs(item.items('content', 'a part'))
    case 'system':
      return []
    default:
      passed(item.text('role'))
      return []
  }
}

/** All calls of a step are made before the first is answered. */
function stepActs(parts: readonly Item[]): readonly Act[] {
  const texts = parts.filter(({ fields }) => fields.type === 'text').map(part => part.text('text'))
  // Before version 5, `input` and `output` were `args` and `result`.
  const calls = parts.filter(({ fields }) => fields.type === 'tool-call')
  return [
    ...spokenBy(texts.join('')),
    ...calls.map(part =>
      called(part.text('toolCallId'), part.text('toolName'), part.fields.input ?? part.fields.args),
    ),
    ...parts.flatMap(answers),
  ]
}

function answers(part: Item): readonly Act[] {
  const { type, preliminary, error } = part.fields
  if (type === 'tool-error') {
    const text = jsonText(isMap(error) && typeof error.message === 'string' ? error.message : error)
    return [answered(part.text('toolCallId'), false, text)]
  }
  // A preliminary result is progress, not yet the answer.
  if (type !== 'tool-result' || preliminary === true) return []
  const { ok, value } = outputOf(part.fields)
  return [answered(part.text('toolCallId'), ok, jsonText(value))]
}

/** In messages for a model, an output names its type. */
function outputOf({ output, result, isError }: Fields): { ok: boolean; value: unknown } {
  if (!isMap(output) || !OUTPUTS.has(output.type) || !('value' in output || 'reason' in output))
    return { ok: isError !== true, value: output ?? result }
  const { type, value, reason } = output
  return {
    ok: !String(type).startsWith('e'),
    value: type === 'content' ? contentText(value) : (value ?? reason),
  }
}

const OUTPUTS: ReadonlySet<unknown> = new Set([
  'text',
  'json',
  'content',
  'error-text',
  'error-json',
  'execution-denied',
])

/** The steps of a message as users are shown it, with parts as steps have them. */
function shownSteps(parts: readonly Item[]): readonly (readonly Item[])[] {
  const steps: Item[][] = [[]]
  for (const part of parts) {
    if (part.fields.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(...modelParts(part.fields).map(fields => part.with(fields)))
  }
  return steps
}

/** A part of a tool holds its call and the state of the call. */
function modelParts(part: Fields): readonly Fields[] {
  const type = String(part.type)
  if (type === 'tool-invocation' && isMap(part.toolInvocation))
    return toolParts(part.toolInvocation)
  if (type === 'dynamic-tool') return toolParts(part)
  return typeof part.toolCallId === 'string' && type.startsWith('tool-')
    ? toolParts({ ...part, toolName: type.slice('tool-'.length) })
    : [part]
}

function toolParts(tool: Fields): readonly Fields[] {
  const call = { ...tool, type: 'tool-call' }
  const failed = (error: unknown) => [call, { ...tool, type: 'tool-error', error }]
  switch (tool.state) {
    // The model has not asked for it yet.
    case 'input-streaming':
    case 'partial-call':
      return []
    case 'output-available':
    case 'result':
      return [call, { ...tool, type: 'tool-result' }]
    case 'output-error':
      return failed(tool.errorText)
    case 'output-denied':
      return failed((isMap(tool.approval) ? tool.approval.reason : undefined) ?? 'denied')
    default:
      return [call]
  }
}
