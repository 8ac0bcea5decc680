/** A loop through `use: map` ends like the same loop through `use: graph`. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineGraph, node, tool } from '../../src/index.ts'
import { play } from '../../src/testing.ts'

const ENDS = { end: { final: 'success' }, bad: { final: 'failure' } } as const

const get = tool({
  description: 'Looks for one number.',
  effects: 'read',
  inputSchema: z.looseObject({}),
  execute: () => ({ results: [] }),
})

const child = defineGraph({
  id: 'kid',
  start: 'a',
  input: ['n'],
  output: ['x'],
  channels: { n: { default: null }, x: { default: null } },
  tools: { get },
  nodes: {
    a: { use: 'tool', tool: 'get', in: ['n'], out: 'x', on: { done: 'end', error: 'bad' } },
    ...ENDS,
  },
})

/** Counts up, and runs the child for so many new numbers in each lap. */
const mapOf = (size: number) =>
  defineGraph({
    id: 'root',
    start: 'count',
    channels: { n: { default: 0 }, items: { default: [] }, x: { default: null } },
    graphs: { child },
    nodes: {
      count: {
        use: node({ version: 1 }, async ({ input }) => {
          const n = Number(input.n ?? 0) + 1
          return { n, items: Array.from({ length: size }, (_, index) => n * size + index) }
        }),
        in: ['n'],
        out: ['n', 'items'],
        on: { done: 'each', error: 'bad' },
      },
      each: {
        use: 'map',
        graph: 'child',
        over: 'items',
        as: 'n',
        out: { x: 'results' },
        on: { done: 'count', 'done.partial': 'count', error: 'bad' },
      },
      ...ENDS,
    },
  })

test.each([1, 3])('a loop through a map of %s items is stopped as a loop', async size => {
  const { events, outcome } = await play(mapOf(size), { input: {} })
  const finding = events.flatMap(({ findings }) => findings ?? [])[0]
  expect(finding).toMatchObject({ detector: 'sameAnswer', members: ['child'], repeats: 12 })
  expect(outcome).toBe('stopped')
})
