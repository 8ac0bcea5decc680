/** Retention: which threads forks use, and the deletion of threads. */
import type { Row } from '../../core/run/run.ts'

export interface Retention {
  /** Forks with the thread that they were copied from, whose later rows may answer their calls. */
  forks(): Promise<readonly Fork[]>
  /**
   * Deletes families of threads, each completely or not at all, with their rows, checkpoints and commands. A family stays if one of
   * its threads is missing, has not ended, has an event since `before`, a live lease, a waiting command, or a fork that stays. Returns
   * the deleted threads.
   */
  remove(families: readonly Family[], terms: RemovalTerms): Promise<readonly string[]>
}

/** A thread with its child threads. */
export type Family = readonly string[]

export type Fork = Readonly<{ thread: string; parent: string }>

/** Times in ms. `now` decides which leases are live. */
export type RemovalTerms = Readonly<{ before: number; now: number }>

/** The thread that a journal was copied from. */
export function originIn(rows: readonly Row[]): string | undefined {
  const forked = rows.findLast(({ event }) => event.type === 'forked')?.event
  return forked?.type === 'forked' ? forked.parent.thread : undefined
}

/** The families without a fork that stays. A fork that goes frees its parent. */
export function withoutOrigins(
  families: readonly Family[],
  forks: readonly Fork[],
): readonly Family[] {
  let left = families
  for (;;) {
    const going = new Set(left.flat())
    const used = new Set(forks.flatMap(({ thread, parent }) => (going.has(thread) ? [] : parent)))
    const next = left.filter(family => !family.some(thread => used.has(thread)))
    if (next.length === left.length) return next
    left = next
  }
}

/** The families in an order in which forks go before their parents, and otherwise as they were. */
export function forksFirst(families: readonly Family[], forks: readonly Fork[]): readonly Family[] {
  const familyOf = new Map(families.flatMap(family => family.map(name => [name, family] as const)))
  const forksOf = Map.groupBy(forks, ({ parent }) => parent)
  const isFork = new Set(
    forks.flatMap(({ thread, parent }) => (familyOf.has(parent) ? thread : [])),
  )
  const reversed = families.toReversed()
  const ordered = new Set(reversed.filter(family => !family.some(name => isFork.has(name))))
  // A set is walked with what is added meanwhile.
  for (const family of ordered)
    for (const name of family)
      for (const { thread } of forksOf.get(name) ?? []) {
        const fork = familyOf.get(thread)
        if (fork) ordered.add(fork)
      }
  // Imports may have made a circle of forks.
  return [...new Set([...ordered, ...reversed])].toReversed()
}
