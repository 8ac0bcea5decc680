/** The settings of a model in `defineGraph` apply, and a condition receives the arguments that the schema returned. */
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineGraph } from '../../src/host/definition/define-graph.ts'
import { loadGraph } from '../../src/host/drive/load.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Model } from '../../src/runtime/ports.ts'
import { fakeCall, folderWith, user } from '../kit/fake.ts'
import { calls, modelOf, play, says } from '../../src/testing.ts'

describe('the timeout of a model', () => {
  const silent = (seen: AbortSignal[]): Model => ({
    id: 'silent',
    timeout: 60_000,
    ask: (_, { signal }) => {
      seen.push(signal)
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      )
    },
  })

  test('of one second in defineGraph ends a call after one second', async () => {
    const seen: AbortSignal[] = []
    const graph = defineGraph({
      id: 'patient',
      start: 'ask',
      channels: { goal: {} },
      input: ['goal'],
      models: { m: { model: silent(seen), timeout: '1s', retry: 0 } },
      nodes: {
        ask: { use: 'model', model: 'm', on: { done: 'end', error: 'failed' } },
        end: { final: 'success' },
        failed: { final: 'failure' },
      },
    })
    const { outcome, took, events } = await play(graph, { input: { goal: 'x' } })
    expect([outcome, took, seen.length]).toEqual(['failure', 1_000, 1])
    expect(JSON.stringify(events)).toContain('TimeoutError')
  })
})

describe('an amount sent as text', () => {
  const desk = (amount: z.ZodType<number>) =>
    defineGraph({
      id: 'desk',
      start: 'plan',
      channels: { goal: {}, messages: { reducer: 'append', type: 'object' } },
      input: ['goal'],
      models: {
        m: modelOf([calls('pay', { amount: '450' }), calls('pay', { amount: 50 }), says('Done.')]),
      },
      tools: {
        pay: tool({
          description: 'Pays.',
          effects: 'write',
          inputSchema: z.object({ amount }),
          execute: ({ amount }) => ({ paid: amount }),
        }),
      },
      nodes: {
        plan: {
          use: 'model',
          model: 'm',
          tools: ['pay'],
          in: ['goal', 'messages'],
          out: { messages: 'message' },
          on: { 'done.command': 'act', 'done.answer': 'end' },
        },
        act: {
          use: 'tools',
          in: ['messages'],
          out: { messages: 'messages' },
          on: { done: 'plan' },
        },
        end: { final: 'success' },
      },
      confirm: { pay: { when: 'args.amount > 100', question: 'Pay {{amount}}?' } },
    })
  const goal = { input: { goal: 'Pay.' } }

  test('is coerced by the schema before the condition in CEL', async () => {
    const asked: string[] = []
    const { calls } = await play(desk(z.coerce.number()), {
      ...goal,
      answers: ({ question }) => {
        asked.push(question)
        return 'approved'
      },
    })
    expect(asked).toEqual(['Pay 450?'])
    expect(calls.map(({ args }) => args)).toEqual([{ amount: 450 }, { amount: 50 }])
  })

  test('is returned to the model by a schema that does not coerce, and no person is asked', async () => {
    const { outcome, questions, calls } = await play(desk(z.number()), goal)
    expect([outcome, questions]).toEqual(['success', []])
    expect(calls.map(({ args }) => args)).toContainEqual({ amount: 50 })
  })
})

const OFFLINE = `
escapement: 1
id: offline
start: ask
channels: { goal: { type: string } }
input: [goal]
models: { m: { id: small, offline: ./m.yaml, keyFrom: OFFLINE_TEST_KEY } }
nodes:
  ask: { use: model, model: m, prompt: Answer., on: { done: end } }
  end: { final: success }
`

describe('a model with a script for runs without a key', () => {
  afterEach(() => void vi.unstubAllEnvs())

  const answer = async () => {
    const folder = await folderWith({
      'graph.yaml': OFFLINE,
      'm.yaml': '- { say: From the script., times: always }',
    })
    const graph = await loadGraph(join(folder, 'graph.yaml'))
    const request = { system: '', messages: [user('Go.')], tools: [] }
    return graph.models.m?.ask(request, fakeCall())
  }

  test('answers from the script without an endpoint', async () => {
    expect(await answer()).toMatchObject({ text: 'From the script.' })
  })

  test('asks the endpoint where one is configured', async () => {
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1')
    await expect(answer()).rejects.toThrow()
  })
})

test('the price of a model is in the spec, so that the most that a thread can spend is known', () => {
  const price = { input: 0.15, output: 0.6 }
  const graph = defineGraph({
    id: 'priced',
    start: 'ask',
    channels: { goal: {} },
    input: ['goal'],
    models: { m: { ...modelOf([says('Yes.')]), price } },
    nodes: {
      ask: { use: 'model', model: 'm', on: { done: 'end' } },
      end: { final: 'success' },
    },
  })
  expect(graph.spec.models.m).toMatchObject({ price })
})
