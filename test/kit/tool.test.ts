import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { FAILURE_RULES } from '../../src/core/watch/failure/failure-rules.ts'
import { classify, factsOf } from '../../src/core/watch/failure/failure.ts'
import { BusinessError, InvalidArguments, tool } from '../../src/kit/tool.ts'
import type { Tool } from '../../src/runtime/ports.ts'
import { fakeCall } from './fake.ts'

const move = tool({
  name: 'move',
  description: 'Moves a piece.',
  inputSchema: z.strictObject({
    piece: z.string(),
    to: z.strictObject({ row: z.int().min(1).max(8) }),
    fast: z.boolean().default(false),
  }),
  effects: 'write',
  execute: async ({ piece, to, fast }) => `${piece} to ${to.row}${fast ? ', fast' : ''}`,
})

describe('a tool', () => {
  test('describes its arguments to the model as JSON Schema', () => {
    expect(move.parameters).toEqual({
      type: 'object',
      properties: {
        piece: { type: 'string' },
        to: {
          type: 'object',
          properties: { row: { type: 'integer', minimum: 1, maximum: 8 } },
          required: ['row'],
          additionalProperties: false,
        },
        fast: { type: 'boolean', default: false },
      },
      required: ['piece', 'to'],
      additionalProperties: false,
    })
  })

  test('parses its arguments, applies defaults, and runs with them', async () => {
    const args = move.parse({ piece: 'rook', to: { row: 3 } })
    expect(args).toEqual({ piece: 'rook', to: { row: 3 }, fast: false })
    expect(await move.execute(args, fakeCall())).toBe('rook to 3')
  })

  test.each([
    [{ to: { row: 3 } }, 'move: piece: is missing; expected string'],
    [{ piece: 'rook', to: { row: 9 } }, 'move: to.row: Too big: expected number to be <=8'],
    [{ piece: 'rook', to: { row: 3 }, where: 'there' }, 'move: where: is unknown'],
    [
      { piece: 4, to: 'there' },
      'move: piece: expected string, received number; to: expected object, received string',
    ],
    [
      '{"piece": "ro',
      'move: arguments: expected a JSON object, received text that is not JSON: {"piece": "ro',
    ],
    [null, 'move: arguments: expected object, received null'],
    [[], 'move: arguments: expected object, received array'],
  ])('rejects %j with the path and the expectation', (args, message) => {
    expect(() => move.parse(args)).toThrow(InvalidArguments)
    expect(() => move.parse(args)).toThrow(message)
  })

  test('is idempotent by default if it reads, and not if it writes', () => {
    const bare = {
      name: 'x',
      description: '',
      inputSchema: z.strictObject({}),
      execute: async () => null,
    }
    expect(tool({ ...bare, effects: 'read' })).toMatchObject({ idempotent: true, timeout: 30_000 })
    expect(tool({ ...bare, effects: 'write' })).toMatchObject({ idempotent: false })
    expect(
      tool({ ...bare, effects: 'write', idempotent: true, timeout: 500, retry: { attempts: 1 } }),
    ).toMatchObject({ idempotent: true, timeout: 500, retry: { attempts: 1 } })
  })

  test('takes the notation of a spec for its protection, and parses it once', () => {
    const options = {
      description: 'Finds.',
      inputSchema: z.object({}),
      effects: 'read',
      execute: () => 1,
    } as const
    const find = tool({
      ...options,
      retry: { attempts: 2, base: '2s' },
      breaker: { threshold: 6, reset: '5s' },
    })
    expect(find.breaker).toEqual({ threshold: 6, reset: 5_000 })
    expect(find.retry).toEqual({ attempts: 2, base: 2_000 })
    expect(tool({ ...options, retry: 0 }).retry).toEqual({ attempts: 1 })
    expect(tool({ ...options, breaker: { reset: 5_000 } }).breaker).toEqual({ reset: 5_000 })
    expect(() => tool({ ...options, breaker: { reset: '5 s' } })).toThrow(
      "the tool 'tool' is invalid: breaker.reset: expected a duration such as 250ms, 30s, 10m, 1h or 1d",
    )
  })

  test('accepts only an object, as function calling requires', () => {
    expect(() =>
      tool({
        name: 'x',
        description: '',
        inputSchema: z.string(),
        effects: 'read',
        execute: async () => null,
      }),
    ).toThrow("the schema of the tool 'x' is not of an object")
  })

  test('passes parsed arguments to its compensation and its reconciliation', async () => {
    const seen: unknown[] = []
    const undoable = tool({
      name: 'pay',
      description: '',
      inputSchema: z.strictObject({ amount: z.number() }),
      effects: 'write',
      execute: async () => 'paid',
      compensate: async ({ amount }, paid) => void seen.push([amount, paid]),
      reconcile: async ({ amount }) => ({ answer: amount > 1 ? 'applied' : 'not-applied' }),
    })
    await undoable.compensate?.({ amount: 2 }, 'paid', fakeCall())
    expect(seen).toEqual([[2, 'paid']])
    expect(await undoable.reconcile?.({ amount: 2 }, fakeCall())).toEqual({ answer: 'applied' })
  })
})

