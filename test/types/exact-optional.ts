/** Programs that users compile with `exactOptionalPropertyTypes`. */
import { generateText, streamText, ToolLoopAgent, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { z } from 'zod'
import { watch } from '../../src/adapters/wrap/ai-sdk.ts'

const model = new MockLanguageModelV4()
const watched = watch({ thread: ({ runtimeContext }) => runtimeContext.thread })
const { stopWhen, prepareStep, toolApproval, onStepEnd } = watched
const settings = { model, stopWhen, prepareStep, toolApproval, onStepEnd }

/** An agent that gets its thread with the options of a call. */
export const agent = new ToolLoopAgent({
  ...settings,
  tools: watched.tools({}),
  callOptionsSchema: z.object({ thread: z.string() }),
  prepareCall: ({ options, ...call }) => ({ ...call, runtimeContext: { thread: options.thread } }),
})

/** One call with a context of its own. */
export const calls = (tools: ToolSet) => [
  generateText({ ...settings, tools: watched.tools(tools), prompt: 'Find it.' }),
  streamText({
    ...settings,
    tools: watched.tools(tools),
    prompt: 'Find it.',
    runtimeContext: { thread: 'ticket-1' },
  }),
]
