import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { model as modelSpec } from '../../src/core/graph/spec/resource.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph, CannotBind, isCannotBind, type Parts } from '../../src/kit/bind/bind.ts'
import { readScript, scriptedModel } from '../../src/testing/scripted-model.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { asking, fakeTask, request } from './fake.ts'

const BASE = {
  escapement: 1,
  id: 'g',
  start: 'A',
  nodes: { A: { use: 'pass', on: { done: 'E' } }, E: { final: 'success' } },
}

function bound(part: object, parts: Partial<Parts> = {}) {
  const { spec, faults } = readSpec({ ...BASE, ...part })
  if (!spec) throw new Error(JSON.stringify(faults))
  return bindGraph(spec, {
    workspace: '.',
    model: (_, of) => scriptedModel(of, readScript([{ say: 'hi' }]).script ?? []),
    ...parts,
  })
}

function faultsOf(part: object, parts: Partial<Parts> = {}) {
  try {
    bound(part, parts)
    return []
  } catch (error) {
    if (!isCannotBind(error)) throw error
    return error.faults
  }
}

const hammer = tool({
  name: 'any',
  description: 'Hits.',
  inputSchema: z.strictObject({}),
  effects: 'write',
  execute: async () => 'hit',
})

describe('binding a spec', () => {
  test('binds an implementation to exactly the nodes that need one', () => {
    const graph = bound({
      start: 'H',
      nodes: {
        ...BASE.nodes,
        H: { use: 'human', question: '?', deadline: '1h', on: { 'human.approved': 'A' } },
      },
    })
    expect(Object.keys(graph.nodes)).toEqual(['A'])
    expect(graph.machine.id).toBe('g')
    expect(graph.source).toMatchObject({ id: 'g' })
  })

  test('keeps a source that compiles to the same machine', () => {
    const graph = bound({
      failures: {},
      limits: { duration: '10m' },
      tools: { t: { use: 'flaky', with: { p: 0 }, retry: 0, timeout: '5s' } },
    })
    const again = readSpec(JSON.parse(JSON.stringify(graph.source)))
    expect(
      again.spec &&
        bindGraph(again.spec, { workspace: '.', model: () => ({}) as never }).machine.hash,
    ).toBe(graph.machine.hash)
  })

  test('applies the settings of the spec to a tool', () => {
    const { tools } = bound({
      tools: {
        look: {
          use: 'read_file',
          description: 'Looks.',
          timeout: '2s',
          retry: { attempts: 1 },
          breaker: { threshold: 9 },
          concurrency: 2,
        },
        put: { use: 'flaky', effects: 'write' },
        sure: { use: 'flaky', effects: 'write', idempotent: true },
      },
    })
    expect(tools.look).toMatchObject({
      name: 'look',
      description: 'Looks.',
      timeout: 2_000,
      retry: { attempts: 1 },
      breaker: { threshold: 9 },
      concurrency: 2,
      effects: 'read',
    })
    expect(tools.put).toMatchObject({ name: 'put', effects: 'write', idempotent: false })
    expect(tools.sure).toMatchObject({ effects: 'write', idempotent: true })
    expect(() => tools.look?.parse({})).toThrow('path: is missing')
  })

  test('without `in`, pass and tool nodes receive no input, which keeps the context out of the journal', async () => {
    const channels = { city: { default: 'Oslo' } }
    const work = { use: 'tool', tool: 'any', on: { done: 'E' } }
    const { nodes } = bound({
      channels,
      tools: { any: { use: 'flaky' } },
      nodes: {
        ...BASE.nodes,
        B: { ...BASE.nodes.A, in: ['city'] },
        bare: work,
        given: { ...work, in: ['city'] },
        said: { ...work, args: { at: 1 } },
      },
    })
    const output = (name: string) => nodes[name]?.(fakeTask({ input: { city: 'Oslo' } }).task)
    expect(await Promise.all(['A', 'B', 'bare', 'given', 'said'].map(output))).toEqual([
      {},
      { city: 'Oslo' },
      {},
      { city: 'Oslo' },
      { at: 1 },
    ])
  })

  test('custom tools and nodes read their settings from the spec', async () => {
    const graph = bound(
      {
        nodes: { ...BASE.nodes, A: { use: './x.ts#a', with: { word: 'hi' }, on: { done: 'E' } } },
        tools: { t: { use: './x.ts#t' }, made: { use: './x.ts#make', with: { n: 2 } } },
      },
      {
        nodes: { A: async (_, settings) => (settings as { word: string }).word },
        tools: {
          t: hammer,
          made: settings => ({
            ...hammer,
            description: `Hits ${(settings as { n: number }).n} times.`,
          }),
        },
      },
    )
    expect(await graph.nodes.A?.(fakeTask({}).task)).toBe('hi')
    expect(graph.tools.t).toMatchObject({ name: 't', effects: 'write', idempotent: false })
    expect(graph.tools.made?.description).toBe('Hits 2 times.')
  })

  test('a model node receives its tools, including the one that completes the task', async () => {
    const graph = bound({
      channels: { messages: { reducer: 'append', type: 'object' }, notes: { type: 'string' } },
      nodes: {
        A: {
          use: 'model',
          model: 'm',
          tools: ['done'],
          in: ['messages', 'notes'],
          on: { done: 'T' },
        },
        T: { use: 'tools', on: { done: 'E' } },
        E: { final: 'success' },
      },
      tools: { done: { use: 'attempt_completion' }, other: { use: 'read_file' } },
      models: { m: { id: 'x' } },
    })
    const asked = fakeTask({
      input: { messages: [], notes: 'n' },
      tools: Object.values(graph.tools),
    })
    await graph.nodes.A?.(asked.task)
    expect(asked.requests[0]).toMatchObject({
      messages: [{ content: 'notes: n' }],
      tools: [{ name: 'done' }],
      system: expect.stringContaining('call done with the complete result'),
    })

    const performed = fakeTask({
      input: {
        messages: [asking('', request('c1', 'done'), request('c2', 'other'))] as unknown as Json,
      },
      tools: Object.values(graph.tools),
      called: () => ({ ok: true, value: { result: '42' } }),
    })
    expect(await graph.nodes.T?.(performed.task)).toMatchObject({
      label: 'completed',
      output: { completed: { result: '42' }, results: [{ ok: true }, { ok: false }] },
    })
    expect(performed.calls.map(({ tool: name }) => name)).toEqual(['done'])
  })

  test('creates each model once, from its settings in the spec', () => {
    const made: unknown[] = []
    const { models } = bound(
      { models: { fast: { id: 'f' }, smart: { id: 's', timeout: '5s' } } },
      {
        model: (name, of) => {
          made.push([name, of.id, of.timeout])
          return scriptedModel(modelSpec.parse({ id: of.id }), [])
        },
      },
    )
    expect(made).toEqual([
      ['fast', 'f', undefined],
      ['smart', 's', 5_000],
    ])
    expect(Object.keys(models)).toEqual(['fast', 'smart'])
  })
})

