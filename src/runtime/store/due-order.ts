/** The order in which due threads are driven, for stores that sort them outside of their database. */

/** A thread that is due. `wakeAt`: when, unless it is ready at once or due by a command. */
export interface DueThread {
  readonly thread: string
  /** Its driver died, or lost its lease. */
  readonly isAbandoned: boolean
  readonly hasCommand: boolean
  readonly wakeAt?: number | undefined
}

/**
 * Abandoned threads come first: they were in the middle of something. Then those with a command, because a person waits. Then deadlines
 * before the threads that are ready at once, of which there may always be more than processes. `due` has the oldest thread first.
 */
export function inDueOrder(due: readonly DueThread[], limit?: number): readonly string[] {
  const rank = ({ isAbandoned, hasCommand, wakeAt }: DueThread) =>
    isAbandoned ? 0 : hasCommand ? 1 : wakeAt === undefined ? 3 : 2
  return due
    .toSorted((a, b) => {
      const ranks = rank(a) - rank(b)
      return ranks !== 0 || rank(a) !== 2 ? ranks : (a.wakeAt ?? 0) - (b.wakeAt ?? 0)
    })
    .slice(0, limit)
    .map(({ thread }) => thread)
}
