/** The error of a module that throws while it is loaded or used is shown without secrets. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { bindLoaded, loadSpecs } from '../../src/host/drive/load.ts'
import { newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const KNOWN = 'simplesecretvalue4242'
/** Written in two parts: scanners of repositories would report the whole. */
const TOKEN = ['github_', 'pat_11ABCDEFG0123456789_abcdefghijklmnopqrstuvwxyz'].join('')
const TEXT = `cannot connect: postgres://u:hunter2secret@h/db ${KNOWN} ${TOKEN}`
const THROWS = `throw new Error(${JSON.stringify(TEXT)})\n`

beforeAll(() => {
  process.env.MODULE_PASSWORD = KNOWN
})
afterAll(() => {
  delete process.env.MODULE_PASSWORD
})

const expectMasked = (text: string) => {
  expect(text).toContain('[redacted]')
  for (const secret of [KNOWN, TOKEN, 'hunter2secret']) expect(text).not.toContain(secret)
}

const FORGETS = spec(`
nodes:
  A: { use: './m.mjs#forget', on: { done: E } }
  E: { final: success }
`)

const USING = spec(`
nodes:
  A: { use: tool, tool: t, on: { done: E } }
  E: { final: success }
tools: { t: { use: './m.mjs#t' } }
`)

it.each([
  [['run', `--api-key=${KNOWN}`]],
  [[KNOWN]],
  [['resume', 't', '--decision', KNOWN]],
  [['run', 'forgets.yaml', '--set', `${KNOWN}=1`]],
])('a mistyped option is refused without its secrets: %j', async args => {
  const desk = newDesk()
  desk.file('forgets.yaml', FORGETS)
  const { code, out, err } = await desk.start(...args).ended
  expect([code, out]).toEqual([2, ''])
  expectMasked(err)
})

it('a promise that a node forgets ends the process with one line', async () => {
  const desk = newDesk()
  desk.file(
    'm.mjs',
    `export const forget = async () => {\n  void Promise.reject(new Error(${JSON.stringify(TEXT)}))\n  await new Promise(resolve => setTimeout(resolve, 5_000))\n  return {}\n}\n`,
  )
  desk.file('forgets.yaml', FORGETS)
  const { code, out, err } = await desk.start('run', 'forgets.yaml').ended
  expect(code).toBe(1)
  expectMasked(`${out}${err}`)
  expect(err).toContain('error: uncaught: cannot connect')
  expect(err).not.toMatch(/^\s+at /m)
})

it.each([
  ['run', './m.mjs#x'],
  ['lint', './m.mjs#x'],
  ['draw', './m.mjs#x'],
  ['serve', '--graphs', './m.mjs#x', '--port', '0'],
  ['inspect', './m.mjs#x', '--once'],
  ['tick', '--graph', './m.mjs#x'],
  ['run', 'using.yaml'],
  ['lint', 'using.yaml'],
])('%s %s %s', async (...args) => {
  const desk = newDesk()
  desk.file('m.mjs', THROWS)
  desk.file('using.yaml', USING)
  const { code, out, err } = await desk.type(...args)
  expect(code).toBe(2)
  expectMasked(`${out}${err}`)
})

it.each([
  ['a getter of the export', `export const t = { get execute() { ${THROWS} } }`],
  ['a function that makes the tool', `export const t = () => { ${THROWS} }`],
])('of %s', async (_, module) => {
  const desk = newDesk()
  desk.file('m.mjs', module)
  desk.file('using.yaml', USING)
  const bound = loadSpecs(`${desk.folder}/using.yaml`).then(async loaded =>
    bindLoaded(loaded, { workspace: desk.folder }),
  )
  expectMasked(await bound.then(String, error => (error as Error).message))
})

it('of a program that creates the model of a graph', () => {
  const model = { escapement: 1, id: 'x', start: 'A', models: { m: { id: 'm', timeout: '1s' } } }
  const nodes = { A: { use: 'model', model: 'm', on: { done: 'E' } }, E: { final: 'success' } }
  const bind = () =>
    bindGraph(parseSpec({ ...model, nodes }), {
      model: () => {
        throw new Error(TEXT)
      },
    })
  expect(bind).toThrow('[redacted]')
  expect(bind).not.toThrow(KNOWN)
})
