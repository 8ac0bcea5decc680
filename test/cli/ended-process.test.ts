/** Code of a graph or of a fake system that ends the process with code 0 must not look like a success. */
import { expect, it } from 'vitest'
import { type Desk, expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const ENDS = 'export const create = () => process.exit(0)\n'

const usingTool = (use: string) =>
  spec(`
nodes:
  A: { use: tool, tool: t, on: { done: E } }
  E: { final: success }
tools: { t: { use: ${use} } }
`)

function deskWith(graph: string): Desk {
  const desk = newDesk()
  desk.file('ends.mjs', ENDS)
  desk.file('graph.yaml', graph)
  return desk
}

it.each([
  [['lint', 'graph.yaml']],
  [['lint', 'graph.yaml', '--max', 'toolCalls=1']],
  [['run', 'graph.yaml']],
  [['serve', '--graphs', 'graph.yaml', '--port', '0']],
  [['inspect', 'graph.yaml', '--once']],
])('a function that creates a tool: %j', async args => {
  const said = await deskWith(usingTool('./ends.mjs#create')).exec(...args)
  expectRefused(said, /^error: 'graph.yaml': .*ended the process; look for process.exit in it\n$/)
})

it.each(['run', 'monte', 'explore', 'shrink'])(
  'a function that creates a fake system: sim %s',
  async command => {
    const desk = deskWith(usingTool('flaky, with: { p: 0, latency: 1 }'))
    desk.file(
      'ends.scenario.yaml',
      'scenario: 1\nname: a\ngraph: ./graph.yaml\nsystem: ./ends.mjs#create\nseeds: 1\n',
    )
    const said = await desk.exec('sim', command, 'ends.scenario.yaml')
    expectRefused(
      said,
      /^error: the fake system or the graph ended the process; .*process.exit in them\n$/,
    )
  },
)

const NODE = spec(`
nodes:
  A: { use: './m.mjs#f', on: { done: E } }
  E: { final: success }
`)

const EXPLAINED = {
  code: 2,
  err: 'error: code of the graph ended the process; look for process.exit in it\n',
}

it.each([
  ['a node of a run', ['run', 'graph.yaml']],
  [
    'a node that a service drives',
    ['serve', '--graphs', 'graph.yaml', '--port', '0', '--log-level', 'silent'],
  ],
])('%s', async (_, args) => {
  const desk = newDesk()
  desk.file('m.mjs', 'export const f = async () => process.exit(0)\n')
  desk.file('graph.yaml', NODE)
  await desk.exec('run', 'graph.yaml')
  expect(await desk.exec(...args)).toMatchObject(EXPLAINED)
})

it.each([[], ['--json'], ['--max', 'toolCalls=1']])(
  'the schema of a tool, which lint asks about constant arguments: %j',
  async (...options) => {
    const desk = newDesk()
    desk.file(
      'm.mjs',
      `import { tool } from ${JSON.stringify(import.meta.resolve('../../src/index.ts'))}
import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
const inputSchema = z.object({ q: z.string().refine(() => process.exit(0)) })
export const create = () => tool({ description: 'Asks.', inputSchema, effects: 'read', execute: () => 'yes' })
`,
    )
    desk.file(
      'graph.yaml',
      usingTool('./m.mjs#create').replace('tool: t,', 'tool: t, args: { q: v },'),
    )
    expectRefused(await desk.exec('lint', 'graph.yaml', ...options), EXPLAINED.err)
  },
)

/** A graph whose module ends the process where the file `when` says. */
const PARTS = `import { existsSync } from 'node:fs'
import { defineDetector } from ${JSON.stringify(import.meta.resolve('../../src/index.ts'))}
const end = where => existsSync(where) && process.exit(0)
setImmediate(() => end('soon'))
export const slow = defineDetector({
  ...{ name: 'slow', version: 1, options: { times: 3 }, start: 0, sees: ['answered'] },
  observe: count => {
    end('replay')
    return [count + 1, undefined]
  },
})
`
const ASKS = spec(`
nodes:
  A: { use: tool, tool: t, on: { done: ask, error: ask } }
  ask: { use: human, question: Go on?, deadline: 1h, on: { human.approved: E, human.rejected: E, human.expired: E } }
  E: { final: success }
tools: { t: { use: flaky, with: { p: 0, latency: 1 } } }
parts: { detectors: [./m.mjs#slow] }
detect: { slow: { times: 2 } }
`)

const show = ['show', 't']
const imports = ['import', 't.gz', '--as', 'u']
const fork = ['fork', 't', '--effects', 'refuse', '--as', 'f']
const resume = ['resume', 't', '--decision', 'approved']
it.each([
  ...[show, [...show, '--rejudge'], imports, fork, resume].map(args => ['replay', args] as const),
  ...[['run', 'graph.yaml'], fork].map(args => ['soon', args] as const),
])('a part of a graph, %s: %j', async (when, args) => {
  const desk = newDesk()
  desk.file('m.mjs', PARTS)
  desk.file('graph.yaml', ASKS)
  await desk.exec('run', 'graph.yaml', '--thread', 't')
  await desk.exec('export', 't', '--out', 't.gz')
  desk.file(when, '')
  expect(await desk.exec(...args)).toMatchObject({ ...EXPLAINED, out: '' })
})

it('a node after an answer', async () => {
  const desk = newDesk()
  desk.file('m.mjs', 'export const f = async () => process.exit(0)\n')
  const asks =
    'ask: { use: human, question: Go on?, deadline: 1h, on: { human.approved: A, human.rejected: E, human.expired: E } }'
  desk.file(
    'graph.yaml',
    NODE.replace('start: A', 'start: ask').replace('nodes:', `nodes:\n  ${asks}`),
  )
  await desk.exec('run', 'graph.yaml', '--thread', 't')
  expect(await desk.exec('resume', 't', '--decision', 'approved')).toMatchObject(EXPLAINED)
})

it('a forgotten promise of a simulated run has one message', async () => {
  const desk = newDesk()
  desk.file(
    'm.mjs',
    "export const f = async () => {\n  void Promise.reject(new Error('lost'))\n  await new Promise(resolve => setTimeout(resolve, 5_000))\n  return {}\n}\n",
  )
  desk.file('graph.yaml', NODE)
  desk.file('a.scenario.yaml', 'scenario: 1\nname: a\ngraph: ./graph.yaml\nseeds: 1\n')
  const { code, err } = await desk.exec('sim', 'run', 'a.scenario.yaml')
  expect({ code, err }).toEqual({ code: 1, err: 'error: uncaught: lost\n' })
})
