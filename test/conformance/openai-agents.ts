/** `run` of @openai/agents, with a scripted model. */
import {
  Agent,
  type AgentInputItem,
  type Model,
  type ModelResponse,
  Runner,
  tool,
  Usage,
} from '@openai/agents'
import { watch } from '../../src/adapters/wrap/openai-agents.ts'
import { Counted, type Framework } from './framework.ts'
import { wordsTo } from './scenario.ts'

function scripted(of: Counted): Model {
  return {
    async getResponse(): Promise<ModelResponse> {
      const { text, calls = [] } = of.say()
      const n = of.modelCalls
      return {
        usage: new Usage({ inputTokens: 10, outputTokens: 5, totalTokens: 15, requests: 1 }),
        output: [
          ...(text === ''
            ? []
            : [
                {
                  type: 'message' as const,
                  role: 'assistant' as const,
                  status: 'completed' as const,
                  content: [{ type: 'output_text' as const, text }],
                },
              ]),
          ...calls.map(({ tool, args }, index) => ({
            type: 'function_call' as const,
            callId: `call-${n}-${index}`,
            name: tool,
            arguments: JSON.stringify(args),
            status: 'completed' as const,
          })),
        ],
      }
    },
    getStreamedResponse() {
      throw new Error('not streamed here')
    },
  }
}

export const openAiAgents: Framework = {
  name: 'OpenAI Agents run',
  async run(scenario, watched) {
    const of = new Counted(scenario)
    const { options, now } = watched ?? {}
    const guard = now && watch({ thread: 'talk', ...options, now, record: of.record })
    const make = guard?.tool ?? tool
    const tools = Object.entries(of.tools).map(([name, execute]) =>
      make({
        name,
        description: name,
        strict: false,
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
        execute: async args => execute(args),
      }),
    )
    const agent = new Agent({ name: 'agent', instructions: 'Do it.', model: scripted(of), tools })
    const runner = new Runner({ tracingDisabled: true })
    const words = wordsTo(scenario)
    let input: AgentInputItem[] = []
    for (const content of words) {
      input = [...input, { role: 'user', content }]
      try {
        const result = await runner.run(
          agent,
          input,
          guard ? { ...guard.options, maxTurns: 200 } : {},
        )
        if (guard?.watchdog.state.ended !== undefined)
          return of.outcome(`stopped (${guard.watchdog.state.ended})`)
        input = result.history
      } catch (error) {
        return of.outcome(
          (error as Error).name === 'Error'
            ? (error as Error).constructor.name
            : (error as Error).name,
        )
      }
    }
    return of.outcome(scenario.driven ? `${words.length} × "Go on."` : 'goal')
  },
}
