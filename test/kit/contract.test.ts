/** The contract of the results of a tool: what does not fit is a failed call, also where the tool reports success. */
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { isInvalidResult, tool } from '../../src/kit/tool.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { simulate } from '../../src/simulate/run/simulate.ts'
import type { Code } from '../../src/core/graph/lint/flow.ts'
import { lint } from '../../src/core/graph/lint/lint.ts'
import { defined } from '../../src/core/watch/data/json.ts'
import { specOf } from '../graph/linted.ts'
import { shop, subjectOf } from '../simulate/fixture.ts'

const LEFT = { type: 'object', properties: { left: { type: 'integer' } }, required: ['left'] }
const ORDERED = { type: 'object', required: ['ordered'] }
const CONTRACTS = {
  stock: { use: 'code', output: LEFT },
  order: { use: 'code', output: ORDERED },
}

async function runWith(faults: object, tools: object = CONTRACTS) {
  const subject = subjectOf(shop(undefined, { tools }), { faults: [faults] as never })
  const { outcome, journal } = await simulate(subject, { seed: 1 })
  const failures = journal.flatMap(({ event }) =>
    event.type === 'tool.failed' ? [event.failure] : [],
  )
  return { outcome, failures }
}

test('an empty result of a read is a transient failure of the service, and the retry succeeds', async () => {
  const { outcome, failures } = await runWith({
    id: 'empty',
    on: 'tool:stock',
    how: { nth: [1] },
    what: 'empty',
  })
  expect(failures).toMatchObject([
    {
      name: 'InvalidResult',
      rule: 'contract',
      class: 'transient',
      scope: 'resource',
      message: expect.stringContaining('stock: result: expected object'),
    },
  ])
  expect(outcome).toBe('success')
})

test('without a contract, the same result counts as an answer', async () => {
  const fault = { id: 'empty', on: 'tool:stock', how: { nth: [1] }, what: 'empty' }
  const { failures } = await runWith(fault, { stock: { use: 'code' }, order: { use: 'code' } })
  expect(failures).toEqual([])
})

test('a write with a broken result may have taken effect: it is not repeated blindly', async () => {
  const tools = { ...CONTRACTS, order: { ...CONTRACTS.order, idempotent: false } }
  const fault = { id: 'broken', on: 'tool:order', what: { wrong: { value: 'ok' } } }
  const { failures } = await runWith(fault, tools)
  expect(failures).toHaveLength(1)
  expect(failures).toMatchObject([{ name: 'InvalidResult', class: 'indeterminate' }])
})

test('a tool in code declares its contract as a schema, and the result stays as it is', async () => {
  const search = tool({
    name: 'search',
    description: 'Searches.',
    inputSchema: z.object({}),
    outputSchema: z.object({ hits: z.array(z.string()).min(1) }),
    effects: 'read',
    execute: () => ({ hits: ['a'], extra: 1 }),
  })
  expect(search.checkResult?.({ hits: ['a'], extra: 1 })).toBeUndefined()
  const error = (() => {
    try {
      search.checkResult?.({ hits: [] })
    } catch (thrown) {
      return thrown
    }
  })()
  expect(isInvalidResult(error)).toBe(true)
  expect(String(error)).toMatch(/search: hits: /)
})

test('a contract that is not a JSON Schema is a fault with its path', () => {
  const { faults } = readSpec({
    escapement: 1,
    id: 'trial',
    start: 'A',
    nodes: { A: { use: 'tool', tool: 't', on: { done: 'E' } }, E: { final: 'success' } },
    tools: { t: { use: 'flaky', output: { type: 'strange' } } },
  })
  expect(faults).toMatchObject([
    { path: 'tools.t.output', message: expect.stringContaining('is not a valid JSON Schema') },
  ])
})

