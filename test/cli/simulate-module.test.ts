/** `escapement sim` of a graph that a module exports, and of the spec that is drawn from it. */
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()
const INDEX = fileURLToPath(new URL('../../src/index.ts', import.meta.url))

/** The tool and the model of the module fail, so that a run shows whether they were replaced. */
const AGENT = `
import { createAgent, tool } from '${INDEX}'
import { z } from '${import.meta.resolve('zod')}'

const model = { id: 'live', timeout: 1, ask: async () => { throw new Error('the live model was asked') } }
const find = tool({
  description: 'Finds an order.',
  inputSchema: z.object({ order: z.string() }),
  effects: 'read',
  execute: () => { throw new Error('the live tool was called') },
})
export const support = createAgent({ id: 'desk', model, instructions: 'Help.', tools: { find } })
export const number = 7
`

const ASKS = spec(`
channels: { messages: { reducer: append, type: object } }
nodes:
  A: { use: model, model: fast, prompt: Go., in: [messages], out: { messages: message }, on: { done: E } }
  E: { final: success }
models: { fast: { id: m } }
`)

const SYSTEM = `export const sys = () => {
  let found = 0
  return { tools: { find: ({ order }) => ({ order, nth: ++found }) }, facts: () => ({ found }) }
}
`

const SCRIPT = `
- { calls: [{ tool: find, args: { order: '17' } }] }
- { when: { tool: find, ok: true }, say: Found., times: always }
`

const scenario = (graph: string, rest = '') => `scenario: 1
name: desk
graph: ${graph}
seeds: 6
input: { goal: find order 17 }
models: { model: ./script.yaml }
${rest}`

function deskWith(graph: string, rest = 'system: ./sys.mjs#sys') {
  const desk = newDesk()
  desk.file('agent.ts', AGENT)
  desk.file('sys.mjs', SYSTEM)
  desk.file('script.yaml', SCRIPT)
  desk.file('desk.scenario.yaml', scenario(graph, rest))
  return desk
}

const POLICIES = 'policies: { default: {}, one: { limits: { modelCalls: 1 } } }'
const MODULE = './agent.ts#support'

it('runs the export with the tools of the system and the scripts of the scenario', async () => {
  const desk = deskWith(MODULE)
  const run = await desk.type('sim', 'run', 'desk.scenario.yaml', '--json')
  expect([run.code, run.err]).toEqual([0, ''])
  expect(JSON.parse(run.out)).toMatchObject({ outcome: 'success', output: { answer: 'Found.' } })
  expect((await desk.type('show', 'desk-default-1')).code).toBe(0)
})

it('runs the export under each policy, on all cores', async () => {
  const desk = deskWith(MODULE, `system: ./sys.mjs#sys\n${POLICIES}`)
  const limited = await desk.type('sim', 'run', 'desk.scenario.yaml', '--policy', 'one', '--json')
  expect(JSON.parse(limited.out)).toMatchObject({ policy: 'one', spent: { modelCalls: 1 } })
  expect((await desk.type('show', 'desk-one-1')).out).toContain('modelCalls')
  const monte = await desk.type('sim', 'monte', 'desk.scenario.yaml')
  expect([monte.code, monte.err]).toEqual([0, ''])
  expect(monte.out).toMatch(/default.*100/)
})

it('asks no model of the module: a model without a script is an error of the scenario', async () => {
  const desk = deskWith(MODULE)
  desk.file(
    'desk.scenario.yaml',
    scenario(MODULE, 'system: ./sys.mjs#sys').replace('models: { model: ./script.yaml }', ''),
  )
  for (const command of ['run', 'monte', 'explore', 'shrink']) {
    const ran = await desk.type('sim', command, 'desk.scenario.yaml')
    expectRefused(ran, "models.model: model 'model' has no script")
    expect(ran.err).not.toContain('live')
  }
})

it('a model of a spec without a script is an error of the scenario', async () => {
  const desk = deskWith('./asks.yaml', '')
  desk.file('asks.yaml', ASKS)
  desk.file('desk.scenario.yaml', 'scenario: 1\nname: asks\ngraph: ./asks.yaml\n')
  expectRefused(
    await desk.type('sim', 'monte', 'desk.scenario.yaml', '--seeds', '3'),
    "models.fast: model 'fast' has no script; set `models.fast.offline` in the graph",
  )
})

it('refuses an export that is missing or not a graph, and a policy that the graph cannot have', async () => {
  const run = (graph: string, rest?: string) =>
    deskWith(graph, rest).type('sim', 'run', 'desk.scenario.yaml')
  expectRefused(await run('./agent.ts#suport'), /exports no 'suport'; it exports: .*support/)
  expectRefused(await run('./agent.ts#number'), /has the type number; expected a graph/)
  expectRefused(await run('./gone.ts#support'), /file '\.\/gone\.ts' not found/)
  expectRefused(
    await run(MODULE, 'policies: { odd: { escape: { alternatives: { nowhere: [plan] } } } }'),
    /policies\.odd.*nowhere/,
  )
})

it('runs a drawn spec whose tools the system has', async () => {
  const desk = deskWith('./drawn.yaml')
  desk.file('drawn.yaml', (await desk.type('draw', MODULE, '--as', 'spec')).out)
  const run = await desk.type('sim', 'run', 'desk.scenario.yaml', '--json')
  expect([run.code, run.err]).toEqual([0, ''])
  expect(JSON.parse(run.out)).toMatchObject({ outcome: 'success', output: { answer: 'Found.' } })
})

it('names the tool of a drawn spec that the system lacks, and the ways to have it', async () => {
  const desk = deskWith('./drawn.yaml', '')
  desk.file('drawn.yaml', (await desk.type('draw', MODULE, '--as', 'spec')).out)
  const run = await desk.type('sim', 'run', 'desk.scenario.yaml')
  expectRefused(run, /desk\.scenario\.yaml:3:1: graph: tools\.find .*`system`.*FILE#NAME/)
})

it('replays a thread with the graph of the scenario', async () => {
  const desk = deskWith(MODULE, `system: ./sys.mjs#sys\n${POLICIES}`)
  for (const policy of ['default', 'one']) {
    const run = await desk.type('sim', 'run', 'desk.scenario.yaml', '--policy', policy, '--json')
    const { thread, outcome } = JSON.parse(run.out)
    const played = await desk.type('sim', 'replay', thread, '--scenario', 'desk.scenario.yaml')
    expect(played.err).toBe('')
    expect(played.out).toContain('every event is that of the journal')
    expect(played.out.startsWith(outcome)).toBe(true)
  }
  expectRefused(
    await desk.type('sim', 'replay', 'desk-default-1'),
    "the store holds only the spec of the graph 'desk'",
    '--scenario FILE',
  )
  desk.file('other.ts', AGENT.replace("id: 'desk'", "id: 'other'"))
  desk.file('other.scenario.yaml', scenario('./other.ts#support', 'system: ./sys.mjs#sys'))
  expectRefused(
    await desk.type('sim', 'replay', 'desk-default-1', '--scenario', 'other.scenario.yaml'),
    "the scenario names the graph 'other'",
  )
})
