/**
 * The journal that a fork was copied from. Another thread may have the name of the parent: in a store that the fork was imported into, or
 * since the parent was removed. Its calls have the same keys as those of the parent if their arguments are the same, so that its answers
 * must not be taken.
 *
 * *Rejected:* to compare all copied rows. The seed and the time of the start and of the last copied row identify a journal.
 */
import type { Row } from '../../core/run/run.ts'
import { canonical, digest } from '../../core/watch/data/json.ts'
import type { Origin } from '../../core/watch/event/event.ts'
import type { Store } from '../store/store.ts'

/** The rows of an origin of the thread `fork` after its row `after`; none when the journal of that name is not, or no longer, the copied one. */
export async function rowsOfOrigin(
  store: Store,
  fork: string,
  origin: Origin,
  after = origin.seq,
): Promise<readonly Row[]> {
  // One read has the row to compare and the answers: the parent may be removed between two.
  const rows = await store.rows(origin.thread, Math.min(after, origin.seq - 1))
  const last = rows.find(({ seq }) => seq === origin.seq)
  const isCopied = last !== undefined && (await isCopiedUpTo(store, fork, origin, last))
  return isCopied ? rows.filter(({ seq }) => seq > after) : []
}

/** Whether the rows of the fork up to the row `last` of this thread were copied from it. */
async function isCopiedUpTo(store: Store, fork: string, { thread, seq }: Origin, last: Row) {
  const [copy, forked] = await store.rows(fork, seq - 1, 2)
  if (forked?.event.type === 'forked' && forked.event.replaced)
    return canonical(forked.event.replaced) === canonical(digest(last))
  if (canonical(copy) !== canonical(last)) return false
  const [first] = await store.rows(thread, -1, 1)
  const [own] = await store.rows(fork, -1, 1)
  return canonical(first) === canonical(own)
}
