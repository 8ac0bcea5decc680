/** The canonical text of a deep value: each level is read a fixed number of times. */
import { expect, test } from 'vitest'
import { canonical } from '../src/core/watch/data/json.ts'

/** Whose keys have no order at the deepest level, after a counted field. Also the number of reads. */
function readsAt(levels: number): number {
  let reads = 0
  const counted = {
    get a() {
      reads++
      return 1
    },
  }
  let value: unknown = [counted, { z: 1, y: 2 }]
  for (let level = 0; level < levels; level++) value = [value]
  const open = '['.repeat(levels + 1)
  expect(canonical(value)).toBe(`${open}{"a":1},{"y":2,"z":1}${']'.repeat(levels + 1)}`)
  return reads
}

test('a value out of order deep inside is not read again for each level around it', () => {
  expect(readsAt(200)).toBe(readsAt(1))
})
