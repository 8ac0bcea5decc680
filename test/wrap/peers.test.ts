/** Frameworks are optional peers: only the subpath of a framework imports it, and a missing one is named. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
/** A copy of the sources that finds two dependencies of the package, the regular expressions and the schemas, and no other. */
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'escapement-'))
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['re2js', 'zod'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function loaded(file: string): string {
  const program = `import('./src/${file}').then(() => console.log('loaded'), error => console.log(error.message))`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
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
})
