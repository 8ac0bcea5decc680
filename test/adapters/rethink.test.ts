/** Rethinking over a real HTTP endpoint: the model each request names, and the messages of the last lap it still contains. */
import { fileURLToPath } from 'node:url'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openaiModel } from '../../src/adapters/model/langchain/openai-model.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { virtualClock } from '../../src/testing/clock.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const server = new LLMock({ port: 0 })
beforeAll(() => server.start())
afterAll(() => server.stop())

interface Asked {
  readonly model: string
  readonly messages: readonly {
    readonly role: string
    readonly content: unknown
    readonly tool_calls?: readonly { readonly function: { readonly name: string } }[]
  }[]
}

const READ = { name: 'read_file', arguments: JSON.stringify({ path: 'package.json' }) }
const DONE = {
  name: 'attempt_completion',
  arguments: JSON.stringify({ result: 'it is escapement' }),
}
const LIST = { name: 'list_dir', arguments: JSON.stringify({ path: 'graphs' }) }

/** The fast model reads the same file again until somebody else has looked elsewhere; the smart one looks elsewhere. */
function answer({ model, messages }: Asked) {
  const call = (made: typeof READ) => ({
    content: 'One step.',
    toolCalls: [{ id: `call_${messages.length}_${made.name}`, ...made }],
  })
  if (model === 'large') return call(LIST)
  return call(
    messages.some(({ role, content }) => role === 'tool' && String(content).includes('ring.yaml'))
      ? DONE
      : READ,
  )
}

test('requests name the fast model, then the smarter one once, then the fast one again', async () => {
  server.addFixture({
    match: { predicate: () => true },
    response: request => answer(request as unknown as Asked),
  })
  const { spec, faults } = readSpec({
    escapement: 1,
    id: 'thinker',
    start: 'plan',
    channels: {
      goal: { type: 'string', default: 'What is this?' },
      messages: { reducer: 'append', type: 'object' },
      answer: { default: null },
    },
    nodes: {
      plan: {
        use: 'model',
        model: 'fast',
        tools: ['read_file', 'list_dir', 'attempt_completion'],
        command: 'required',
        in: ['goal', 'messages'],
        out: { messages: 'message' },
        on: { done: 'act' },
      },
      act: {
        use: 'tools',
        in: ['messages'],
        out: { messages: 'messages', answer: 'completed' },
        on: { done: 'plan', 'done.completed': 'end' },
      },
      end: { final: 'success' },
    },
    tools: {
      read_file: { use: 'read_file' },
      list_dir: { use: 'list_dir' },
      attempt_completion: { use: 'attempt_completion' },
    },
    models: { fast: { id: 'small', smarter: 'smart' }, smart: { id: 'large' } },
    detect: { sequence: { repeats: 2 }, recurrence: false },
  })
  if (faults) throw new Error(JSON.stringify(faults))
  const graph = bindGraph(spec, {
    workspace: ROOT,
    model: (_, of) =>
      openaiModel(of, { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${server.url}/v1` }),
  })
  const run = await drive(
    {
      graph,
      store: memoryStore(),
      clock: virtualClock(0),
      gate: createGate(),
      owner: 'test',
      wall: () => 0,
      isOwnerDead: () => false,
      heartbeat: () => () => {},
      redact: value => value,
    },
    'thread',
    { start: { input: {}, seed: 1 } },
  )

  expect(run.ended).toMatchObject({
    outcome: 'success',
    result: { answer: { result: 'it is escapement' } },
  })
  const requests = server.getRequests().map(({ body }) => body as unknown as Asked)
  expect(requests.map(({ model }) => model)).toEqual(['small', 'small', 'large', 'small'])
  const reads = requests.map(
    ({ messages }) =>
      messages.filter(
        ({ role, content }) => role === 'tool' && String(content).includes('"package.json"'),
      ).length,
  )
  // The last lap is forgotten, for the smart one and for good; the lap before it is not.
  expect(reads).toEqual([0, 1, 1, 1])
  // The answer that asked for the second read is gone too: an unanswered call would invite the model to repeat it.
  const asked = requests.map(({ messages }) =>
    messages.flatMap(({ tool_calls = [] }) => tool_calls.map(call => call.function.name)),
  )
  expect(asked).toEqual([[], ['read_file'], ['read_file'], ['read_file', 'list_dir']])
  expect(String(requests[2]?.messages[0]?.content)).toContain('read_file ran 2 times')
})
