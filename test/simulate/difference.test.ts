/** Where two journals of one seed differ. */
import { expect, test } from 'vitest'
import type { Row } from '../../src/core/run/run.ts'
import { differenceOf, differenceText } from '../../src/simulate/monte/difference.ts'

const row = (seq: number, more: object) =>
  ({ seq, event: { at: 0, type: 'tool.done', subject: 'search', ...more } }) as unknown as Row

test('equal journals have no difference', () => {
  expect(differenceOf([row(1, { result: [1] })], [row(1, { result: [1] })])).toBeUndefined()
})

test('the first value that differs is named, and a hash of it is not', () => {
  const one = [row(1, {}), row(2, { key: 'a', result: { hits: [1, 2] } })]
  const other = [row(1, {}), row(2, { key: 'b', result: { hits: [1, 3] } })]
  const found = differenceOf(one, other)
  expect(found && differenceText(found)).toBe(
    'event 2, tool.done search: event.result.hits.1 is 2 in one journal, and 3 in the other',
  )
})

test('a value that one row does not have is missing', () => {
  const found = differenceOf([row(1, { cut: 3 })], [row(1, {})])
  expect(found && differenceText(found)).toBe(
    'event 1, tool.done search: event.cut is 3 in one journal, and missing in the other',
  )
})

test('a journal may go on where the other one ends', () => {
  const found = differenceOf([row(1, {})], [row(1, {}), row(2, {})])
  expect(found && differenceText(found)).toBe('only one journal has event 2, tool.done search')
})

test('a hash that differs alone is named', () => {
  const found = differenceOf([row(1, { key: 'a' })], [row(1, { key: 'b' })])
  expect(found?.path).toBe('event.key')
})
