/** Creates a thread from existing rows: a fork, or an import from another store. */
import type { Row, Run } from '../../core/run.ts'
import { standingOf } from '../journal/journal.ts'
import type { Graph, Ports } from '../ports.ts'
import { packer } from '../store/checkpoint.ts'
import { LEASE, type Lease, ThreadExists } from '../store/store.ts'

export type CreatePorts = Pick<Ports, 'store' | 'wall' | 'owner' | 'isOwnerDead' | 'notifiers'> & {
  readonly graph: Pick<Graph, 'machine'>
}

/** The rows of a thread, and the run they fold to. */
interface NewThread {
  readonly rows: readonly Row[]
  readonly run: Run
}

/** Stores a whole thread in one transaction. @throws ThreadExists, Conflict */
export async function createFromRows(
  ports: CreatePorts,
  thread: string,
  create: (lease: Lease) => NewThread,
): Promise<Run> {
  const { store, wall, isOwnerDead } = ports
  const now = wall()
  const owner = `${ports.owner}/plant`
  if (await store.thread(thread)) throw new ThreadExists(thread)
  const lease = await store.lease(thread, { owner, now, until: now + LEASE, isOwnerDead })
  try {
    if (await store.thread(thread)) throw new ThreadExists(thread)
    const { rows, run } = create(lease)
    const checkpoint = { seq: run.seq, ...packer(ports.graph.machine.logs)(run) }
    await store.append({ lease, rows, ...standingOf(ports, run), checkpoint })
    return run
  } finally {
    await store.release(lease).catch(() => {})
  }
}
