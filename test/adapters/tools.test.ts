/** Tools of other libraries, with the real packages. */
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ToolMessage } from '@langchain/core/messages'
import { tool as langchainTool } from '@langchain/core/tools'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { dynamicTool, type JSONSchema7, jsonSchema, tool as aiSdkTool } from 'ai'
import { DynamicTool } from 'langchain'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { aiSdkTools } from '../../src/ai-sdk.ts'
import { type LangChainTool, langchainTools } from '../../src/langchain.ts'
import { isRefusal } from '../../src/core/watch/failure/doubt.ts'
import { isMcpToolError, mcpTools } from '../../src/mcp.ts'
import { createRuntime, defineGraph, memoryStore } from '../../src/index.ts'
import type { Tool } from '../../src/runtime/ports.ts'
import { fakeCall } from '../kit/fake.ts'
import { failure } from '../suites/model.ts'
import { stockServer } from './fixture/mcp-server.ts'

/** As the runtime calls a tool. */
const run = async (tool: Tool | undefined, args: Parameters<Tool['parse']>[0], call = fakeCall()) =>
  tool?.execute(tool.parse(args), call)

describe('tools of the AI SDK', () => {
  const search = aiSdkTool({
    description: 'Searches.',
    inputSchema: z.object({ query: z.string(), limit: z.coerce.number().default(3) }),
    execute: async ({ query, limit }, { toolCallId, abortSignal }) => ({
      query,
      limit,
      toolCallId,
      aborted: abortSignal?.aborted,
    }),
  })

  test('receive validated and coerced arguments, the key of the call and its signal', async () => {
    const tools = aiSdkTools({ search })
    expect(tools.search).toMatchObject({
      name: 'search',
      description: 'Searches.',
      parameters: { type: 'object', required: ['query'] },
    })
    expect(await run(tools.search, { query: 'x', limit: '7' })).toEqual({
      query: 'x',
      limit: 7,
      toolCallId: 'thread/act#1/1',
      aborted: false,
    })
    expect(() => tools.search.parse({ query: 7 })).toThrow('search: query: ')
    expectTypeOf<NonNullable<(typeof tools.search)['~types']>['input']>().toEqualTypeOf<{
      query: string
      limit: number
    }>()
  })

  test('count as writes by default, and accept settings', () => {
    const tools = aiSdkTools(
      { search, refund: search },
      {
        search: { effects: 'read', timeout: 5_000, retry: { attempts: 1 } },
        refund: { confirm: ({ limit }) => limit > 100, idempotent: true },
      },
    )
    expect(tools.search).toMatchObject({
      effects: 'read',
      idempotent: true,
      timeout: 5_000,
      retry: { attempts: 1 },
    })
    expect(tools.refund).toMatchObject({ effects: 'write', idempotent: true, timeout: 30_000 })
    expect(tools.refund.confirm?.({ limit: 101 })).toBe(true)
    expect(() => aiSdkTools({ search }, { serch: {} } as never)).toThrow(
      "settings for an unknown tool 'serch'; the tools are search",
    )
  })

  test('ask a person if they require approval', () => {
    const asking = (needsApproval: unknown) =>
      aiSdkTools({ search: { ...search, needsApproval } as typeof search }).search.confirm?.({
        query: 'x',
      })
    expect(asking(true)).toBe(true)
    expect(asking(({ query }: { query: string }) => query === 'y')).toBe(false)
    expect(asking(async () => false)).toBe(true)
    expect(asking(undefined)).toBeUndefined()
  })

  test('may have a JSON Schema with or without validation, or stream their results', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    } satisfies JSONSchema7
    const tools = aiSdkTools({
      plain: dynamicTool({ inputSchema: jsonSchema(schema), execute: async input => input }),
      checked: aiSdkTool({
        inputSchema: jsonSchema<{ n: number }>(schema, {
          validate: value =>
            (value as { n: number }).n > 0
              ? { success: true, value: value as { n: number } }
              : { success: false, error: new Error('n is too small') },
        }),
        async *execute({ n }) {
          yield n
          yield n + 1
        },
      }),
    })
    expect(await run(tools.plain, { n: 1 })).toEqual({ n: 1 })
    expect(() => tools.plain.parse({ n: 'x' })).toThrow('plain: n: ')
    expect(() => tools.checked.parse({ n: 0 })).toThrow('n is too small')
    expect(await run(tools.checked, { n: 1 })).toBe(2)
  })

  /** Runs a tool with a timeout of 50 ms that yields without an end, and counts its results. */
  async function yielding(next: (n: number) => number | Promise<number>) {
    const seen = { yielded: 0, ended: false }
    const { count } = aiSdkTools(
      {
        count: aiSdkTool({
          inputSchema: z.object({}),
          async *execute() {
            try {
              for (;;) yield await next(seen.yielded++)
            } finally {
              seen.ended = true
            }
          },
        }),
      },
      { count: { effects: 'read', timeout: 50 } },
    )
    const graph = defineGraph({
      id: 'counting',
      start: 'a',
      nodes: {
        a: { use: 'tool', tool: 'count', on: { done: 'e', error: 'f' } },
        e: { final: 'success' },
        f: { final: 'failure' },
      },
      tools: { count: count as Tool },
      retry: 0,
    })
    const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
    const { outcome } = await (await runtime.start(graph, {})).result()
    await runtime.close()
    await expect.poll(() => seen.ended).toBe(true)
    return { outcome, yielded: seen.yielded }
  }

  test('that yield results without an end or a pause are ended by their timeout', async () => {
    expect((await yielding(n => n)).outcome).toBe('failure')
  })

  test('that ignore the end of their call are ended at their next result', async () => {
    const { outcome, yielded } = await yielding(n => pause(5, n))
    expect(outcome).toBe('failure')
    expect(yielded).toBeLessThan(50)
  })

  test('without execute are rejected', () => {
    expect(() => aiSdkTools({ far: aiSdkTool({ inputSchema: z.object({}) }) })).toThrow(
      "the tool 'far' has no execute",
    )
  })
})