test('the time limit of a model is that of its spec, or of its code', () => {
  const model = { ...scriptedModel({ id: 'm' }, []), timeout: 300 }
  const boundTo = (of: object) =>
    bound({ models: { m: { id: 'm', ...of } } }, { models: { m: model } })
  expect(boundTo({}).models.m?.timeout).toBe(300)
  expect(boundTo({ timeout: '5s' }).models.m?.timeout).toBe(5_000)
})

describe('binding faults', () => {
  test('reject a smarter model that is the same model, unless the spec accepts it', () => {
    const models = { fast: { id: 'small', smarter: 'smart' }, smart: { id: 'small' } }
    expect(faultsOf({ models })).toMatchObject([
      { path: 'models.fast.smarter', message: expect.stringContaining('the same model') },
    ])
    const accept = ['smarter-is-the-same models.fast.smarter']
    expect(faultsOf({ models, accept })).toEqual([])
    expect(faultsOf({ models: { ...models, smart: { id: 'large' } } })).toEqual([])
  })

  test.each([
    [
      'a tool that does not ship',
      { tools: { t: { use: 'teleport' } } },
      'tools.t.use',
      "unknown built-in tool 'teleport'; expected one of: list_dir, read_file, grep, attempt_completion, report_stuck, flaky, or ./file.ts#export",
    ],
    [
      'a setting that a tool does not know',
      { tools: { t: { use: 'grep', with: { fast: true } } } },
      'tools.t.with.fast',
      'is unknown',
    ],
    [
      'a setting that is wrong',
      { tools: { t: { use: 'flaky', with: { p: 2 } } } },
      'tools.t.with.p',
      'Too big: expected number to be <=1',
    ],
    [
      'parameters that are of no object',
      { tools: { t: { use: 'flaky', with: { parameters: { type: 'string' } } } } },
      'tools.t',
      "the schema of the tool 'flaky' is not of an object; function calling passes arguments by name only",
    ],
    [
      'a module that was not loaded',
      { tools: { t: { use: './x.ts#t' } } },
      'tools.t.use',
      "'./x.ts#t' was not loaded",
    ],
    [
      'a node that was not loaded',
      { nodes: { ...BASE.nodes, A: { use: './x.ts#a', on: { done: 'E' } } } },
      'nodes.A.use',
      "'./x.ts#a' was not loaded",
    ],
  ])('%s', (_, part, path, message) => {
    expect(faultsOf(part)).toEqual([{ path, message }])
  })

  test('rejects an export that is not a tool and a model that cannot be created', () => {
    expect(
      faultsOf({ tools: { t: { use: './x.ts#t' } } }, { tools: { t: { run: 1 } as never } }),
    ).toMatchObject([{ path: 'tools.t.use', message: expect.stringContaining('is not a tool') }])
    const model = () => {
      throw new Error('no endpoint')
    }
    expect(faultsOf({ models: { fast: { id: 'f' } } }, { model })).toEqual([
      { path: 'models.fast', message: 'no endpoint' },
    ])
  })

  test('reports all faults at once', () => {
    const error = new CannotBind(
      faultsOf({ tools: { t: { use: 'teleport' }, u: { use: 'flaky', with: { p: 2 } } } }),
    )
    expect(error.message.split('\n')).toHaveLength(2)
  })
})
