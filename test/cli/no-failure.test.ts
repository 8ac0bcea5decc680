/** Reports of a simulation that has nothing to show: a run that does not fail, and a gate on a bound that more seeds would meet. */
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

function deskWith(rest: string) {
  const desk = newDesk()
  desk.file(
    'graph.yaml',
    spec(`
nodes:
  A: { use: tool, tool: search, args: {}, out: {}, on: { done: E } }
  E: { final: success }
tools:
  search: { use: flaky, with: { p: 0 } }
`),
  )
  desk.file(
    'search.scenario.yaml',
    `scenario: 1\nname: search\ngraph: ./graph.yaml\nseeds: 6\n${rest}`,
  )
  return { ...desk, sim: (...args: string[]) => desk.type('sim', ...args) }
}

test.each([[[]], [['--json']]])(
  'shrink of a run that does not fail writes nothing %j',
  async more => {
    const desk = deskWith('')
    const before = readdirSync(desk.folder)
    expectRefused(
      await desk.sim('shrink', 'search.scenario.yaml', '--seed', '2', ...more),
      'seed 2 with the policy default ends as success: nothing to shrink',
      '→ escapement sim monte search.scenario.yaml finds seeds that fail',
    )
    expect(readdirSync(desk.folder)).toEqual(before)
  },
)

test.each([
  [
    'default.silentlyWrong.high <= 0.02',
    '(it is 0.39; the rate itself is 0: more seeds narrow the interval)',
  ],
  ['default.goal.low >= 0.9', '(it is 0.61; the rate itself is 1: more seeds narrow the interval)'],
  [
    'diff.once.goal.low >= 0.0 && default.goal.low >= 0.9',
    // More than one comparison: the figure of the first one alone decides nothing.
    '(it is 0)',
  ],
  // The rate does not hold either.
  ['default.goal.high <= 0.5', '(it is 1)'],
])('a gate on a bound that the rate itself meets: %s', async (gate, expected) => {
  const desk = deskWith(`policies: { default: {}, once: { retry: { attempts: 1 } } }
gates: ['${gate}']`)
  const { code, out } = await desk.sim('monte', 'search.scenario.yaml', '--workers', '1')
  expect(out.replaceAll(/\s+/g, ' ')).toContain(`✗ ${gate} ${expected}`)
  expect(code).toBe(1)
})

test('an unknown setting of the spec points to --input', async () => {
  const desk = deskWith('')
  expectRefused(
    await desk.type('run', 'graph.yaml', '--set', 'goal=hi'),
    'graph.yaml: goal: is unknown; expected one of: escapement, id',
    `→ --set changes the spec; values of its input go in --input '{"goal": "…"}'`,
  )
  expect((await desk.type('run', 'graph.yaml', '--set', 'strat=A')).err).not.toContain('--input')
})
