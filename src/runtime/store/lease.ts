/** Leases: who drives a thread. An owner is one drive of one process. */
import type { Lease, Store } from './store.ts'

/**
 * The default lifetime of a lease, in ms. The driver renews it after a third of that. The thread of a dead machine waits this long; a
 * process that stands still for two thirds of it loses its threads.
 */
export const LEASE = 6_000

/** What a driver needs to lease threads. */
export interface LeasePorts {
  readonly store: Store
  /** Real time in ms: leases use it, whatever the clock of a thread. */
  readonly wall: () => number
  /** Names this process uniquely. `asOwner` appends a number. */
  readonly owner: string
  /** Whether the process of another owner has certainly ended. In doubt `false`: its lease expires, and its writes count as possible. */
  readonly isOwnerDead: (owner: string) => boolean
  /** Lifetime of a lease, in ms. Default: 6,000. */
  readonly leaseTime?: number
  /** Those of a simulated process. Default: the owners of this process. */
  readonly owners?: Owners
}

/** The owners at work in a process. An owner with the name of the process that is missing here has stopped. */
export class Owners {
  readonly #working = new Set<string>()
  #count = 0

  begin(process: string): string {
    const owner = `${process}/${++this.#count}`
    this.#working.add(owner)
    return owner
  }

  end(owner: string): void {
    this.#working.delete(owner)
  }

  isWorking(owner: string): boolean {
    return this.#working.has(owner)
  }
}

const OWNERS = new Owners()

/** Works under a unique owner name. The owner counts as alive as long as one of its `abandoned` writes may still take effect. */
export async function asOwner<P extends LeasePorts, T>(
  outer: P,
  work: (ports: P, abandoned: Set<Promise<unknown>>) => Promise<T>,
): Promise<T> {
  const { owners = OWNERS } = outer
  const owner = owners.begin(outer.owner)
  const isOwnerDead = (other: string) =>
    outer.isOwnerDead(other) || (other.startsWith(`${outer.owner}/`) && !owners.isWorking(other))
  const abandoned = new Set<Promise<unknown>>()
  try {
    return await work({ ...outer, owner, isOwnerDead }, abandoned)
  } finally {
    void Promise.allSettled(abandoned).then(() => owners.end(owner))
  }
}

/** Takes a lease for its lifetime. @throws Conflict */
export function takeLease(ports: LeasePorts, thread: string): Promise<Lease> {
  const { store, owner, isOwnerDead, leaseTime = LEASE } = ports
  const now = ports.wall()
  return store.lease(thread, { owner, now, until: now + leaseTime, isOwnerDead })
}

/** Renews a lease after a third of its lifetime. @throws Conflict when it has been taken over */
export async function renewLease(ports: LeasePorts, lease: Lease): Promise<Lease> {
  const { store, leaseTime = LEASE } = ports
  const now = ports.wall()
  return now > lease.until - (leaseTime * 2) / 3 ? store.renew(lease, now + leaseTime) : lease
}

/** Works under the lease of a thread. A lease that cannot be released expires. @throws Conflict */
export function withLease<P extends LeasePorts, T>(
  outer: P,
  thread: string,
  work: (lease: Lease, ports: P, abandoned: Set<Promise<unknown>>) => Promise<T>,
): Promise<T> {
  return asOwner(outer, async (ports, abandoned) => {
    const lease = await takeLease(ports, thread)
    try {
      return await work(lease, { ...ports, owner: outer.owner }, abandoned)
    } finally {
      await ports.store.release(lease).catch(() => {})
    }
  })
}
