/** Creates threads from existing rows: a fork, or an import from another store. */
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import type { Row, Run } from '../../core/run.ts'
import { standingOf } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import { packer } from '../store/checkpoint.ts'
import { LEASE, type Lease, type Store, ThreadExists } from '../store/store.ts'

export type CreatePorts = Pick<Ports, 'store' | 'wall' | 'owner' | 'isOwnerDead' | 'notifiers'>

export interface NewThread {
  readonly thread: string
  readonly machine: AgentMachine
  /** The rows of the thread, and the run they fold to. */
  readonly create: (lease: Lease) => { readonly rows: readonly Row[]; readonly run: Run }
}

/** Stores whole threads in one transaction, all or none, and returns their runs. @throws ThreadExists, Conflict */
export async function createFromRows(
  ports: CreatePorts,
  threads: readonly NewThread[],
): Promise<readonly Run[]> {
  const { store, wall, isOwnerDead } = ports
  const owner = `${ports.owner}/plant`
  const leases: Lease[] = []
  try {
    for (const { thread } of threads) {
      await checkNew(store, thread)
      const now = wall()
      leases.push(await store.lease(thread, { owner, now, until: now + LEASE, isOwnerDead }))
      await checkNew(store, thread)
    }
    const created = threads.map(({ machine, create }, index) => {
      const lease = leases[index] as Lease
      const { rows, run } = create(lease)
      const checkpoint = { seq: run.seq, ...packer(machine.logs)(run) }
      const standing = standingOf({ ...ports, graph: { machine } }, run)
      return { run, batch: { lease, rows, ...standing, checkpoint } }
    })
    await store.append(...created.map(({ batch }) => batch))
    return created.map(({ run }) => run)
  } finally {
    await Promise.allSettled(leases.map(lease => store.release(lease)))
  }
}

async function checkNew(store: Store, thread: string): Promise<void> {
  if (await store.thread(thread)) throw new ThreadExists(thread)
}
