/** The types of the whole project, as part of `npm test`: sources, tests, examples and graphs in code. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

test('the project compiles under strict options', () => {
  const { compilerOptions, include } = JSON.parse(
    readFileSync(resolve(root, 'tsconfig.json'), 'utf8'),
  ) as { compilerOptions: object; include: string[] }
  expect(compilerOptions).toMatchObject({ strict: true, noUncheckedIndexedAccess: true })
  expect(include).toEqual(expect.arrayContaining(['src', 'test', 'examples', 'graphs']))
  const compile = () => execFileSync('npm', ['run', 'types'], { cwd: root, encoding: 'utf8' })
  expect(compile).not.toThrow()
}, 120_000)

test('the linter rejects explicit `any`', () => {
  const config = readFileSync(resolve(root, 'biome.json'), 'utf8')
  expect(config).toMatch(/"noExplicitAny": "error"/)
})
