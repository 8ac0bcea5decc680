import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const fixture = resolve(import.meta.dirname, 'must-not-compile.ts')

/** What the compiler reports of the fixture alone, with the options of the project. */
function compile(): string {
  try {
    const flags = '--noEmit --ignoreConfig --target es2023 --lib es2024 --module nodenext --strict'
    const rest =
      '--skipLibCheck --allowImportingTsExtensions --noUncheckedIndexedAccess --types node'
    const args = [...flags.split(' '), ...rest.split(' '), fixture]
    return execFileSync('npx', ['tsc', ...args], { cwd: root, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

test('the compiler rejects every invalid line of the fixture', () => {
  expect(readFileSync(fixture, 'utf8').match(/@ts-expect-error/g)?.length).toBeGreaterThan(30)
  expect(compile()).toBe('')
}, 60_000)
