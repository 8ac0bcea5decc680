/** Retention: which threads forks use, and the deletion of threads. */
import type { Row } from '../../core/run/run.ts'

export interface Retention {
  /** Forks with the thread that they were copied from, whose later rows may answer their calls. */
  forks(): Promise<readonly Fork[]>
  /**
   * Deletes families of threads, each completely or not at all, with their rows, checkpoints and commands. A family stays if one of
   * its threads is missing, has not ended, has an event since `before`, a live lease or a waiting command. Returns the deleted threads.
   */
  remove(families: readonly (readonly string[])[], terms: RemovalTerms): Promise<readonly string[]>
}

export type Fork = Readonly<{ thread: string; parent: string }>

/** Times in ms. `now` decides which leases are live. */
export type RemovalTerms = Readonly<{ before: number; now: number }>

/** The thread that a journal was copied from. */
export function originIn(rows: readonly Row[]): string | undefined {
  const forked = rows.findLast(({ event }) => event.type === 'forked')?.event
  return forked?.type === 'forked' ? forked.parent.thread : undefined
}
