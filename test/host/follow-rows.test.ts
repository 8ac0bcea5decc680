/** The rows of all threads of a store, as a service reads them. */
import { expect, test } from 'vitest'
import { followRows } from '../../src/host/follow-rows.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { begun } from '../store/batches.ts'

test('a thread that moves by more rows than one read returns is followed without a gap', async () => {
  const store = memoryStore()
  const last = 1_200
  const stop = new AbortController()
  const seqs: number[] = []
  let isFirst = true
  for await (const rows of followRows(store, stop.signal)) {
    if (isFirst) await begun(store, 't', last)
    isFirst = false
    seqs.push(...rows.map(({ row }) => row.seq))
    if (seqs.at(-1) === last) stop.abort()
  }
  expect(seqs).toEqual(Array.from({ length: last + 1 }, (_, index) => index))
})