describe('tools of LangChain', () => {
  const length = langchainTool(async ({ text }) => text, {
    name: 'length',
    description: 'The length of a text.',
    schema: z.object({ text: z.string().transform(text => text.length) }),
  })
  const twice = langchainTool(async ({ n }) => n * 2, {
    name: 'twice',
    description: 'Twice a number.',
    schema: z.object({ n: z.number() }),
  })

  test('are validated here, and transform their arguments once', async () => {
    const tools = langchainTools([length], { length: { effects: 'read' } })
    expect(tools.length).toMatchObject({
      effects: 'read',
      parameters: { type: 'object', properties: { text: { type: 'string' } } },
    })
    expect(await run(tools.length, { text: 'four' })).toBe(4)
    expect(() => tools.length?.parse({ text: 4 })).toThrow('length: ')
  })

  test('give the types of their arguments to their settings, by name', () => {
    const tools = langchainTools([length, twice], {
      length: { confirm: ({ text }) => text.length > 3 },
      twice: { confirm: ({ n }) => n.toFixed(0) === '2', breaker: { reset: '5s' } },
    })
    expect(tools.length.confirm?.({ text: 'four' })).toBe(true)
    expect(tools.twice.confirm?.({ n: 2 })).toBe(true)
    expect(tools.twice.breaker).toEqual({ reset: 5_000 })
    const named: readonly LangChainTool[] = [length]
    const any = langchainTools(named, { length: { confirm: ({ text }) => text === 'four' } })
    expect(any.length?.confirm?.({ text: 'four' })).toBe(true)
    const wrong = { n: { confirm: true } }
    // @ts-expect-error: no tool has this name.
    expect(() => langchainTools([twice], wrong)).toThrow("settings for an unknown tool 'n'")
  })

  test('receive the signal of the call', async () => {
    const reason = new Error('left')
    const tools = langchainTools([
      langchainTool(async (_, config) => void config.signal?.throwIfAborted(), {
        name: 'slow',
        description: '',
        schema: z.object({}),
      }),
    ])
    const call = fakeCall({ signal: AbortSignal.abort(reason) })
    await expect(run(tools.slow, {}, call)).rejects.toBe(reason)
  })

  test('report an error in a message, which does not prove that a write was refused', async () => {
    const content = 'Request failed with status code 429'
    const message = new ToolMessage({ content, status: 'error', tool_call_id: 'c1' })
    const fields = { name: 'pay', description: '', schema: z.object({}) }
    const tools = langchainTools([langchainTool(async () => message, fields)])
    const failed = await failure(run(tools.pay, {}))
    expect(failed.facts).toMatchObject({ name: 'ToolMessageError', message: content })
    expect(
      isRefusal({ ...failed.facts, class: failed.class, scope: 'request', rule: failed.rule }),
    ).toBe(false)
  })

  test('work with one text argument or with a JSON Schema', async () => {
    const tools = langchainTools([
      new DynamicTool({ name: 'echo', description: 'Echoes.', func: async input => `${input}!` }),
      langchainTool(async input => input, {
        name: 'json',
        description: '',
        schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      }),
    ])
    expect(tools.echo?.parameters).toMatchObject({ properties: { input: { type: 'string' } } })
    expect(await run(tools.echo, { input: 'hi' })).toBe('hi!')
    expect(await run(tools.json, { n: 1 })).toEqual({ n: 1 })
    expect(() => tools.json?.parse({})).toThrow('json: ')
  })
})

