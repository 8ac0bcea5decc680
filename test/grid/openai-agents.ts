/** `run` of @openai/agents. */
import {
  Agent,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  tool,
  Usage,
} from '@openai/agents'
import { watch } from '../../src/adapters/wrap/openai-agents.ts'
import type { Move, Seen, View } from './agent.ts'
import { type Loop, resultOf, type Talk, TURNS } from './arm.ts'

function scripted({ move }: Talk): Model {
  let calls = 0
  return {
    async getResponse(request): Promise<ModelResponse> {
      const next = move(viewOf(request))
      const usage = new Usage({ inputTokens: 10, outputTokens: 5, totalTokens: 15, requests: 1 })
      return { usage, output: [outputOf(next, `call-${calls++}`)] }
    },
    getStreamedResponse() {
      throw new Error('not streamed here')
    },
  }
}

const outputOf = (next: Move, callId: string): ModelResponse['output'][number] =>
  'say' in next
    ? {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: next.say }],
      }
    : {
        type: 'function_call',
        callId,
        name: next.tool,
        arguments: JSON.stringify(next.args),
        status: 'completed',
      }

function viewOf({ input, systemInstructions = '' }: ModelRequest): View {
  if (typeof input === 'string') return { system: systemInstructions, opening: input, seen: [] }
  let opening: string | undefined
  const seen = input.flatMap((item): Seen[] => {
    if (item.type === 'function_call_result') return [resultOf(item.name, textOf(item.output))]
    if (!('role' in item) || (item.role !== 'user' && item.role !== 'system')) return []
    const text = textOf(item.content)
    const isFirst = opening === undefined
    opening ??= text
    return isFirst ? [] : [{ kind: 'note', text }]
  })
  return { system: systemInstructions, opening: opening ?? '', seen }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content : [content]
  return parts.map(part => (part as { text?: string }).text ?? '').join('')
}

export const openAiAgents: Loop = {
  name: 'OpenAI Agents',
  async talk(talk, guarding) {
    const { opening, substitutes } = talk
    const guard = guarding && watch({ ...guarding, substitutes, thread: 'talk' })
    const make = guard?.tool ?? tool
    const tools = Object.entries(talk.tools).map(([name, execute]) =>
      make({
        name,
        description: name,
        strict: false,
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
        execute: async args => execute(args),
      }),
    )
    const agent = new Agent({ name: 'agent', instructions: '', model: scripted(talk), tools })
    const input: AgentInputItem[] = [{ role: 'user', content: opening }]
    try {
      const settings = { ...guard?.options, maxTurns: TURNS }
      const result = await new Runner({ tracingDisabled: true }).run(agent, input, settings)
      const isStopped = guard?.watchdog.state.ended !== undefined
      return isStopped ? undefined : String(result.finalOutput)
    } catch {
      return undefined
    }
  },
}
