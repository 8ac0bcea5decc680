import { type Recorder, recorder as recorderOf } from '../../runtime/store/recorder.ts'
import type { Store } from '../../runtime/store/store.ts'
import { nodeOwner } from './ports.ts'

/**
 * Records watched agents of this process in a store.
 * @example
 * const { record, flush } = recorder(sqliteStore({ file: 'threads.db' }))
 * const monitor = watchdog({ thread: 'ticket-42', record })
 */
export function recorder(store: Store): Recorder {
  return recorderOf({ store, ...nodeOwner() })
}