const GRAPH = `
nodes:
  A: { use: tool, tool: a, on: { done: B } }
  B: { use: tool, tool: b, on: { done: C } }
  C: { use: tool, tool: list_dir, on: { done: D } }
  D: { use: tool, tool: d, on: { done: E } }
  E: { final: success }
tools: { a: { use: code, output: { type: object } }, b: { use: ./b.ts#b }, list_dir: { use: list_dir }, d: { use: flaky } }
`

test('lint warns of a tool without an output contract, neither in the spec nor in its code', () => {
  const spec = specOf(parse(GRAPH) as object)
  const rules = (code?: Code) =>
    lint(spec, defined({ code }))
      .filter(({ rule }) => rule === 'no-output-contract')
      .map(({ severity, path }) => `${severity} ${path}`)
  expect(rules()).toEqual(['warning tools.b'])
  expect(rules({ tools: { b: {} } })).toEqual(['warning tools.b'])
  expect(rules({ tools: { b: { checkResult: () => {} } } })).toEqual([])
})

test('lint reads the contract in the code of a graph within a graph', () => {
  const graphs = {
    inner: {
      escapement: 1,
      id: 'inner',
      start: 'A',
      nodes: { A: { use: 'tool', tool: 't', on: { done: 'E' } }, E: { final: 'success' } },
      tools: { t: { use: 'code' } },
    },
  }
  const spec = specOf({
    nodes: { A: { use: 'graph', graph: 'inner', on: { done: 'E' } }, E: { final: 'success' } },
    graphs,
  })
  const found = (code: Code) =>
    lint(spec, { code }).filter(({ rule }) => rule === 'no-output-contract')
  expect(found({ tools: {}, graphs: { inner: { tools: { t: {} } } } })).toMatchObject([
    { path: 'graphs.inner.tools.t' },
  ])
  const checked = { tools: {}, graphs: { inner: { tools: { t: { checkResult: () => {} } } } } }
  expect(found(checked)).toEqual([])
})

describe('lint checks the constant arguments of a node with the schema of its tool', () => {
  const arguments_ = z.object({ host: z.string(), port: z.number().default(80) })
  const looking = (inputSchema: z.ZodType) =>
    tool({ description: 'Looks', inputSchema, effects: 'read', execute: () => 'up' })
  const found = (node: object, schema: z.ZodType = arguments_) =>
    lint(
      specOf({
        input: ['host'],
        channels: { host: { type: 'string' } },
        nodes: {
          A: { use: 'tool', tool: 'look', on: { done: 'E', error: 'E' }, ...node },
          E: { final: 'success' },
        },
        tools: { look: { use: 'code' } },
      }),
      { code: { tools: { look: looking(schema) } } },
    )
      .filter(({ rule }) => rule === 'wrong-arguments')
      .map(({ severity, path, message }) => `${severity} ${path}: ${message}`)

  test('wrong ones are errors', () => {
    expect(found({ args: { host: 5 } })).toEqual([
      "error nodes.A.args.host: the tool 'look' does not accept it: expected string, received number",
    ])
    expect(found({ args: { hots: 'x' } })).toEqual([
      "error nodes.A.args.host: the tool 'look' does not accept it: is missing; expected string",
    ])
    expect(found({ args: { port: 443 }, in: ['host'] })).toEqual([
      "error nodes.A.args.host: the tool 'look' does not accept it: is missing; expected string; `args` replaces `in`",
    ])
  })

  test('as a whole, also if the schema throws', () => {
    const whole = z.object({ host: z.string() }).refine(({ host }) => host !== 'none', 'is none')
    const throwing = z.object({ host: z.string().transform(text => new Date(text).toISOString()) })
    expect(found({ args: { host: 'none' } }, whole)).toEqual([
      "error nodes.A.args: the tool 'look' does not accept it: is none",
    ])
    expect(found({ args: { host: 'none' } }, throwing)).toEqual([
      "error nodes.A.args: the tool 'look' does not accept it: cannot be checked: the schema threw RangeError: Invalid time value",
    ])
  })

  test('others are not', () => {
    expect(found({ args: { host: 'db1' } })).toEqual([])
    expect(found({ in: ['host'] })).toEqual([])
  })
})
