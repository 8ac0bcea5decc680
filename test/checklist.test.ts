/** The checklist is complete and names existing stories and tests. After a full run, `checklist/kept.ts` checks that they ran. */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checklist, claimOf, isTitled } from './checklist/claims.ts'
import { unkept } from './checklist/kept.ts'
import { titlesIn } from './checklist/titles.ts'

const root = resolve(import.meta.dirname, '..')
const rows = Object.entries(checklist())
const numbered = (letter: string, last: number) =>
  Array.from({ length: last }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`)
const stories = readdirSync(resolve(root, 'test/stories'))

describe('the checklist', () => {
  test('has every row, in order', () => {
    expect(rows.map(([row]) => row)).toEqual([
      ...numbered('A', 36),
      ...numbered('B', 144),
      'B147',
      'B148',
      'D29',
      'D90',
      'E06',
      'E76',
    ])
  })

  test('has a requirement in each row, and its tests or the reason why they are missing', () => {
    const silent = rows.filter(
      ([, { asks, shown = [], missing = '' }]) =>
        asks === '' || (shown.length === 0) === (missing === ''),
    )
    expect(silent).toEqual([])
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
})
