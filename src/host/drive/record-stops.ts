/** Records clean stops that a locked store did not take. Without the record, the next process would count a crash. */
import { systemClock } from '../../adapters/node/ports.ts'
import { drive } from '../../runtime/drive/drive.ts'
import { unrecordedStops } from '../../runtime/drive/store-outages.ts'
import type { Ports } from '../../runtime/ports.ts'
import { isStoreUnavailable, type Store } from '../../runtime/store/store.ts'
import { HostClosed } from './host-closed.ts'

/** How long a closing host waits for its store, in ms. */
const STORE_WAIT = 30_000

/** The interval in ms between two tries. */
const RETRY_INTERVAL = 500

export async function recordStops(
  store: Store,
  portsOf: (thread: string) => Promise<Ports>,
): Promise<void> {
  const stops = unrecordedStops(store)
  const end = performance.now() + STORE_WAIT
  const closed = new HostClosed()
  const isOpen = async (thread: string) => {
    try {
      // A drive that has to leave at once records the stop, and rejects.
      await drive(await portsOf(thread), thread, { leave: AbortSignal.abort(closed) })
      return false
    } catch (error) {
      return isStoreUnavailable(error) ? error.isTemporary : error === closed && stops.has(thread)
    }
  }
  for (const thread of [...stops])
    while ((await isOpen(thread)) && performance.now() < end)
      await systemClock.sleep(RETRY_INTERVAL)
}
