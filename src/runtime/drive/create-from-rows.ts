/** A thread that begins with rows that are there already: a fork, or one that was taken over from another store. */
import type { Row, Run } from '../../core/run.ts'
import { packer } from '../store/checkpoint.ts'
import { LEASE } from '../store/store.ts'
import { standingOf } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import { type Lease, ThreadExists } from '../store/store.ts'

/** What planting needs: a machine to say how the thread stands, and a name to hold its lease by. */
export type CreatePorts = Pick<Ports, 'store' | 'wall' | 'owner' | 'isOwnerDead' | 'notifiers'> & {
  readonly graph: Pick<Ports['graph'], 'machine'>
}

/** The rows of a thread, and the run they fold to. */
export interface NewThread {
  readonly rows: readonly Row[]
  readonly run: Run
}

/** Stores a whole thread in one transaction. @throws ThreadExists, Conflict */
export async function createFromRows(
  ports: CreatePorts,
  thread: string,
  make: (lease: Lease) => NewThread,
): Promise<Run> {
  const { store, wall, owner, isOwnerDead } = ports
  const now = wall()
  if (await store.thread(thread)) throw new ThreadExists(thread)
  const lease = await store.lease(thread, {
    owner: `${owner}/plant`,
    now,
    until: now + LEASE,
    isOwnerDead,
  })
  try {
    if (await store.thread(thread)) throw new ThreadExists(thread)
    const { rows, run } = make(lease)
    const checkpoint = { seq: run.seq, ...packer(ports.graph.machine.logs)(run) }
    await store.append({ lease, rows, ...standingOf(ports, run), checkpoint })
    return run
  } finally {
    await store.release(lease).catch(() => {})
  }
}
