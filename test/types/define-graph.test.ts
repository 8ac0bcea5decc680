/** Graphs in TypeScript: types from schemas, nodes and tools, and binding. Code that must not compile is in must-not-compile.ts. */
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import {
  bindGraph,
  type ChannelsOf,
  createAgent,
  createRuntime,
  defineGraph,
  drive,
  type InputOf,
  type Json,
  InvalidSpec,
  lint,
  memoryStore,
  node,
  nodePorts,
  type OutputOf,
  parseSpec,
  type SpecGraph,
  tool,
  virtualClock,
} from '../../src/index.ts'
import { calls, play, says } from '../../src/testing.ts'
import { check, END, fast, INPUT, OUTPUT, refund, stock } from './shop.ts'

async function resultOf(graph: SpecGraph, input: object) {
  const ports = nodePorts({ graph, store: memoryStore(), clock: virtualClock() })
  return (await drive(ports, 'thread', { start: { input: input as never, seed: 1 } })).ended
}

const shop = defineGraph({
  id: 'shop',
  start: 'check',
  input: INPUT,
  output: OUTPUT,
  nodes: {
    check: { use: check, in: ['article'], out: ['left'], on: { done: 'end', 'done.empty': 'end' } },
    end: END,
  },
})

describe('a script of a tool', () => {
  test('is a function of the arguments, whose schema the tool checks', async () => {
    const asks = createAgent({ id: 'asks', model: fast, tools: { stock, refund } })
    const played = await play(asks, {
      input: { goal: 'How many?' },
      model: [
        calls('stock', { article: 'clock' }),
        calls('refund', { order: '1', amount: 2 }),
        says('3'),
      ],
      tools: {
        stock: async ({ article }, { attempt }) => ({ article: article.toUpperCase(), attempt }),
        refund: ({ amount }: { amount: number }) => ({ paid: amount }),
      },
    })
    expect(played.calls).toMatchObject([
      { tool: 'stock', result: { article: 'CLOCK', attempt: 1 } },
      { tool: 'refund', result: { paid: 2 } },
    ])
  })
})

