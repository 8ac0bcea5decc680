/** Graphs of the maximum size are processed without a stack overflow; larger ones are rejected. */
import { describe, expect, it } from 'vitest'
import { machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { worstCaseOf } from '../../src/core/graph/worst-case/worst-case.ts'
import { drawDot } from '../../src/core/graph/draw/dot.ts'
import { drawMermaid } from '../../src/core/graph/draw/mermaid.ts'
import { drawText } from '../../src/core/graph/draw/text.ts'
import { lint } from '../../src/core/graph/lint/lint.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { specOf } from './linted.ts'

const MOST = 2_000

/** The outcomes of a tool, each with the distance of the node to which it leads. */
const SCATTERED = {
  ...{ error: 3, 'error.transient': 5, 'error.persistent': 7, 'error.business': 11 },
  ...{ 'error.unknown': 13, 'error.indeterminate': 17, timeout: 19, 'breaker.open': 23 },
  ...{ loop: 29, stall: 31, budget: 37, deadlock: 41 },
}

const scattered = (place: number, size: number) =>
  Object.fromEntries(
    Object.entries(SCATTERED).map(([outcome, by], nth) => [
      outcome,
      `n${(place * by + nth) % (size - 1)}`,
    ]),
  )

/** So many nodes, the last of them final; `of` says what the others are, by their place. */
function graph(size: number, of: (place: number, end: string) => object) {
  const end = `n${size - 1}`
  const nodes = Array.from(
    { length: size - 1 },
    (_, place) => [`n${place}`, of(place, end)] as const,
  )
  return {
    start: 'n0',
    nodes: { ...Object.fromEntries(nodes), [end]: { final: 'success' } },
    tools: { t: { use: 'flaky' }, w: { use: 'flaky', effects: 'write' } },
    limits: { steps: 100 },
  }
}

const SHAPES: Readonly<Record<string, (size: number) => object>> = {
  'a chain': size => graph(size, place => ({ use: 'pass', on: { done: `n${place + 1}` } })),
  'one ring, with a single way out': size =>
    graph(size, (place, end) => ({
      use: 'tool',
      tool: 't',
      on: { done: `n${(place + 1) % (size - 1)}`, ...(place === 0 ? { error: end } : {}) },
    })),
  'one ring, each node with ways out that stay in it': size =>
    graph(size, (place, end) => ({
      use: 'tool',
      tool: 't',
      on: {
        done: `n${(place + 1) % (size - 1)}`,
        loop: `n${(place + 1) % (size - 1)}`,
        stall: end,
      },
    })),
  'many rings, each way out into the next': size =>
    graph(size, (place, end) => ({
      use: 'tool',
      tool: 't',
      on: {
        done: place % 2 === 0 ? `n${place + 1}` : `n${place - 1}`,
        error: `n${Math.min(size - 1, place + 2)}`,
        loop: end,
      },
    })),
  'a dense net of writes, each failure of which leads to another node': size =>
    graph(size, place => ({
      use: 'tool',
      tool: 'w',
      on: { done: `n${place + 1}`, ...scattered(place, size) },
    })),
  'a dense net, each node with a tool of its own': size => ({
    ...graph(size, place => ({
      use: 'tool',
      tool: `t${place}`,
      on: { done: `n${place + 1}`, ...scattered(place, size) },
    })),
    tools: Object.fromEntries(
      Array.from({ length: size - 1 }, (_, place) => [`t${place}`, { use: 'flaky' }]),
    ),
  }),
}

describe('a graph with the maximum number of nodes', () => {
  it.for(Object.keys(SHAPES))(
    '%s can be read, linted, bounded, compiled and drawn',
    { timeout: 120_000 },
    shape => {
      const spec = specOf(SHAPES[shape]?.(MOST) ?? {})
      expect(lint(spec).every(({ message }) => message.length < 1_000)).toBe(true)
      const bound = worstCaseOf({ spec, inside: () => undefined })
      expect(bound.steps.most).toBeLessThanOrEqual(MOST)
      expect(bound.duration.because.length).toBeLessThan(1_000)
      const { chart, start } = machineOfSpec(spec)
      expect(start({}).snapshot.value).toEqual({ working: 'n0' })
      for (const draw of [drawText, drawDot, drawMermaid])
        expect(draw(chart)).toContain(`n${MOST - 1}`)
    },
  )
})

describe('a graph of more nodes', () => {
  it.for([MOST + 1, 10_000])('%d are rejected by one line with the maximum', size => {
    const { faults } = readSpec({ escapement: 1, id: 'test', ...SHAPES['a chain']?.(size) })
    expect(faults).toEqual([
      {
        path: 'nodes',
        message: `has ${size} nodes, those in regions included; expected at most 2000: move parts of the graph into separate graphs`,
      },
    ])
  })
})

it.for([100, 101])('a node with %d regions is checked for their maximum', count => {
  const region = (n: number) => ({
    start: `r${n}`,
    nodes: {
      [`r${n}`]: { use: 'pass', on: { done: `e${n}` } },
      [`e${n}`]: { final: 'success' },
    },
  })
  const regions = Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, region(n)]))
  const nodes = { all: { regions, on: { done: 'end' } }, end: { final: 'success' } }
  const { faults = [] } = readSpec({ escapement: 1, id: 'test', start: 'all', nodes })
  const message = 'has 101 regions; expected at most 100: use a map, or child graphs'
  expect(faults).toEqual(count > 100 ? [{ path: 'nodes.all.regions', message }] : [])
})

/** Each tool or model has the next one as its substitute. */
const substituting = (kind: 'tools' | 'models', size: number) => {
  const resource = kind === 'tools' ? { use: 'read_file' } : { id: 'm', baseURL: 'http://x.test' }
  const all = Array.from({ length: size }, (_, n) => [
    `r${n}`,
    { ...resource, ...(n + 1 < size && { substitutes: [`r${n + 1}`] }) },
  ])
  return { escapement: 1, id: 'test', ...SHAPES['a chain']?.(2), [kind]: Object.fromEntries(all) }
}

it.for(['tools', 'models'] as const)('a chain of substitutes among %s has a maximum', kind => {
  expect(readSpec(substituting(kind, MOST)).faults ?? []).toEqual([])
  expect(readSpec(substituting(kind, 9_000)).faults).toEqual([
    { path: kind, message: `has 9000 ${kind}; expected at most 2000` },
  ])
})

it('lists only some of many similar names', () => {
  const { faults = [] } = readSpec({
    escapement: 1,
    id: 'test',
    ...graph(MOST, () => ({ use: 'pass', on: { done: 'nowhere' } })),
  })
  expect(faults).toHaveLength(MOST - 1)
  expect(faults[0]?.message).toMatch(
    /^unknown node 'nowhere'; expected one of: n0, n1, .*, n23 and 1976 more$/,
  )
})