describe('a schema of another library', () => {
  const rest = { name: 'pay', description: '', effects: 'write' } as const

  test('of arktype provides JSON Schema, validation and the types of arguments', () => {
    const pay = tool({
      ...rest,
      inputSchema: type({ amount: 'string.numeric.parse', 'note?': 'string' }),
      execute: ({ amount, note }) => {
        expectTypeOf(amount).toEqualTypeOf<number>()
        expectTypeOf(note).toEqualTypeOf<string | undefined>()
        return amount
      },
    })
    expectTypeOf(pay).toEqualTypeOf<Tool<{ amount: string; note?: string }, number>>()
    expect(pay.parameters).toMatchObject({ type: 'object', required: ['amount'] })
    expect(pay.parse({ amount: '450' })).toEqual({ amount: 450 })
    expect(() => pay.parse({ amount: 'much' })).toThrow(/^pay: amount: amount must be/)
  })

  test('of valibot uses the given JSON Schema, and reports a missing one', () => {
    const inputSchema = v.object({ order: v.object({ id: v.string() }) })
    const parameters = { type: 'object', properties: { order: { type: 'object' } } } as const
    const execute = ({ order }: v.InferOutput<typeof inputSchema>) => order.id
    const pay = tool({ ...rest, inputSchema, parameters, execute })
    expect(pay.parameters).toBe(parameters)
    expect(() => pay.parse({ order: { id: 4 } })).toThrow(
      'pay: order.id: Invalid type: Expected string but received 4',
    )
    expect(() => tool({ ...rest, inputSchema, execute })).toThrow(
      "the schema of the tool 'pay' gives no JSON Schema; add it as `parameters`",
    )
  })

  test('is optional: a JSON Schema is enough', () => {
    const pay = tool({
      ...rest,
      inputSchema: {
        type: 'object',
        properties: { amount: { type: 'number' } },
        required: ['amount'],
      },
      execute: args => args,
    })
    expect(pay.parse({ amount: 4 })).toEqual({ amount: 4 })
    expect(() => pay.parse({})).toThrow('pay: amount: is missing; expected number')
  })

  test('must not validate asynchronously', () => {
    const inputSchema = z.object({ id: z.string().refine(async () => true) })
    const pay = tool({ ...rest, inputSchema, execute: () => null })
    expect(() => pay.parse({ id: 'x' })).toThrow(
      'the schema of arguments validates asynchronously; expected a synchronous schema',
    )
  })
})

test('invalid arguments are persistent failures, and a business error is a business failure; neither affects the breaker', () => {
  const kindOf = (error: unknown) => classify(factsOf(error), FAILURE_RULES)
  expect(kindOf(new InvalidArguments('x', []))).toMatchObject({
    class: 'persistent',
    scope: 'request',
  })
  expect(kindOf(new BusinessError('sold out'))).toMatchObject({
    class: 'business',
    scope: 'request',
  })
})

test.each<[object, string]>([
  [{ inputSchema: undefined }, 'has no inputSchema; expected the schema of an object'],
  [{ effects: undefined }, "has no effects; expected 'read' or 'write'"],
  [{ execute: undefined }, 'has no execute; expected a function'],
  [{ confrm: true }, "has the option 'confrm', which is unknown; did you mean 'confirm'?"],
  [
    { prompt: 'x' },
    "has the option 'prompt', which is unknown; expected one of: name, description",
  ],
])('a tool with a wrong option is rejected by its name: %j', (wrong, fault) => {
  const right = { name: 'save', description: 'Saves.', effects: 'write', execute: () => null }
  const options = { ...right, inputSchema: { type: 'object' }, ...wrong }
  expect(() => tool(options as never)).toThrow(`the tool 'save' ${fault}`)
})