describe('a graph in TypeScript', () => {
  test('has the types of its schemas, and runs', async () => {
    expectTypeOf<InputOf<typeof shop>>().toEqualTypeOf<{ article: string }>()
    expectTypeOf<OutputOf<typeof shop>>().toEqualTypeOf<{ left: number | null }>()
    expect(await resultOf(shop, { article: 'clock' })).toMatchObject({
      outcome: 'success',
      result: { left: 3 },
    })
  })

  test('has typed channels in the state of its threads', async () => {
    const runtime = createRuntime({ store: memoryStore(), graphs: [shop] })
    const thread = await runtime.start(shop, { article: 'clock' })
    await thread.result()
    const { channels } = await thread.state()
    expectTypeOf(channels.article).toEqualTypeOf<string>()
    expectTypeOf(channels.left).toEqualTypeOf<number | null>()
    expect(channels).toEqual({ article: 'clock', left: 3 })
    const untyped = await runtime.thread(thread.id).state()
    expectTypeOf(untyped.channels).toEqualTypeOf<Readonly<Record<string, Json>>>()
    expectTypeOf<ChannelsOf<ReturnType<typeof createAgent>>['answer']>().toEqualTypeOf<string>()
    await runtime.close()
  })

  test('has a valid spec of plain data without lint findings, which binds again', async () => {
    const spec = parseSpec(JSON.parse(JSON.stringify(shop.spec)) as unknown)
    expect(spec).toEqual(shop.spec)
    expect(spec.nodes.check).toMatchObject({ use: 'code', tools: ['stock'] })
    expect(spec.tools.stock).toMatchObject({ use: 'code', effects: 'read' })
    expect(lint(spec).filter(({ severity }) => severity === 'error')).toEqual([])
    const again = bindGraph(spec, { nodes: { check }, tools: { stock } })
    expect(again.machine.hash).toBe(shop.machine.hash)
    expect(await resultOf(again, { article: 'clock' })).toMatchObject({ result: { left: 3 } })
  })

  test('takes its types from its channels without schemas for input and output', () => {
    const graph = defineGraph({
      id: 'channels',
      start: 'work',
      channels: {
        article: z.string(),
        seen: { schema: z.object({ at: z.number() }), reducer: 'append' },
        count: { type: 'integer', default: 0 },
        size: type('string'),
      },
      input: ['article'],
      output: ['seen', 'count'],
      nodes: { work: { use: 'pass', in: ['article'], on: { done: 'end' } }, end: END },
    })
    expectTypeOf<InputOf<typeof graph>['article']>().toEqualTypeOf<string>()
    expectTypeOf<OutputOf<typeof graph>>().toEqualTypeOf<{
      readonly seen: readonly { at: number }[] | null
      readonly count: number | null
    }>()
    expect(graph.spec.channels).toMatchObject({
      article: { type: 'string', reducer: 'last' },
      seen: { type: 'object', reducer: 'append' },
      count: { type: 'integer', default: 0 },
      size: { type: 'string' },
    })
  })

  test('validates an input with its schema, also beyond JSON Schema', () => {
    const even = z.number().refine(count => count % 2 === 0, 'expected an even number')
    const graph = defineGraph({
      id: 'even',
      start: 'work',
      input: z.object({ count: even, note: z.string().default('none') }),
      nodes: { work: { use: 'pass', on: { done: 'end' } }, end: END },
    })
    expectTypeOf<InputOf<typeof graph>>().toEqualTypeOf<{ count: number; note?: string }>()
    expect(graph.machine.checkInput({ count: 2 })).toEqual([])
    expect(graph.machine.checkInput({})).toEqual([{ path: 'input.count', message: 'is missing' }])
    expect(graph.machine.checkInput({ count: 3 })).toEqual([
      { path: 'input.count', message: 'expected an even number' },
    ])
  })

  test('suggests the name for a misspelled input', () => {
    expect(shop.machine.checkInput({ article: 'clock', artcle: 1, articles: 2 })).toEqual([
      {
        path: 'input.artcle',
        message: "unknown channel 'artcle'; did you mean 'article'?",
      },
      {
        path: 'input.articles',
        message: "unknown channel 'articles'; did you mean 'article'?",
      },
    ])
  })

  test('runs graphs, and nodes in regions, with their implementations', async () => {
    const run = node({ graphs: { shop } }, async ({ run }) => run.shop({ article: 'clock' }))
    const graph = defineGraph({
      id: 'both',
      start: 'both',
      channels: { left: z.number() },
      tools: { refund },
      nodes: {
        both: {
          regions: {
            one: {
              start: 'A',
              nodes: { A: { use: run, out: ['left'], on: { done: 'a' } }, a: END },
            },
            two: { start: 'B', nodes: { B: { use: 'pass', on: { done: 'b' } }, b: END } },
          },
          on: { done: 'end' },
        },
        end: END,
      },
    })
    expect(await resultOf(graph, {})).toMatchObject({ outcome: 'success', result: { left: 3 } })
  })

  test('accepts models as values with their settings, and as data', () => {
    const graph = defineGraph({
      id: 'models',
      start: 'think',
      models: {
        fast,
        smart: { model: fast, id: 'smart', price: { input: 1, output: 2 }, timeout: '2m' },
        cheap: { id: 'gpt-4o-mini', smarter: 'smart' },
      },
      tools: { read_file: { use: 'read_file' }, refund },
      nodes: {
        think: { use: 'model', model: 'cheap', tools: ['refund'], on: { done: 'end' } },
        end: END,
      },
    })
    expect(graph.models.smart).toMatchObject({ id: 'smart', timeout: 120_000 })
    expect(graph.models.smart?.price).toEqual({ input: 1, output: 2 })
    expect(graph.spec.models.fast).toMatchObject({ id: 'fast' })
    expect(graph.models.cheap?.id).toBe('gpt-4o-mini')
  })

  test('take the policy of an agent, as the documents advise for a spec', () => {
    const { machine, spec } = createAgent({
      id: 'shop',
      model: fast,
      tools: { stock },
      breaker: { threshold: 6, reset: '5s' },
      failures: { rules: [{ id: 'busy', status: [503], class: 'business' }] },
      confirm: { stock: 'always' },
      accept: ['unused tools.stock'],
    })
    expect(machine.policy.breaker).toMatchObject({ threshold: 6, reset: 5_000 })
    expect(machine.policy.failures[0]).toMatchObject({ id: 'busy', class: 'business' })
    expect([machine.policy.confirm, spec.accept]).toEqual([
      { stock: 'always' },
      ['unused tools.stock'],
    ])
  })

  test.each<[unknown, string]>([
    ['escapement: 1', 'expected the definition of a graph'],
    [undefined, 'expected the definition of a graph'],
    [{ id: 'x', start: 'a' }, 'nodes: is missing; expected a map'],
    [{ id: 'x', start: 'a', nodes: [] }, 'nodes: expected a map, received a list'],
    [{ id: 'x', start: 'a', nodes: { a: null } }, 'nodes.a: expected a map, received nothing'],
    [
      { id: 'x', start: 'a', nodes: { a: { regions: { r: null } } } },
      'nodes.a.regions.r: expected a map, received nothing',
    ],
  ])('says what a definition that is none lacks: %j', (definition, fault) => {
    expect(() => defineGraph(definition as never)).toThrow(fault)
  })

  test('names an invalid channel, and two tools with the same name', () => {
    const nodes = { A: { use: check, on: { done: 'end' } }, end: END } as const
    expect(() => defineGraph({ id: 'a', start: 'A', nodes, channels: { x: v.string() } })).toThrow(
      'channels.x: gives no JSON Schema; expected a schema of zod or arktype, or a JSON Schema',
    )
    expect(() => defineGraph({ id: 'a', start: 'A', nodes, input: z.string() })).toThrow(
      'input: expected the schema of an object, whose properties become channels',
    )
    const other = tool({ ...stock, inputSchema: z.object({}), execute: () => 1 })
    expect(() => defineGraph({ id: 'a', start: 'A', nodes, tools: { stock: other } })).toThrow(
      "nodes.A: brings another 'stock' than the graph has",
    )
    expect(() => defineGraph({ id: 'a b', start: 'A', nodes })).toThrow(InvalidSpec)
  })
})

describe('a spec with a literal type', () => {
  const spec = parseSpec({
    escapement: 1,
    id: 'data',
    start: 'A',
    tools: { stock: { use: 'code' } },
    models: { fast: { id: 'fast' } },
    nodes: { A: { use: 'code', tools: ['stock'], on: { done: 'end' } }, end: END },
  })

  test('binds exactly the names in it', () => {
    expect(
      bindGraph(spec, { nodes: { A: check }, tools: { stock }, models: { fast } }),
    ).toBeTruthy()
    expect(() =>
      bindGraph(parseSpec(spec as unknown), {
        nodes: { A: check },
        tools: { stok: stock, stock },
        models: { fast, smart: fast },
      }),
    ).toThrow(
      "tools.stok: is not in the spec; did you mean 'stock'?\nmodels.smart: is not in the spec; expected one of: fast",
    )
    expect(() => bindGraph(spec)).toThrow(
      'tools.stock.use: has no implementation; pass it to bindGraph under this name',
    )
  })
})
