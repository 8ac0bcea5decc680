/** `sim shrink --out DIR`: the files that it writes find the graph, the scripts and the fake system of the scenario. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { loadScenario, simulate } from '../../src/simulate.ts'
import { newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const GRAPH = spec(`
channels: { messages: { reducer: append, type: object } }
nodes:
  A: { use: model, model: model, prompt: Go., in: [messages], out: { messages: message }, on: { done: E } }
  E: { final: success }
models: { model: { id: m } }
`)

function newShop() {
  const desk = newDesk()
  mkdirSync(join(desk.folder, 'shop'))
  desk.file('shop/graph.yaml', GRAPH)
  desk.file('shop/model.script.yaml', '- { say: Done., times: always }\n')
  desk.file('shop/system.mjs', 'export const shop = () => ({ correct: () => false })\n')
  desk.file(
    'shop/search.scenario.yaml',
    `scenario: 1
name: search
graph: ./graph.yaml
system: ./system.mjs#shop
models: { model: ./model.script.yaml }
seeds: 6
`,
  )
  return { ...desk, sim: (...args: string[]) => desk.type('sim', ...args) }
}

test.each([
  ['another folder', 'failures'],
  ['a folder below', 'shop/failures'],
  ['the folder of the scenario', 'shop'],
])('the scenario and the token of %s end as the run did', async (_, out) => {
  const desk = newShop()
  const made = await desk.sim('shrink', 'shop/search.scenario.yaml', '--out', out, '--json')
  expect(made).toMatchObject({ code: 1, err: '' })
  const { files, token } = JSON.parse(made.out)
  expect(files[0]).toBe(`${out}/search-1.scenario.yaml`)
  for (const of of [files[0], token]) {
    const { out: run } = await desk.sim('run', of, '--json')
    expect(JSON.parse(run)).toMatchObject({ outcome: 'silently wrong' })
  }
  const { subjects } = await loadScenario(join(desk.folder, files[0]))
  expect((await simulate(subjects.default as never, { seed: 1 })).outcome).toBe('silently wrong')
  // The smallest run of a smallest run stays where it is.
  const again = await desk.sim('shrink', files[0], '--out', 'again/deep', '--json')
  const [file] = JSON.parse(again.out).files
  expect(parse(readFileSync(join(desk.folder, file), 'utf8')).folder).toBe('../../shop')
  expect(JSON.parse((await desk.sim('run', file, '--json')).out).outcome).toBe('silently wrong')
})

test('the paths of a scenario start at its `folder`', async () => {
  const desk = newShop()
  const scenario = readFileSync(join(desk.folder, 'shop/search.scenario.yaml'), 'utf8')
  desk.file('search.scenario.yaml', `${scenario}folder: ./shop\n`)
  expect((await desk.sim('run', 'search.scenario.yaml')).out).toMatch(/^silently wrong/)
  desk.file('lost.scenario.yaml', `${scenario}folder: ./lost\n`)
  const lost = await desk.sim('run', 'lost.scenario.yaml')
  const fault = "lost.scenario.yaml:5:11: models.model: file './model.script.yaml' not found"
  expect(lost.err).toContain(fault)
})

test('invisible characters of a scenario are escapes in the files', async () => {
  const desk = newShop()
  const scenario = readFileSync(join(desk.folder, 'shop/search.scenario.yaml'), 'utf8')
  const oracle = String.raw`oracle: { always: ["'a\u202eb' != 'a\u202eb'"] }`
  desk.file('shop/search.scenario.yaml', `${scenario}${oracle}\n`)
  const args = ['shrink', 'shop/search.scenario.yaml', '--out', 'out', '--json']
  const made = await desk.sim(...args)
  const texts = JSON.parse(made.out).files.map((file: string) =>
    readFileSync(join(desk.folder, file), 'utf8'),
  )
  expect(parse(texts[0]).oracle.always).toEqual(["'a\u202eb' != 'a\u202eb'"])
  expect(texts.map((text: string) => text.includes('\u202e'))).toEqual([false, false])
  expect(texts.map((text: string) => text.includes('\\u202e'))).toEqual([true, true])
})

const root = resolve(import.meta.dirname, '../..')

test('the test that shrink writes compiles with the strictest options', async () => {
  const desk = newShop()
  const made = await desk.sim('shrink', 'shop/search.scenario.yaml', '--out', 'out', '--json')
  const [, name] = JSON.parse(made.out).files
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'shrunk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'shrunk.test.ts'), readFileSync(join(desk.folder, name)))
  const compilerOptions = {
    noPropertyAccessFromIndexSignature: true,
    exactOptionalPropertyTypes: true,
    noImplicitReturns: true,
    paths: { 'escapement/simulate': [join(root, 'src/simulate.ts')] },
  }
  const files = ['shrunk.test.ts']
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const args = ['-p', folder, '--pretty', 'false']
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), args, {
    ...{ cwd: folder, encoding: 'utf8' },
  })
  expect(stdout.split('\n').filter(line => line.startsWith('shrunk.test.ts'))).toEqual([])
  expect(stdout).not.toContain('TS6053')
}, 60_000)
