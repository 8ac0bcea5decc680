import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const fixture = 'test/types/exact-optional.ts'

/** What the compiler reports of the fixture. The project itself is compiled without the flag. */
function faultsOf(): readonly string[] {
  const flags = '--noEmit --ignoreConfig --target es2023 --lib es2024 --module nodenext --strict'
  const rest =
    '--skipLibCheck --allowImportingTsExtensions --exactOptionalPropertyTypes --types node'
  const args = ['tsc', ...flags.split(' '), ...rest.split(' '), fixture]
  const { stdout } = spawnSync('npx', args, { cwd: root, encoding: 'utf8' })
  expect(stdout).not.toContain('error TS6053') // The fixture is missing.
  return stdout.split('\n').filter(line => line.startsWith(fixture))
}

test('the watchdog of the AI SDK compiles with `exactOptionalPropertyTypes`', () => {
  expect(faultsOf()).toEqual([])
}, 60_000)
