/** Frameworks are optional peers: only the subpath of a framework imports it, and a missing one is named. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
/** A copy of the sources that finds two dependencies of the package, the regular expressions and the schemas, and no other. */
let folder = ''
/** A copy of the sources that finds all dependencies of the package, and no peer. */
let installed = ''

beforeAll(() => {
  folder = copyWith(['re2js', 'zod'])
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  installed = copyWith(Object.keys(dependencies))
})

function copyWith(packages: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'escapement-'))
  cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true })
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  for (const name of packages) {
    const link = join(copy, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
  return copy
}

afterAll(() => {
  for (const copy of [folder, installed]) rmSync(copy, { recursive: true, force: true })
})

/** `then`: what the program does with the module `of`. */
function loaded(file: string, from = folder, then = "'loaded'"): string {
  const program = `import('./src/${file}').then(async of => console.log(${then})).catch(error => console.log(error.message))`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: from,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}

describe('without any peer installed', () => {
  test('loads the watchdog and the subpaths that need only the types of their peer', () => {
    expect([loaded('watchdog.ts'), loaded('adapters/wrap/ai-sdk.ts')]).toEqual(['loaded', 'loaded'])
  })

  test.each([
    ['adapters/wrap/langchain.ts', 'langchain'],
    ['adapters/wrap/openai-agents.ts', '@openai/agents'],
  ])('%s names the missing package', (file, peer) => {
    expect(loaded(file)).toContain(`Cannot find package '${peer}'`)
  })

  test('escapement/langgraph names the missing package', () => {
    expect(loaded('langgraph.ts', installed)).toContain("Cannot find package '@langchain/")
  })

  test.each([
    [
      'a store on Postgres',
      'postgres.ts',
      "await of.postgresStore('postgres://x').threads()",
      'pg',
    ],
    [
      'a worker on DBOS',
      'dbos.ts',
      `await import('./src/index.ts').then(({ createRuntime, memoryStore }) =>
        of.dbosWorker(createRuntime({ store: memoryStore(), graphs: [] }), { url: 'postgres://x' }))`,
      '@dbos-inc/dbos-sdk pg',
    ],
  ])('%s says what to install', (subject, file, then, peer) => {
    expect(loaded(file, installed, then)).toBe(`${subject} needs a package: npm install ${peer}`)
  })
})
