import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { Json } from '../../src/core/watch/data/json.ts'
import { node } from '../../src/kit/nodes/node.ts'
import { tool } from '../../src/kit/tool.ts'
import { CallFailed, done, Labeled } from '../../src/runtime/outcome.ts'
import type { Graph, Task } from '../../src/runtime/ports.ts'

const stock = tool({
  name: 'stock',
  description: 'How many are left.',
  inputSchema: z.object({ article: z.string() }),
  effects: 'read',
  execute: async ({ article }) => ({ article, left: 3 }),
})

const FAILURE = {
  name: 'ServiceError',
  message: 'the stock does not answer',
  class: 'transient',
  scope: 'resource',
  rule: 'status',
} as const

/** A task with this input, whose calls are answered by `answers`. */
function taskWith(input: Record<string, Json>, answers: Partial<Task> = {}): Task {
  return { thread: 't', input, lessons: [], ...answers } as Task
}

describe('a node', () => {
  test('receives its input as the schema returns it, and rejects an invalid one', async () => {
    const double = node({ input: z.object({ count: z.coerce.number() }) }, async ({ input }) => {
      expectTypeOf(input).toEqualTypeOf<{ count: number }>()
      return input.count * 2
    })
    expect(await double(taskWith({ count: '21' }), null)).toBe(42)
    await expect(double(taskWith({ count: 'many' }), null)).rejects.toThrow(
      'count: expected number, received NaN',
    )
  })

  test('calls the tools that it declares, with their types', async () => {
    const check = node({ tools: { stock } }, async ({ call }) => {
      expectTypeOf(call.stock).parameter(0).toEqualTypeOf<{ article: string }>()
      const { left } = await call.stock({ article: 'clock' })
      expectTypeOf(left).toEqualTypeOf<number>()
      // @ts-expect-error: a misspelt tool
      expect(call.stok).toBeUndefined()
      return left > 0 ? { left } : done('empty', { left })
    })
    type Types = NonNullable<(typeof check)['~types']>
    expectTypeOf<Types['output']>().toExtend<{ left: number }>()
    expectTypeOf<Types['outcome']>().toEqualTypeOf<'empty'>()
    const call = async (name: string, args: Json) =>
      ({ ok: true, value: { name, args, left: 0 } }) as const
    expect(await check(taskWith({}, { call }), null)).toEqual(new Labeled('empty', { left: 0 }))
  })

  test('fails with an unhandled failure of a call', async () => {
    const check = node({ tools: ['stock'] }, async ({ call }) => call.stock({}))
    const call = async () => ({ ok: false, failure: FAILURE }) as const
    await expect(check(taskWith({}, { call }), null)).rejects.toThrow(CallFailed)
  })

  test('calls models and runs graphs by their declared names', async () => {
    const below = {} as Graph<{ topic: string }, { text: string }>
    const both = node({ models: ['fast'], graphs: { below } }, async ({ ask, run }) => {
      const { text } = await run.below({ topic: 'clocks' })
      expectTypeOf(text).toEqualTypeOf<string>()
      return (await ask.fast({ system: text, messages: [], tools: [] })).text
    })
    const answers: Partial<Task> = {
      run: async () => ({ outcome: 'success', reason: 'goal', result: { text: 'read' } }),
      ask: async (_, { system }) => ({ ok: true, value: { text: `${system} on` } as never }),
    }
    expect(await both(taskWith({}, answers), null)).toBe('read on')
    const failed: Partial<Task> = {
      run: async () => ({ outcome: 'stopped', reason: 'budget', result: null, thread: 't/1' }),
    }
    await expect(both(taskWith({}, failed), null)).rejects.toThrow(
      "graph 'below' ended with stopped (thread t/1)",
    )
  })

  test('returns its output as the schema returns it, and rejects an invalid one', async () => {
    const output = z.object({ left: z.number().default(0) })
    const labelled = node({ output }, async ({ settings }) => done('known', settings as never))
    expect(await labelled(taskWith({}), {})).toEqual(new Labeled('known', { left: 0 }))
    await expect(labelled(taskWith({}), { left: 'x' })).rejects.toThrow(
      'left: expected number, received string',
    )
  })

  test('requires a whole number as its version', () => {
    expect(node({ version: 2 }, async () => null).version).toBe(2)
    expect(() => node({ version: 0 }, async () => null)).toThrow(
      'the version of a node must be a positive whole number, not 0',
    )
  })
})