describe('tools of an MCP server', () => {
  async function inProcess() {
    const [here, there] = InMemoryTransport.createLinkedPair()
    const server = stockServer()
    await server.connect(there)
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(here)
    onTestFinished(() => client.close())
    return { client, server }
  }

  test('are listed once, with the hints of the server', async () => {
    const { client } = await inProcess()
    const tools = await mcpTools(client, { wait: { effects: 'read' } })
    expect(Object.keys(tools)).toEqual(['stock', 'order', 'wait', 'die'])
    expect(tools.stock).toMatchObject({
      description: 'How many of an article are left.',
      effects: 'read',
      idempotent: true,
      parameters: { required: ['article'] },
    })
    expect(tools.order).toMatchObject({ effects: 'write', idempotent: true })
    expect(tools.wait).toMatchObject({ effects: 'read' })
    expect(tools.die).toMatchObject({ effects: 'write', idempotent: false })
  })

  test('return their text, or their structured content', async () => {
    const tools = await mcpTools((await inProcess()).client)
    expect(await run(tools.stock, { article: 'clock' })).toBe('3 of clock')
    expect(await run(tools.order, { article: 'clock', count: 2 })).toEqual({ ordered: 2 })
    expect(() => tools.order?.parse({ article: 'clock', count: 1.5 })).toThrow('order: count: ')
  })

  test('of a server whose patterns are too large together are refused', async () => {
    const pattern = (at: number) => `r${at}[${'\\p{L}'.repeat(250)}]`
    const listed = Array.from({ length: 60 }, (_, at) => ({
      name: `tool${at}`,
      inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: pattern(at) } } },
    }))
    const listTools = async () => ({ tools: listed })
    const callTool = async () => ({})
    await expect(mcpTools({ listTools, callTool })).rejects.toThrow(
      /^the tools of the server: `tool\d+\.properties\.a\.pattern`: the patterns up to this one/,
    )
  })

  test('with a schema that cannot be checked here give it to the model unchanged', async () => {
    const name = { type: 'string', pattern: '^(?!admin)' }
    const inputSchema = { type: 'object', properties: { name }, required: ['name'] }
    const { find } = await mcpTools({
      listTools: async () => ({ tools: [{ name: 'find', inputSchema }] }),
      callTool: async ({ arguments: args }) => ({ structuredContent: args }),
    })
    expect(find?.parameters).toEqual(inputSchema)
    expect(await run(find, { name: 'admin' })).toEqual({ name: 'admin' })
  })

  test('report errors as request failures, which are never retried', async () => {
    const tools = await mcpTools((await inProcess()).client)
    const failed = await failure(run(tools.stock, { article: 'unicorn' }))
    expect(isMcpToolError(failed.error)).toBe(true)
    expect(failed).toMatchObject({
      class: 'business',
      facts: { message: 'unicorns are out of stock: unknown article' },
    })
  })

  test('end with the reason of the signal', async () => {
    const tools = await mcpTools((await inProcess()).client)
    const controller = new AbortController()
    const reason = new Error('timed out here')
    const waiting = run(tools.wait, {}, fakeCall({ signal: controller.signal }))
    setImmediate(() => controller.abort(reason))
    await expect(waiting).rejects.toBe(reason)
  })

  test('of a lost server fail with a transient error', async () => {
    const { client, server } = await inProcess()
    const tools = await mcpTools(client)
    await server.close()
    expect(await failure(run(tools.stock, { article: 'clock' }))).toMatchObject({
      class: 'transient',
      rule: 'network',
    })
  })

  test('over stdio survive a server crash if a function connects', async () => {
    const clients: Client[] = []
    onTestFinished(async () => void (await Promise.all(clients.map(client => client.close()))))
    const tools = await mcpTools(async () => {
      const client = new Client({ name: 'test', version: '1.0.0' })
      const file = fileURLToPath(new URL('fixture/mcp-server.ts', import.meta.url))
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [file] }))
      clients.push(client)
      return client
    })
    expect(await run(tools.stock, { article: 'clock' })).toBe('3 of clock')
    expect(await failure(run(tools.die, {}))).toMatchObject({ class: 'transient', rule: 'network' })
    expect(await run(tools.stock, { article: 'clock' })).toBe('3 of clock')
    expect(clients).toHaveLength(2)
  })
})
