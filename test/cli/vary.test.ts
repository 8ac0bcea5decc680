/** `escapement sim monte` over a grid of parameters. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cellsOf, withCell } from '../../src/simulate/scenario/vary.ts'
import { expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const GRAPH = spec(`
nodes:
  A: { use: tool, tool: search, args: {}, out: {}, on: { done: E, error: F } }
  E: { final: success }
  F: { final: failure }
tools:
  search: { use: flaky, with: { p: 0 } }
`)

function deskWith(vary: string) {
  const desk = newDesk()
  desk.file('graph.yaml', GRAPH)
  desk.file(
    'search.scenario.yaml',
    `scenario: 1
name: search
graph: ./graph.yaml
seeds: 4
policies: { default: {}, once: { retry: { attempts: 1 } } }
faults: [{ id: down, on: tool:search, how: { first: 1 }, what: { error: transient } }]
gates: [default.goal.count == 4]
vary: ${vary}
`,
  )
  const monte = (...args: string[]) =>
    desk.type('sim', 'monte', 'search.scenario.yaml', '--workers', '1', ...args)
  return { ...desk, monte }
}

describe('a grid', () => {
  test('has every combination of the values', () => {
    expect(cellsOf({ a: [1, 2], b: ['x', 'y'] })).toEqual([
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { a: 2, b: 'x' },
      { a: 2, b: 'y' },
    ])
    expect(cellsOf()).toEqual([{}])
  })

  test('changes values at paths that exist, and leaves the scenario as it was', () => {
    const value = { faults: [{ id: 'down', how: { p: 0.1 } }], heal: 5 }
    expect(withCell(value, { 'faults.down.how.p': 0.7 })).toEqual({
      value: { faults: [{ id: 'down', how: { p: 0.7 } }], heal: 5 },
      faults: [],
    })
    expect(value.faults[0]?.how.p).toBe(0.1)
    expect(withCell(value, { 'faults.up.how.p': 1 }).faults[0]?.path).toBe('vary.faults.up.how.p')
  })
})

describe('sim monte with `vary`', () => {
  test('prints the goal of each policy in each cell, and has the exit code of the worst', async () => {
    const { monte } = deskWith('{ faults.down.how.first: [1, 9] }')
    const { code, out } = await monte()
    expect(out).toMatch(
      /faults\.down\.how\.first=1\s+100\.0 \[51\.0, 100\.0\]\s+0\.0 \[0\.0, 49\.0\]\s+met/,
    )
    expect(out).toMatch(/faults\.down\.how\.first=9\s+0\.0 \[0\.0, 49\.0\].*failed/)
    expect(code).toBe(1)
  })

  test('writes a heat map that opens offline, or JSON', async () => {
    const { monte, folder } = deskWith('{ faults.down.how.first: [1, 9] }')
    await monte('--report', 'grid.html')
    const html = readFileSync(`${folder}/grid.html`, 'utf8')
    expect(html.match(/class="heat"/g)).toHaveLength(4)
    expect(html).not.toMatch(/<script|https?:|url\(/)
    expect(html).toContain('not comparable with figures of live models')
    await monte('--report', 'grid.json')
    expect(JSON.parse(readFileSync(`${folder}/grid.json`, 'utf8'))).toHaveLength(2)
  })

  test('is refused before the first run for a path that does not exist, a value that is not possible, and another report', async () => {
    expectRefused(
      await deskWith('{ faults.up.how.p: [1] }').monte(),
      'vary.faults.up.how.p: the scenario has no value there',
    )
    expectRefused(await deskWith('{ faults.down.how.first: [0] }').monte(), 'faults[0].how')
    expectRefused(
      await deskWith('{ faults.down.how.first: [1] }').monte('--report', 'grid.xml'),
      'expected a file ending in .json or .html, because the scenario varies',
    )
  })
})
