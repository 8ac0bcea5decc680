/** The rows of all threads of a store, whichever process stores them. */
import { systemClock } from '../adapters/node/ports.ts'
import type { Row } from '../core/run/run.ts'
import type { Store } from '../runtime/store/store.ts'

export type ThreadRow = Readonly<{ thread: string; row: Row }>

/** The interval in ms at which the store is read. */
const POLL = 100

/** The number of rows that one read of the store returns. */
const PAGE = 500

export async function* followRows(store: Store, signal: AbortSignal) {
  let { cursor } = await store.driven()
  const heads = new Map((await store.threads()).map(({ thread, seq }) => [thread, seq]))
  // The reader subscribes at this point: later rows are reported.
  yield [] as readonly ThreadRow[]
  while (!signal.aborted) {
    const driven = await store.driven(cursor)
    cursor = driven.cursor
    for (const { thread, seq } of driven.threads) {
      for (let head = heads.get(thread) ?? -1; head < seq; ) {
        const rows = await store.rows(thread, head, PAGE)
        head = rows.at(-1)?.seq ?? seq
        heads.set(thread, head)
        yield rows.map(row => ({ thread, row })) as readonly ThreadRow[]
      }
    }
    await systemClock.sleep(POLL, signal).catch(() => {})
  }
}
