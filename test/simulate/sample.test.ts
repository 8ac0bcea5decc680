/** The sample of the lecture: its graph, its tools, its settings, and what a run shows. */
import { expect, test } from 'vitest'
import type { Row } from '../../src/core/run/run.ts'
import { loadScenario } from '../../src/host/simulation/load-scenario.ts'
import type { SpecGraph } from '../../src/kit/bind/bind.ts'
import { simulate, type Subject } from '../../src/simulate/run/simulate.ts'

const { subjects } = await loadScenario('graphs/ring.scenario.yaml')
const { sample } = subjects as { readonly sample: Subject }
const graph = sample.graph as SpecGraph
const runs = await Promise.all(
  Array.from({ length: 60 }, (_, index) => simulate(sample, { seed: index + 1 })),
)
const rows = runs.flatMap(({ journal }) => journal)

const of = <T extends Row['event']['type']>(type: T, from: readonly Row[] = rows) =>
  from.flatMap(({ event }) =>
    event.type === type ? [event as Extract<Row['event'], { readonly type: T }>] : [],
  )

test('the graph is A → B → C → A, with D as the way out, and E as the goal', () => {
  const { nodes, start } = graph.spec
  const targets = Object.entries(nodes).map(([name, node]) => [
    name,
    'on' in node ? [...new Set(Object.values(node.on ?? {}))] : [],
  ])
  expect(start).toBe('A')
  expect(Object.fromEntries(targets)).toMatchObject({ A: ['B'], B: ['C'], C: ['A', 'D'], E: [] })
  expect(nodes.E).toEqual({ final: 'success' })
  expect(nodes.D).toMatchObject({ on: { done: 'E' } })
})

test.each([
  ['toolB', 0.6],
  ['toolC', 0.12],
  ['process', 0.21],
])('%s fails with the probability %d', (tool, p) => {
  const calls = of('tool.called').filter(({ subject }) => subject === tool).length
  const failures = of('tool.failed').filter(({ subject }) => subject === tool).length
  expect(calls).toBeGreaterThan(50)
  expect(Math.abs(failures / calls - p)).toBeLessThan(0.12)
})

test('the settings are those of the sample: two retries, a breaker of three, patterns twice within two minutes, 100 steps', () => {
  const { retry, breaker, detect, limits } = graph.machine.policy
  expect(retry.attempts).toBe(3)
  expect(breaker.threshold).toBe(3)
  expect(detect.sequence).toMatchObject({ repeats: 2 })
  expect(detect.visits).toMatchObject({ window: 120_000 })
  expect(limits.steps).toBe(100)
  for (const { timeout } of Object.values(graph.tools)) expect(timeout).toBe(10_000)
})

test('an invalid move is an error 400, an unknown tool an error 404, and a tool of an open breaker is avoided for a time', () => {
  const failures = of('tool.failed').map(({ failure }) => failure)
  expect(failures.filter(({ message }) => message === 'Invalid move')[0]?.status).toBe(400)
  expect(failures.filter(({ message }) => message === 'Tool not found')[0]?.status).toBe(404)
  const opened = rows.flatMap(({ event }) =>
    event.type === 'circuit.opened' ? [event.retryAt - event.at] : [],
  )
  expect(opened.length).toBeGreaterThan(0)
  expect(Math.min(...opened)).toBeGreaterThan(0)
})

test('a forced node comes first, and a retry before anything else of its node', () => {
  let forced = 0
  for (const { journal } of runs)
    for (const { seq, verdict } of journal) {
      if (verdict.kind !== 'escape' || verdict.route.rung !== 'alternative') continue
      const [next] = of('turn.started', journal.slice(seq + 1))
      expect(next?.effect.split('#')[0]).toBe(verdict.route.to)
      forced++
    }
  expect(forced).toBeGreaterThan(20)
  for (const { journal } of runs)
    for (const { seq, event } of journal) {
      if (event.type !== 'tool.failed' || event.final) continue
      const [again] = of('tool.called', journal.slice(seq + 1))
      const between = journal.slice(
        seq + 1,
        journal.findIndex(row => row.event === again),
      )
      expect(again).toMatchObject({ call: event.call, attempt: event.attempt + 1 })
      expect(of('turn.started', between)).toEqual([])
    }
})

test('a run moves, calls tools, and ends: its journal has nothing else to do', () => {
  const kinds = new Set(rows.map(({ event }) => event.type.split('.')[0]))
  expect(kinds).toEqual(
    new Set(
      ['thread', 'turn', 'tool', 'node', 'call', 'circuit', 'tick'].filter(kind => kinds.has(kind)),
    ),
  )
  for (const kind of ['turn', 'tool', 'node']) expect(kinds).toContain(kind)
})

test('a run shows its steps, its end with the reason, its last state and its last events', () => {
  for (const { spent, outcome, because, journal } of runs) {
    expect(spent.steps).toBeGreaterThan(0)
    expect(spent.steps).toBeLessThanOrEqual(100)
    expect(outcome).not.toBe('stuck')
    expect(because).not.toBe('')
    expect(journal.at(-1)?.ended).toBeDefined()
    expect(journal.slice(-10).every(({ seq }) => seq >= journal.length - 10)).toBe(true)
  }
})

test('a step takes 0.1 s of virtual time', () => {
  for (const { took, journal } of runs) {
    const processed = of('tool.done', journal).filter(({ subject }) => subject === 'process')
    expect(took).toBeGreaterThanOrEqual(100 * processed.length)
  }
})

test('a successful call moves the node, and at least 9 of 10 runs reach the goal', () => {
  for (const { journal } of runs)
    for (const { event, edges } of journal)
      if (event.type === 'node.done') expect(edges).not.toEqual([])
  const reached = runs.filter(({ outcome }) => outcome === 'success')
  expect(reached.length / runs.length).toBeGreaterThanOrEqual(0.9)
})
