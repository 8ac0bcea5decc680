/** The rows of all threads of a store, as a service reads them. */
import { expect, test } from 'vitest'
import type { Row } from '../../src/core/run.ts'
import { followRows } from '../../src/host/follow-rows.ts'
import type { Store } from '../../src/runtime/store/store.ts'

test('a thread that moves by more rows than one read returns is followed without a gap', async () => {
  let seq = -1
  const store = {
    threads: async () => (seq < 0 ? [] : [{ thread: 't', seq }]),
    rows: async (_: string, after = -1, limit = Number.POSITIVE_INFINITY) =>
      Array.from({ length: Math.min(limit, seq - after) }, (_, index) => ({
        seq: after + 1 + index,
      })),
  }
  const stop = new AbortController()
  const seqs: number[] = []
  for await (const rows of followRows(store as unknown as Store, stop.signal)) {
    if (seq < 0) seq = 1_200
    seqs.push(...rows.map(({ row }: { readonly row: Pick<Row, 'seq'> }) => row.seq))
    if (seqs.at(-1) === seq) stop.abort()
  }
  expect(seqs).toEqual(Array.from({ length: 1_201 }, (_, index) => index))
})
