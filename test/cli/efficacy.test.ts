/** `escapement efficacy`: which ways out helped, from the threads of a store. */
import { expect, test } from 'vitest'
import { newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const GRAPH = spec(`
nodes:
  A: { use: tool, tool: search, args: {}, on: { done: E, error: F } }
  E: { final: success }
  F: { final: failure }
tools: { search: { use: flaky, with: { p: 0 } } }
`)

const SCENARIO = `scenario: 1
name: search
graph: ./graph.yaml
policies: { default: {}, once: { retry: { attempts: 1 } } }
faults: [{ id: down, on: tool:search, how: { first: 1 }, what: { error: transient } }]
`

test('prints the part of the threads that reached the goal with a rung and without it', async () => {
  const desk = newDesk()
  desk.file('graph.yaml', GRAPH)
  desk.file('search.scenario.yaml', SCENARIO)
  const runs = ['default', 'once'].map(policy => ['--policy', policy])
  for (const policy of runs) await desk.type('sim', 'run', 'search.scenario.yaml', ...policy)
  const { code, out, err } = await desk.type('efficacy')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(
    /search {2,}transient {2,}retry {2,}1 of 1 \[21, 100 %\] {2,}0 of 1 \[0, 79 %\] {2,}unclear: \+100 points/,
  )
  expect(out).toMatch(/did not choose their rungs by chance/)
  const json = await desk.type('efficacy', '--json')
  expect(JSON.parse(json.out)).toMatchObject({
    threads: 2,
    efficacy: [{ subject: 'search', problem: 'transient', rung: 'retry', used: { count: 1 } }],
  })
  const other = await desk.type('efficacy', '--graph', 'other')
  expect(other.out).toBe('0 ended threads, and none has taken a rung\n')
})
