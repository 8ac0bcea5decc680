/** Lint: graphs that run themselves must say how deep, and be able to end without it. */
import { describe, expect, test } from 'vitest'
import { lint } from '../../src/core/graph/lint/lint.ts'
import { specOf } from './linted.ts'

const AGAIN = new Set(['self'])

function foundIn(parts: object, again: ReadonlySet<string> = AGAIN): readonly string[] {
  const nodes = {
    A: { use: 'graph', graph: 'self', on: { done: 'end', error: 'end' } },
    end: { final: 'success' },
  }
  return lint(specOf({ nodes, graphs: { self: './self.yaml' }, ...parts }), again).map(
    ({ severity, rule, path }) => `${severity} ${rule} ${path}`,
  )
}

describe('a graph that runs itself', () => {
  test('must say how deep', () => {
    expect(foundIn({})).toEqual(['error unbounded-recursion graphs.self'])
    expect(foundIn({ limits: { depth: 3 } })).toEqual([])
    expect(foundIn({ accept: ['unbounded-recursion graphs.self'] })).toEqual([
      'error unbounded-recursion graphs.self',
    ])
  })

  test('must be able to end although the inner one has not succeeded', () => {
    const nodes = {
      A: { use: 'graph', graph: 'self', on: { done: 'end' } },
      end: { final: 'success' },
    }
    expect(foundIn({ nodes, limits: { depth: 3 } })).toEqual(['error unbounded-recursion nodes.A'])
    expect(
      foundIn({
        nodes: { ...nodes, A: { use: 'graph', graph: 'self', on: { done: 'end', loop: 'end' } } },
        limits: { depth: 3 },
      }),
    ).toEqual([])
  })

  test('is none where the graph leads elsewhere, or is not run', () => {
    expect(foundIn({}, new Set())).toEqual([])
    expect(
      foundIn({ nodes: { A: { use: 'pass', on: { done: 'end' } }, end: { final: 'success' } } }),
    ).toEqual(['warning unused graphs.self'])
  })
})

test('a graph that stands inside another is looked at, too', () => {
  const inner = {
    escapement: 1,
    id: 'inner',
    start: 'B',
    nodes: { B: { use: 'pass', on: { done: 'B' } } },
  }
  expect(
    foundIn(
      {
        nodes: {
          A: { use: 'graph', graph: 'self', on: { done: 'end' } },
          end: { final: 'success' },
        },
        graphs: { self: inner },
      },
      new Set(),
    ),
  ).toEqual(['error cycle-without-exit graphs.self.nodes.B'])
})
