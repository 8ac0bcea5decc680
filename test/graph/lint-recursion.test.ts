/** Lint: recursive graphs must limit their depth, and must be able to end without the recursion. */
import { describe, expect, test } from 'vitest'
import { lint } from '../../src/core/graph/lint/lint.ts'
import { specOf } from './linted.ts'

const AGAIN = new Set(['self'])

function foundIn(parts: object, again: ReadonlySet<string> = AGAIN): readonly string[] {
  const nodes = {
    A: { use: 'graph', graph: 'self', on: { done: 'end', error: 'end' } },
    end: { final: 'success' },
  }
  return lint(specOf({ nodes, graphs: { self: './self.yaml' }, ...parts }), {
    recursive: again,
  }).map(({ severity, rule, path }) => `${severity} ${rule} ${path}`)
}

describe('a graph that runs itself', () => {
  test('must limit its depth', () => {
    expect(foundIn({})).toEqual(['error unbounded-recursion graphs.self'])
    expect(foundIn({ limits: { depth: 3 } })).toEqual([])
    expect(foundIn({ accept: ['unbounded-recursion graphs.self'] })).toEqual([
      'error unbounded-recursion graphs.self',
    ])
  })

  test('must be able to end although the inner run fails', () => {
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

  test('is not reported if the graph runs another one, or is never run', () => {
    expect(foundIn({}, new Set())).toEqual([])
    expect(
      foundIn({ nodes: { A: { use: 'pass', on: { done: 'end' } }, end: { final: 'success' } } }),
    ).toEqual(['warning unused graphs.self'])
  })
})

test('also checks inline child graphs', () => {
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
