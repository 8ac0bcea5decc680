/** The nodes on every loop through a node, compared with their definition. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onEveryLoop } from '../../src/core/graph/lint/every-loop.ts'

type Edges = readonly (readonly [from: number, to: number])[]

const nextIn = (edges: Edges, without?: string) => (name: string) =>
  edges.flatMap(([from, to]) => (`${from}` === name && `${to}` !== without ? [`${to}`] : []))

function hasLoop(source: string, next: (name: string) => readonly string[]): boolean {
  const reached = new Set(next(source))
  for (const name of reached) for (const to of next(name)) reached.add(to)
  return reached.has(source)
}

test('are those without which no loop is left', () => {
  const node = fc.nat(6)
  const edges = fc.array(fc.tuple(node, node), { maxLength: 16 })
  fc.assert(
    fc.property(edges, graph => {
      const found = onEveryLoop('0', nextIn(graph))
      if (!hasLoop('0', nextIn(graph))) return found === undefined
      const others = ['1', '2', '3', '4', '5', '6']
      const expected = others.filter(name => !hasLoop('0', nextIn(graph, name)))
      expect([...(found ?? [])].sort()).toEqual(['0', ...expected])
      return true
    }),
    { numRuns: 2_000 },
  )
})

test('are found in linear time', () => {
  const size = 2_000
  let visits = 0
  const next = (name: string) => {
    visits++
    const at = Number(name)
    return [`${(at + 1) % size}`, `${(at * 7 + 3) % size}`]
  }
  expect(onEveryLoop('0', next)).toBeDefined()
  expect(visits).toBeLessThan(3 * size)
})
