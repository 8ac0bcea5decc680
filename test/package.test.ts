/**
 * The packed npm package in a separate project. `NODES=/path/to/node:…` adds versions of
 * Node.js to the one that runs the tests.
 */
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  statSync,
} from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { newFolders } from './durability/folders.ts'
import { support } from './examples/support.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NODES = [process.execPath, ...(process.env.NODES?.split(delimiter) ?? [])]
const execute = promisify(execFile)
const newFolder = newFolders()
const project = newFolder()
const installed = join(project, 'node_modules/escapement')

beforeAll(async () => {
  // The test runner sets another mode, in which the page would get React for development.
  const { NODE_ENV: _, ...env } = process.env
  const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', project], {
    env,
    cwd: ROOT,
  })
  const [archive = ''] = /escapement-[\w.-]+\.tgz/.exec(stdout) ?? []
  mkdirSync(installed, { recursive: true })
  await execute('tar', ['-xzf', join(project, archive), '-C', installed, '--strip-components=1'])
  // Links stand for the packages that npm would install: the test needs no network.
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name === 'escapement' || name === '.vite' || name === '.vitest') continue
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  }
  cpSync(join(ROOT, 'examples/support'), join(project, 'support'), { recursive: true })
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
}, 300_000)

test('the built command is executable', () => {
  expect(statSync(join(ROOT, 'dist/main.js')).mode & 0o111).toBe(0o111)
})

describe.each(NODES)('installed, on %s', node => {
  const run = (args: readonly string[], folder = project) => execute(node, args, { cwd: folder })
  const escapement = (...args: string[]) => run([join(installed, 'dist/main.js'), ...args])

  test('runs the tutorial: streams, asks a person, survives SIGKILL, pays back once', async () => {
    const shop = await support('escapement', { folder: join(project, 'support'), node, args: [] })
    await shop.killAtModelCall(2, () => shop.run('My clock is broken'))
    expect(await shop.run('My clock is broken')).toContain('? ')
    expect(await shop.run('--answer', 'approved')).toContain('Done: Paid 450 back for order 17.')
    expect(shop.paid()).toHaveLength(1)
    await shop.stop()
  })

  test('loads every entry point', async () => {
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const entries = Object.keys(exports).filter(entry => /^\.(?!.*(json|vitest)$)/.test(entry))
    expect(entries.length).toBeGreaterThan(6)
    for (const entry of entries)
      await run(['-e', `await import(${JSON.stringify(join('escapement', entry))})`])
  })

  test('init writes a TypeScript project that compiles and passes its tests', async () => {
    const folder = join(project, `typescript-${NODES.indexOf(node)}`)
    const { stdout } = await escapement('init', folder)
    expect(stdout).toContain('agent.test.ts')
    await run([bin('typescript', 'tsc')], folder)
    const tested = await run([bin('vitest', 'vitest'), 'run'], folder)
    expect(tested.stdout).toMatch(/3 passed/)
  })

  test('init --as yaml writes a project that runs without a key', async () => {
    const folder = join(project, `yaml-${NODES.indexOf(node)}`)
    await escapement('init', folder, '--as', 'yaml')
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const [command, ...args] = scripts.start.split(' ')
    expect(command).toBe('escapement')
    const { stdout } = await run([join(installed, 'dist/main.js'), ...args], folder)
    expect(stdout).toContain('success (goal)')
  })
})

test('compiles strictly, with checks of libraries, in a project without the optional packages', async () => {
  const bare = newFolder()
  const own = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const folder = join(bare, 'node_modules')
  for (const name of [...Object.keys(own.dependencies), '@types/node']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, name))
  }
  cpSync(join(installed, 'dist'), join(folder, 'escapement/dist'), { recursive: true })
  cpSync(join(installed, 'package.json'), join(folder, 'escapement/package.json'))
  const entries = ['', '/client', '/http', '/indicator', '/mcp', '/otel', '/postgres', '/simulate']
  const imports = [...entries, '/testing', '/watchdog'].map(entry => `import 'escapement${entry}'`)
  writeFileSync(join(bare, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(bare, 'all.ts'), imports.join('\n'))
  const flags = ['--strict', '--noEmit', '--module', 'nodenext', '--types', 'node']
  const args = [bin('typescript', 'tsc'), ...flags, '--target', 'es2024', 'all.ts']
  const { stdout } = await execute(process.execPath, args, { cwd: bare }).catch(error => error)
  expect(stdout).toBe('')
})

test('the templates depend on versions that this repository tests with', () => {
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const tested = { ...own.dependencies, ...own.devDependencies, escapement: own.version }
  for (const template of ['typescript', 'yaml']) {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'templates', template, 'package.json'), 'utf8'),
    )
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
      expect([name, range]).toEqual([name, `^${tested[name].replace('^', '')}`])
  }
})

test('the README links to files of the package only', () => {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8')
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(8)
  for (const link of links)
    expect(readdirSync(join(installed, dirname(link)))).toContain(basename(link))
})

/** The program of a package, as npm would link it. */
function bin(name: string, program: string): string {
  const folder = join(ROOT, 'node_modules', name)
  return join(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).bin[program])
}
