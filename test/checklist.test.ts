/** The checklist is complete and names existing stories and tests. After a full run, `checklist/kept.ts` checks that they ran. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checklist, claimOf, isTitled, requirementsIn } from './checklist/claims.ts'
import { needsBrowser, unkept } from './checklist/kept.ts'
import { titlesIn } from './checklist/titles.ts'

const root = resolve(import.meta.dirname, '..')
const rows = Object.entries(checklist())
const numbered = (letter: string, last: number) =>
  Array.from({ length: last }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`)
/** Not part of the project: the requirements in full. */
const requirements = resolve(root, '../shared/design/checklist.md')
const stories = readdirSync(resolve(root, 'test/stories'))

describe('the checklist', () => {
  test('has every row, in order', () => {
    expect(rows.map(([row]) => row)).toEqual([
      ...numbered('A', 36),
      ...numbered('B', 159),
      ...['C02', 'C10', 'C19', 'C24', 'C27', 'C54', 'C55', 'C62'],
      ...['D29', 'D90', 'E06', 'E21', 'E24'],
      ...['E40', 'E41', 'E42', 'E43', 'E44', 'E45', 'E46', 'E47'],
      ...['E51', 'E61', 'E64', 'E65', 'E69', 'E70', 'E71', 'E72', 'E73', 'E76'],
    ])
  })

  test('has the words of each requirement and our reading, and tests or the reason why some are missing', () => {
    const silent = rows.filter(
      ([, { row, asks, differs, shown = [], missing }]) =>
        [row, asks, differs ?? '.', missing ?? '.'].includes('') ||
        (shown.length === 0 && missing === undefined),
    )
    expect(silent).toEqual([])
  })

  test('has only the fields of a row, in one order', () => {
    const order = ['row', 'asks', 'differs', 'shown', 'missing']
    for (const [, row] of rows)
      expect(Object.keys(row)).toEqual(order.filter(field => field in row))
  })

  test.runIf(existsSync(requirements))('has the words of the requirements unchanged', () => {
    const words = requirementsIn(readFileSync(requirements, 'utf8'))
    expect(rows.filter(([id, { row }]) => row !== words.get(id))).toEqual([])
  })

  test('names stories and tests that exist', () => {
    const gone = rows.flatMap(([row, { shown = [] }]) =>
      shown.filter(each => !exists(row, each)).map(each => `${row}: ${each}`),
    )
    expect(gone).toEqual([])
  })
})

function exists(row: string, shown: string): boolean {
  const claim = claimOf(row, shown)
  if (!claim) return false
  return claim.file === 'test/stories.test.ts'
    ? stories.includes(claim.title)
    : titlesIn(root, claim.file).has(claim.title)
}

test('a requirement is a line of a table: its id, its kind and its words', () => {
  const table = '| id | kind | feature |\n|---|---|---|\n| A01 | api | a `b` \\| c |\n\nA02 | x\n'
  expect([...requirementsIn(table)]).toEqual([['A01', 'a `b` \\| c']])
})

describe('the check after a full run', () => {
  const claims = [{ row: 'X1', file: 'test/a.test.ts', title: 'counts to %i' }]

  test('matches a title with placeholders against the names of tests', () => {
    expect(isTitled('counts to 3', 'counts to %i')).toBe(true)
    expect(isTitled('counts to 3 at most', 'counts to %i at least')).toBe(false)
    expect(isTitled('a (b)', 'a (b)')).toBe(true)
    expect(isTitled('of graphs/a.yaml again', 'of $file again')).toBe(true)
  })

  test('counts only tests that passed, not failed, skipped or other ones', () => {
    const ran = (state: string, file = 'test/a.test.ts') => [{ file, title: 'counts to 3', state }]
    expect(unkept(claims, ran('passed'))).toEqual([])
    for (const tests of [ran('failed'), ran('skipped'), ran('passed', 'test/b.test.ts'), []])
      expect(unkept(claims, tests)).toEqual(['X1: test/a.test.ts > counts to %i'])
  })

  test('knows the files whose tests need a browser', () => {
    const needs = (name: string) =>
      needsBrowser(root, { row: 'X1', file: `test/inspector/${name}.test.ts`, title: 'a' })
    expect(['run', 'screens', 'overlay', 'none'].filter(needs)).toEqual(['run', 'screens'])
  })
})
