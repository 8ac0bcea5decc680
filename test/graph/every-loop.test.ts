/** The nodes on every loop through a node, compared with their definition. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onEveryLoop } from '../../src/core/graph/lint/every-loop.ts'

type Edges = readonly (readonly [from: number, to: number])[]
type Next = readonly (readonly number[])[]

const NODES = [0, 1, 2, 3, 4, 5, 6]

const nextIn = (edges: Edges, without?: number): Next =>
  NODES.map(node => edges.flatMap(([from, to]) => (from === node && to !== without ? [to] : [])))

function hasLoop(source: number, next: Next): boolean {
  const reached = new Set(next[source])
  for (const node of reached) for (const to of next[node] ?? []) reached.add(to)
  return reached.has(source)
}

test('are those without which no loop is left', () => {
  const node = fc.nat(6)
  const edges = fc.array(fc.tuple(node, node), { maxLength: 16 })
  fc.assert(
    fc.property(edges, graph => {
      const found = onEveryLoop(0, nextIn(graph))
      if (!hasLoop(0, nextIn(graph))) return found === undefined
      const expected = NODES.slice(1).filter(node => !hasLoop(0, nextIn(graph, node)))
      expect([...(found ?? [])].sort()).toEqual([0, ...expected])
      return true
    }),
    { numRuns: 2_000 },
  )
})

test('are found in linear time', () => {
  const size = 2_000
  let visits = 0
  const next = Array.from({ length: size }, (_, at) => [(at + 1) % size, (at * 7 + 3) % size])
  const counted = new Proxy(next, {
    get(target, key) {
      if (/^\d+$/.test(String(key))) visits++
      return Reflect.get(target, key)
    },
  })
  expect(onEveryLoop(0, counted)).toBeDefined()
  expect(visits).toBeLessThan(3 * size)
})
