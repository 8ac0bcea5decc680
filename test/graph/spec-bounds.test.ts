/** Values at the bounds of the notation. */
import { expect, test } from 'vitest'
import { readSpec } from '../../src/core/graph/spec/read.ts'

const faultsOf = (more: object) =>
  readSpec({
    escapement: 1,
    id: 'g',
    start: 'a',
    nodes: { a: { use: 'pass', on: { done: 'end' } }, end: { final: 'success' } },
    ...more,
  }).faults?.map(({ path, message }) => `${path} ${message}`)

test('a spec of a later version names the key and both versions', () => {
  expect(faultsOf({ escapement: 2 })).toEqual([
    expect.stringMatching(/^escapement is written for version 2 .* understands version 1/),
  ])
})

test('a map that runs no item at once is a fault', () => {
  const map = (concurrency: number) => ({
    use: 'map',
    graph: 'child',
    over: 'items',
    concurrency,
    on: { done: 'end' },
  })
  const withMap = (concurrency: number) =>
    faultsOf({
      nodes: { a: map(concurrency), end: { final: 'success' } },
      channels: { items: { type: 'array' } },
      graphs: { child: './child.yaml' },
    })
  expect(withMap(0)?.join()).toContain('nodes.a.concurrency')
  expect(withMap(1)).toBeUndefined()
})
