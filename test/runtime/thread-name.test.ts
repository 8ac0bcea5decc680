/** The names of child threads, however deeply they are nested. */
import { expect, test } from 'vitest'
import { isBelow, parentIn } from '../../src/core/watch/data/thread-name.ts'

test.each([
  ['t/plan#2/1', 't'],
  ['t/plan#2+1/1', 't'],
  ['t/plan#2/1/ask#1/3', 't/plan#2/1'],
  ['/plan#2/1', ''],
  ['customer/42', undefined],
  ['t/plan#2/1/notes', undefined],
  ['plan#2/1', undefined],
  ['/1', undefined],
])('the parent in %s is %s', (thread, parent) => {
  expect(parentIn(thread)).toBe(parent)
})

test.each([
  ['t/plan#2/1', 't', true],
  ['t/plan#2/1/ask#1/3', 't', true],
  ['t/plan#2/1/ask#1/3', 't/plan#2/1', true],
  ['t/plan#2/1', 't/plan#2/1', false],
  ['t/plan#2/1', 't/plan#2', false],
  ['tt/plan#2/1', 't', false],
  ['t/notes/plan#2/1', 't', false],
  ['t/plan#2/1/notes', 't', false],
])('whether %s is below %s: %s', (thread, above, below) => {
  expect(isBelow(thread, above)).toBe(below)
})

test('a name of 100,000 levels is read in one walk', () => {
  const levels = '/plan#1/1'.repeat(100_000)
  expect(isBelow(`t${levels}`, 't')).toBe(true)
  expect(isBelow(`t/notes${levels}`, 't')).toBe(false)
})
