/** graphs/agent.yaml with a model behind a real HTTP endpoint: streaming, tool calls, a dead tool, and the escape from it. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createOpenAI } from '@ai-sdk/openai'
import { LLMock } from '@copilotkit/aimock'
import { ChatOpenAI } from '@langchain/openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openaiModel } from '../../src/adapters/model/langchain/openai-model.ts'
import { loadSpec } from '../../src/adapters/spec/library.ts'
import type { ModelSpec } from '../../src/core/graph/spec/resource.ts'
import { modelFrom } from '../../src/host/definition/model-from.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import type { Model } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { virtualClock } from '../../src/testing/clock.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const server = new LLMock({ port: 0 })
beforeAll(() => server.start())
afterAll(() => server.stop())

interface Asked {
  readonly messages: readonly {
    readonly role: string
    readonly content: unknown
    readonly tool_calls?: readonly { readonly id: string }[]
    readonly tool_call_id?: string
  }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

/** Calls the broken tool while it is offered, then reads a file and ends. */
function answer({ messages, tools = [] }: Asked) {
  const call = (id: string, name: string, args: object) => ({
    content: 'One step.',
    toolCalls: [{ id: `call_${id}_${messages.length}`, name, arguments: JSON.stringify(args) }],
  })
  if (tools.some(tool => tool.function.name === 'search_docs'))
    return call('search', 'search_docs', { query: 'what is this' })
  const read = messages.some(
    ({ role, content }) => role === 'tool' && String(content).includes('"path":"package.json"'),
  )
  return read
    ? call('done', 'attempt_completion', { result: 'escapement' })
    : call('read', 'read_file', { path: 'package.json' })
}

const id = 'gpt-4o-mini'
const apiKey = 'sk-test'
const MODELS: readonly (readonly [string, (spec: ModelSpec, baseURL: string) => Model])[] = [
  [
    'an endpoint of the spec',
    (spec, baseURL) => openaiModel(spec, { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL }),
  ],
  [
    'ChatOpenAI',
    ({ price }, baseURL) =>
      modelFrom(new ChatOpenAI({ model: id, apiKey, configuration: { baseURL } }), { price }),
  ],
  [
    'the AI SDK',
    ({ price }, baseURL) => modelFrom(createOpenAI({ apiKey, baseURL }).chat(id), { price }),
  ],
]

test.each(MODELS)(
  '%s: the agent escapes the dead tool, and every request is valid for an endpoint',
  async (_, model) => {
    server.reset()
    server.addFixture({
      match: { predicate: () => true },
      response: request => answer(request as unknown as Asked),
      chunkSize: 12,
    })
    const loaded = await loadSpec(`${ROOT}/graphs/agent.yaml`)
    if (!loaded.spec) throw new Error('graphs/agent.yaml is not sound')
    const graph = bindGraph(loaded.spec, {
      workspace: ROOT,
      model: (_, spec) => model(spec, `${server.url}/v1`),
    })
    const deltas: string[] = []
    const store = memoryStore()
    const run = await drive(
      {
        graph,
        store,
        clock: virtualClock(0),
        gate: createGate(),
        owner: 'test',
        wall: () => 0,
        isOwnerDead: () => false,
        heartbeat: () => () => {},
        redact: value => value,
        live: news => void (news.kind === 'delta' && deltas.push(news.text)),
      },
      'thread',
      { start: { input: {}, seed: 1 } },
    )

    expect(run.ended).toMatchObject({
      outcome: 'success',
      reason: 'goal',
      result: { answer: { result: 'escapement' } },
    })
    expect(deltas.join('')).toContain('One step.')
    const rows = await store.rows('thread')
    // The breaker of the dead tool has opened: the model is not offered it again, and needs no way out.
    expect(rows.filter(({ event }) => event.type === 'circuit.opened')).toHaveLength(1)
    expect(rows.filter(({ verdict }) => verdict.kind === 'escape')).toEqual([])
    const offers = server
      .getRequests()
      .map(({ body }) =>
        ((body as unknown as Asked).tools ?? []).some(tool => tool.function.name === 'search_docs'),
      )
    expect(offers).toEqual([true, false, false])
    expect(
      rows.flatMap(({ event }) => (event.type === 'model.done' ? [event.usage] : []))[0],
    ).toMatchObject({ input: expect.any(Number), usd: expect.any(Number) })

    for (const { body } of server.getRequests()) {
      const { messages } = body as unknown as Asked
      expect(messages.slice(0, 2).map(({ role }) => role)).toEqual(['system', 'user'])
      const asked = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))
      expect(messages.flatMap(({ tool_call_id: id }) => (id ? [id] : []))).toEqual(asked)
    }
  },
)

test('the command runs on the endpoint that the environment names', async () => {
  const before = server.getRequests().length
  const env = {
    ...process.env,
    OPENAI_BASE_URL: `${server.url}/v1`,
    OPENAI_API_KEY: 'sk-test-of-the-command-line',
  }
  const args = ['src/main.ts', 'run', 'graphs/agent.yaml', '--json', '--store', ':memory:']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'success',
    result: { answer: { result: 'escapement' } },
    escapes: [],
  })
  const asked = server.getRequests().slice(before)
  expect(asked.length).toBe(3)
  expect(asked.every(({ body }) => (body as unknown as { stream?: boolean }).stream === true)).toBe(
    true,
  )
})
