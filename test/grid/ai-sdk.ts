/** `generateText` of AI SDK 7. */
import { generateText, isStepCount, jsonSchema, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { watch } from '../../src/adapters/wrap/ai-sdk.ts'
import type { Seen, View } from './agent.ts'
import { type Loop, resultOf, type Talk, TURNS } from './arm.ts'

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

type Prompt = Parameters<MockLanguageModelV4['doGenerate']>[0]['prompt']

function scripted({ move }: Talk): MockLanguageModelV4 {
  let calls = 0
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const next = move(viewOf(prompt))
      const isText = 'say' in next
      return {
        content: [
          isText
            ? { type: 'text' as const, text: next.say }
            : {
                type: 'tool-call' as const,
                toolCallId: `call-${calls++}`,
                toolName: next.tool,
                input: JSON.stringify(next.args),
              },
        ],
        finishReason: { unified: isText ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
}

function viewOf(prompt: Prompt): View {
  const system = prompt.flatMap(of => (of.role === 'system' ? of.content : [])).join('\n')
  let opening: string | undefined
  const seen = prompt.flatMap((of): Seen[] => {
    if (of.role === 'user') {
      const text = of.content.map(part => (part.type === 'text' ? part.text : '')).join('')
      const isFirst = opening === undefined
      opening ??= text
      return isFirst ? [] : [{ kind: 'note', text }]
    }
    if (of.role !== 'tool') return []
    return of.content.flatMap(part =>
      part.type === 'tool-result' ? [resultOf(part.toolName, textOf(part.output))] : [],
    )
  })
  return { system, opening: opening ?? '', seen }
}

const textOf = (output: object): string => {
  const { value = '' } = output as { value?: unknown }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const aiSdk: Loop = {
  name: 'AI SDK',
  async talk(talk, guarding) {
    const { opening, substitutes } = talk
    const bare = Object.fromEntries(
      Object.entries(talk.tools).map(([name, execute]) => [
        name,
        tool({ description: name, inputSchema: jsonSchema({ type: 'object' }), execute }),
      ]),
    )
    const guard = guarding && watch({ ...guarding, substitutes, thread: 'talk' })
    const settings = guard
      ? {
          tools: guard.tools(bare),
          stopWhen: [isStepCount(TURNS), guard.stopWhen],
          prepareStep: guard.prepareStep,
          toolApproval: guard.toolApproval,
          onStepEnd: guard.onStepEnd,
        }
      : { tools: bare, stopWhen: isStepCount(TURNS) }
    const result = await generateText({ model: scripted(talk), prompt: opening, ...settings })
    const isStopped = guard?.watchdog.state.ended !== undefined
    return isStopped || result.finishReason === 'tool-calls' ? undefined : result.text
  },
}
