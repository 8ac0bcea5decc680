/** `generateText` of AI SDK 7, with its own test model. */
import { generateText, isStepCount, jsonSchema, type ModelMessage, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { watch } from '../../src/adapters/wrap/ai-sdk.ts'
import { Counted, type Framework } from './framework.ts'
import { TURNS, wordsTo } from './scenario.ts'

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

function scripted(of: Counted): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const { text, calls = [] } = of.say()
      const n = of.modelCalls
      return {
        content: [
          ...(text === '' ? [] : [{ type: 'text' as const, text }]),
          ...calls.map(({ tool, args }, index) => ({
            type: 'tool-call' as const,
            toolCallId: `call-${n}-${index}`,
            toolName: tool,
            input: JSON.stringify(args),
          })),
        ],
        finishReason: {
          unified: calls.length > 0 ? ('tool-calls' as const) : ('stop' as const),
          raw: undefined,
        },
        usage,
        warnings: [],
      }
    },
  })
}

export const aiSdk: Framework = {
  name: 'AI SDK generateText',
  async run(scenario, watched) {
    const of = new Counted(scenario)
    const bare = Object.fromEntries(
      Object.entries(of.tools).map(([name, execute]) => [
        name,
        tool({ description: name, inputSchema: jsonSchema({ type: 'object' }), execute }),
      ]),
    )
    const { options, now } = watched ?? {}
    const guard = now && watch({ thread: 'talk', ...options, now, record: of.record })
    const words = wordsTo(scenario)
    let messages: ModelMessage[] = []
    for (const content of words) {
      messages = [...messages, { role: 'user', content }]
      const settings = guard
        ? {
            tools: guard.tools(bare),
            stopWhen: [isStepCount(200), guard.stopWhen],
            prepareStep: guard.prepareStep,
            toolApproval: guard.toolApproval,
            onStepEnd: guard.onStepEnd,
          }
        : { tools: bare, stopWhen: isStepCount(TURNS) }
      const result = await generateText({ model: scripted(of), messages, ...settings })
      if (guard?.watchdog.state.ended !== undefined)
        return of.outcome(`stopped (${guard.watchdog.state.ended})`)
      if (!scenario.driven && result.finishReason === 'tool-calls')
        return of.outcome(`${result.steps.length} steps`)
      messages = [...messages, ...result.responseMessages]
    }
    return of.outcome(scenario.driven ? `${words.length} × "Go on."` : 'goal')
  },
}
