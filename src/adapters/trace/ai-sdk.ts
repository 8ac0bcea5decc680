/** The steps of the AI SDK: each with its text, its calls and what came of them, or with the `content` that holds all of these. */
import type { Act } from '../../core/watch/act.ts'
import type { Json } from '../../core/watch/json.ts'
import { textOf } from '../../core/watch/sense.ts'
import { type Conversing, said } from './conversation.ts'
import { expected, type Fields, isMap, listIn, mapAt, optionalIn, type Place, textIn } from './fields.ts'

export const AI_SDK: Conversing = {
  list: 'steps',
  item: 'a step as {"text", "toolCalls", "toolResults"}',
  acts(place, step) {
    if (!PARTS.some(part => part in step)) throw expected(place, AI_SDK.item, step)
    const parts = Array.isArray(step.content) ? mapsIn(place, step, 'content') : [...spoken(place, step), ...of('tool-call', 'toolCalls'), ...of('tool-result', 'toolResults')]
    const text = parts.flatMap(([at, part]) => (part.type === 'text' ? [textIn(at, part, 'text')] : [])).join('')
    return [...said(text), ...parts.flatMap(([at, part]) => called(at, part)), ...parts.flatMap(([at, part]) => answered(at, part))]

    function of(type: string, name: string): readonly Part[] {
      return mapsIn(place, step, name).map(([at, part]) => [at, { type, ...part }] as const)
    }
  },
}

const PARTS = ['content', 'text', 'toolCalls', 'toolResults']

type Part = readonly [Place, Fields]

function mapsIn(place: Place, step: Fields, name: string): readonly Part[] {
  return listIn(place, step, name).map(([at, part]) => [at, mapAt(at, part, 'a part')] as const)
}

function spoken(place: Place, step: Fields): readonly Part[] {
  const text = optionalIn(place, step, 'text')
  return text === undefined ? [] : [[place, { type: 'text', text }]]
}

function called(place: Place, part: Fields): readonly Act[] {
  if (part.type !== 'tool-call') return []
  return [{ act: 'called', call: textIn(place, part, 'toolCallId'), tool: textIn(place, part, 'toolName'), args: (part.input ?? null) as Json }]
}

function answered(place: Place, part: Fields): readonly Act[] {
  // What a tool has told on its way is no answer yet.
  if (part.type === 'tool-result' && part.preliminary !== true)
    return [{ act: 'answered', call: textIn(place, part, 'toolCallId'), ok: true, text: textOf((part.output ?? null) as Json) }]
  return part.type === 'tool-error' ? [{ act: 'answered', call: textIn(place, part, 'toolCallId'), ok: false, text: errorText(part.error) }] : []
}

function errorText(error: unknown): string {
  return isMap(error) && typeof error.message === 'string' ? error.message : textOf((error ?? null) as Json)
}
