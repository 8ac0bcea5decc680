/** What a thread tells its scopes. */
import type { Run } from '../../core/run.ts'
import { sharesOf } from '../../core/scope-shares.ts'
import type { Share } from '../../core/watch/budget/scope.ts'
import type { Clock } from '../ports.ts'

/** What a thread has to tell as its run stands, if it differs from what it told last. */
export function publishShares(
  clock: Clock,
): (thread: string, run: Run) => readonly Share[] | undefined {
  let last = ''
  return (thread, run) => {
    if (!run.policy.limits.scopes) return undefined
    const shares = sharesOf(thread, run).map(share => ({ ...share, key: keyAt(clock, share.key) }))
    const text = JSON.stringify(shares)
    if (text === last || shares.length === 0) return undefined
    last = text
    return shares
  }
}

/** Times of a virtual clock mean nothing to the threads of the world: they share with one another alone. */
export function keyAt({ virtual }: Clock, key: string): string {
  return virtual ? `${key} (virtual)` : key
}
