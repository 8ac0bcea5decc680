/** Messages of the AI SDK as people are shown them: each part of a tool holds its call, and what has come of it so far. */
import { type Fields, isMap, type Place } from './fields.ts'

export type Part = readonly [Place, Fields]

/** The steps of a message, with parts as steps have them. */
export function stepsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const steps: Part[][] = [[]]
  for (const [place, part] of parts) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(...plain(part).map(one => [place, one] as const))
  }
  return steps
}

function plain(part: Fields): readonly Fields[] {
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
  switch (tool.state) {
    // It has not been asked yet.
    case 'input-streaming':
    case 'partial-call':
      return []
    case 'output-available':
    case 'result':
      return [call, { ...tool, type: 'tool-result' }]
    case 'output-error':
      return [call, { ...tool, type: 'tool-error', error: tool.errorText }]
    case 'output-denied':
      return [
        call,
        {
          ...tool,
          type: 'tool-error',
          error: (isMap(tool.approval) ? tool.approval.reason : undefined) ?? 'denied',
        },
      ]
    default:
      return [call]
  }
}
