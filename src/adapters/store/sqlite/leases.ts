/** Leases, in the lines of their threads. */
import {
  checkHeld,
  type Head,
  nextLease,
  type Store,
  NO_THREAD,
} from '../../../runtime/store/store.ts'
import type { Connection } from './connection.ts'

export interface HeadLine {
  readonly id: number
  readonly seq: number
  readonly epoch: number
  readonly lease_owner: string | null
  readonly lease_until: number | null
}

export const HEAD = 'SELECT id, seq, epoch, lease_owner, lease_until FROM threads WHERE name = ?1'

export function headOf(line: HeadLine | undefined): Head {
  if (!line) return NO_THREAD
  return { seq: line.seq, epoch: line.epoch, lease: leaseOf(line) }
}

export function leaseOf({
  lease_owner: owner,
  lease_until: until,
}: Pick<HeadLine, 'lease_owner' | 'lease_until'>): Head['lease'] {
  return owner === null || until === null ? undefined : { owner, until }
}

export function leases({
  query,
  command,
  transaction,
  method,
}: Connection): Pick<Store, 'lease' | 'renew' | 'release'> {
  const head = query<HeadLine>(HEAD)
  const take = command(
    `INSERT INTO threads (name, epoch, lease_owner, lease_until) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (name) DO UPDATE SET epoch = ?2, lease_owner = ?3, lease_until = ?4`,
  )
  const extend = command('UPDATE threads SET lease_until = ?2 WHERE name = ?1')
  const giveBack = command(
    'UPDATE threads SET lease_owner = NULL, lease_until = NULL WHERE name = ?1 AND lease_owner = ?2 AND epoch = ?3',
  )
  return {
    lease: method((thread, terms) =>
      transaction(() => {
        const lease = nextLease(thread, headOf(head.get(thread)), terms)
        take(thread, lease.epoch, lease.owner, lease.until)
        return lease
      }),
    ),
    renew: method((lease, until) =>
      transaction(() => {
        checkHeld(lease, headOf(head.get(lease.thread)))
        extend(lease.thread, until)
        return { ...lease, until }
      }),
    ),
    release: method(({ thread, owner, epoch }) => giveBack(thread, owner, epoch)),
  }
}
