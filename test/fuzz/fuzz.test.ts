/** A short run of the fuzzer; `node test/fuzz/main.ts` sends 100,000 requests. */
import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'

test('random requests are answered without an internal error', async () => {
  const { failed, statuses } = await fuzz({ requests: 1_500, seed: 2 })
  expect(failed).toEqual([])
  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 201, 404, 409, 422]))
})
