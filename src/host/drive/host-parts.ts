/** What a host is made of. */
import type { DriveOptions } from '../../runtime/drive/drive.ts'
import type { Gate } from '../../runtime/gate/gate.ts'
import type { NodePorts } from '../../adapters/node/ports.ts'
import type { Graph, Live, Ports } from '../../runtime/ports.ts'
import type { Notifier } from '../../runtime/notifier.ts'
import type { Store } from '../../runtime/store/store.ts'
import type { ClockOptions, Graphs } from './thread-start.ts'

/** Makes the ports of a thread. */
export type PortsOf = (of: NodePorts) => Ports

export interface HostParts {
  readonly store: Store
  /** The graph of a stored thread. @throws WrongGraph, UnknownThread */
  readonly graphOf: (thread: string) => Promise<Graph>
  /** The graphs whose threads the host drives. Default: all. */
  readonly graphs?: Graphs
  /** The clock of the threads. */
  readonly clock?: ClockOptions
  /** The gate of a thread. Default: one for all runtimes of this process on this store. */
  readonly gateOf?: (thread: string) => Gate | undefined
  readonly notifiersOf: (graph: Graph) => readonly Notifier[]
  /** Lifetime of the leases of driven threads, in ms. */
  readonly leaseTime?: number
  /** Default: the ports of a Node.js process. */
  readonly makePorts?: PortsOf
  /** Called for each event of the driven threads and of their children. `root` is the driven thread. */
  readonly live?: (update: Live, root: string) => void
  /** Whether a person watches the driven threads. */
  readonly isAttended?: boolean
  /** Aborting it cancels the driven threads. */
  readonly signal?: AbortSignal
  /** Aborting it leaves the driven threads as they are. */
  readonly leave?: AbortSignal
}

export interface HostedDrive extends DriveOptions {
  /** The graph of a new thread. */
  readonly graph?: Graph
}
