import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { FAILURE_RULES } from '../../src/core/watch/failure/failure-rules.ts'
import { classify, factsOf } from '../../src/core/watch/failure/failure.ts'
import { BusinessError } from '../../src/kit/business-error.ts'
import { InvalidArguments, tool } from '../../src/kit/tool.ts'
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
  test('tells the model its arguments as JSON Schema', () => {
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

  test('reads arguments, fills in defaults, and is run with them', async () => {
    const args = move.parse({ piece: 'rook', to: { row: 3 } })
    expect(args).toEqual({ piece: 'rook', to: { row: 3 }, fast: false })
    expect(await move.execute(args, fakeCall())).toBe('rook to 3')
  })

  test.each([
    [{ to: { row: 3 } }, 'move: piece: is missing; expected string'],
    [{ piece: 'rook', to: { row: 9 } }, 'move: to.row: Too big: expected number to be <=8'],
    [{ piece: 'rook', to: { row: 3 }, where: 'there' }, 'move: where: is not known here'],
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
  ])('refuses %j and says what was expected where', (args, message) => {
    expect(() => move.parse(args)).toThrow(InvalidArguments)
    expect(() => move.parse(args)).toThrow(message)
  })

  test('counts as safe to repeat when it only reads, and as not safe when it writes, unless it says otherwise', () => {
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

  test('takes an object only, because function calling knows nothing else', () => {
    expect(() =>
      tool({
        name: 'x',
        description: '',
        inputSchema: z.string(),
        effects: 'read',
        execute: async () => null,
      }),
    ).toThrow("the schema of the tool 'x' must be of an object")
  })

  test('hands its compensation and its reconciliation the arguments as they were read', async () => {
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

test('wrong arguments are persistent, and a business error is a business failure; neither counts against the tool', () => {
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
