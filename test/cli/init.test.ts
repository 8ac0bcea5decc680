import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectRefused, newDesks } from './desk.ts'

const newDesk = newDesks()

test('init writes a project into a new folder and uses the folder name', async () => {
  const desk = newDesk()
  const { code, out } = await desk.type('init', 'My Agent')
  expect(code).toBe(0)
  expect(readdirSync(join(desk.folder, 'My Agent')).toSorted()).toEqual([
    '.gitignore',
    'README.md',
    'agent.test.ts',
    'agent.ts',
    'main.ts',
    'package.json',
    'tsconfig.json',
  ])
  const { name } = JSON.parse(readFileSync(join(desk.folder, 'My Agent/package.json'), 'utf8'))
  expect(name).toBe('my-agent')
  expect(out).toContain('npm install && npm test')
})

test('init writes nothing if a file exists already', async () => {
  const desk = newDesk()
  desk.file('main.ts', 'mine')
  expectRefused(await desk.type('init'), 'main.ts already exists; nothing was written')
  expect(readdirSync(desk.folder)).toEqual(['main.ts'])
  expectRefused(await desk.type('init', 'main.ts'), /main\.ts cannot be created/)
})

test('init leaves nothing if a file cannot be written', () => {
  const desk = newDesk()
  const main = join(import.meta.dirname, '../../src/main.ts')
  const shell = 'ulimit -f 1; trap "" XFSZ; exec "$0" "$1" init agent'
  const { status, stderr } = spawnSync('sh', ['-c', shell, process.execPath, main], {
    cwd: desk.folder,
    encoding: 'utf8',
  })
  expect(stderr).toMatch(
    /^error: \S+agent\/README\.md cannot be written: EFBIG.*; nothing was written\n$/,
  )
  expect(status).toBe(2)
  expect(readdirSync(join(desk.folder, 'agent'))).toEqual([])
})

test('the start script of the YAML project runs again', async () => {
  const desk = newDesk()
  await desk.type('init', '--as', 'yaml')
  const { scripts, type } = JSON.parse(readFileSync(join(desk.folder, 'package.json'), 'utf8'))
  // Node.js warns of a `./tools.ts` without it.
  expect(type).toBe('module')
  const words = scripts.start.split(' ').slice(1)
  expect((await desk.type(...words)).code).toBe(0)
  expect((await desk.type(...words)).code).toBe(0)
})

test('init --skill writes a guide for coding agents that names pages of the package', async () => {
  const desk = newDesk()
  await desk.type('init', '--skill')
  const guide = readFileSync(join(desk.folder, '.agents/skills/escapement/SKILL.md'), 'utf8')
  expect(guide).toMatch(/^---\nname: escapement\ndescription: .+\n---\n/)
  const pages = [...guide.matchAll(/`(docs\/\w[\w-]*\.md)`/g)].map(([, page = '']) => page)
  expect(pages.length).toBeGreaterThan(8)
  for (const page of pages)
    expect([page, existsSync(new URL(`../../${page}`, import.meta.url))]).toEqual([page, true])
  expectRefused(await desk.type('init', '--skill'), 'SKILL.md already exists')
})
