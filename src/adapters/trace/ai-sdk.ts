/** What the AI SDK keeps: the steps of a run, the messages that a model is given, or those that people are shown. */
import type { Act } from '../../core/watch/normalize/act.ts'
import type { Json } from '../../core/watch/json.ts'
import { textOf } from '../../core/watch/normalize/answer-features.ts'
import { type Dialect, contentText, spokenBy, saidByPerson } from './conversation.ts'
import {
  expected,
  type Fields,
  isMap,
  listIn,
  mapAt,
  optionalIn,
  type Passed,
  type Place,
  textIn,
} from './fields.ts'
import { type Part, stepsOf } from './ui-message.ts'

export const AI_SDK: Dialect = {
  lists: ['steps', 'messages'],
  item: 'a step as {"text", "toolCalls", "toolResults"}',
  acts(place, item, passed) {
    if (typeof item.role === 'string') return message(place, item, passed)
    if (!PARTS.some(part => part in item)) throw expected(place, AI_SDK.item, item)
    return stepActs(
      Array.isArray(item.content)
        ? mapsIn(place, item, 'content')
        : [
            ...spokenActs(place, item),
            ...of('tool-call', 'toolCalls'),
            ...of('tool-result', 'toolResults'),
          ],
    )

    function of(type: string, name: string): readonly Part[] {
      return mapsIn(place, item, name).map(([at, part]) => [at, { type, ...part }] as const)
    }
  },
}

const PARTS = ['content', 'text', 'toolCalls', 'toolResults']

/** A message with `parts` is one that people are shown, any other one that a model is given. */
function message(place: Place, item: Fields, passed: Passed): readonly Act[] {
  switch (item.role) {
    case 'user':
      return saidByPerson(contentText(item.parts ?? item.content))
    case 'assistant':
    case 'tool':
      if ('parts' in item) return stepsOf(mapsIn(place, item, 'parts')).flatMap(stepActs)
      return typeof item.content === 'string'
        ? spokenBy(item.content)
        : stepActs(mapsIn(place, item, 'content'))
    case 'system':
      return []
    default:
      passed(textIn(place, item, 'role'))
      return []
  }
}

/** All calls of a step are made before the first is answered. */
function stepActs(parts: readonly Part[]): readonly Act[] {
  const text = parts
    .flatMap(([at, part]) => (part.type === 'text' ? [textIn(at, part, 'text')] : []))
    .join('')
  return [
    ...spokenBy(text),
    ...parts.flatMap(([at, part]) => calledActs(at, part)),
    ...parts.flatMap(([at, part]) => answeredActs(at, part)),
  ]
}

function mapsIn(place: Place, step: Fields, name: string): readonly Part[] {
  return listIn(place, step, name).map(([at, part]) => [at, mapAt(at, part, 'a part')] as const)
}

function spokenActs(place: Place, step: Fields): readonly Part[] {
  const text = optionalIn(place, step, 'text')
  return text === undefined ? [] : [[place, { type: 'text', text }]]
}

/** Before version 5, `input` and `output` were `args` and `result`. */
function calledActs(place: Place, part: Fields): readonly Act[] {
  if (part.type !== 'tool-call') return []
  return [
    {
      act: 'called',
      call: textIn(place, part, 'toolCallId'),
      tool: textIn(place, part, 'toolName'),
      args: (part.input ?? part.args ?? null) as Json,
    },
  ]
}

function answeredActs(place: Place, part: Fields): readonly Act[] {
  // What a tool has told on its way is no answer yet.
  if (part.type === 'tool-result' && part.preliminary !== true) {
    const { ok, value } = outputOf(part)
    return [
      {
        act: 'answered',
        call: textIn(place, part, 'toolCallId'),
        ok,
        text: textOf((value ?? null) as Json),
      },
    ]
  }
  return part.type === 'tool-error'
    ? [
        {
          act: 'answered',
          call: textIn(place, part, 'toolCallId'),
          ok: false,
          text: errorText(part.error),
        },
      ]
    : []
}

/** In messages for a model, an output says what it is. */
function outputOf({ output, result, isError }: Fields): {
  readonly ok: boolean
  readonly value: unknown
} {
  if (
    isMap(output) &&
    typeof output.type === 'string' &&
    OUTPUTS.has(output.type) &&
    ('value' in output || 'reason' in output)
  ) {
    const { type, value, reason } = output
    return {
      ok: !type.startsWith('e'),
      value: type === 'content' ? contentText(value) : (value ?? reason),
    }
  }
  return { ok: isError !== true, value: output ?? result }
}

const OUTPUTS: ReadonlySet<string> = new Set([
  'text',
  'json',
  'content',
  'error-text',
  'error-json',
  'execution-denied',
])

function errorText(error: unknown): string {
  return isMap(error) && typeof error.message === 'string'
    ? error.message
    : textOf((error ?? null) as Json)
}
