/** How a host closes. */
import { codedError, guardOf } from '../../core/watch/data/fault.ts'

/** The options of `close`. */
export interface CloseOptions {
  /** How long turns in progress may take to end, in ms. After that, they are abandoned. Default: 0. */
  readonly drain?: number
}

/** The runtime closed while a caller waited for it. */
export class HostClosed extends codedError('HostClosed', 'host-closed') {
  constructor() {
    super('the runtime was closed; its threads can be resumed')
  }
}

/** Whether an error is a `HostClosed`. */
export const isHostClosed = guardOf(HostClosed)
