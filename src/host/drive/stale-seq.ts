/** The check of a command that expects an event, and its error. */
import { codedError, guardOf } from '../../core/watch/data/fault.ts'
import { type Store, summaryOf } from '../../runtime/store/store.ts'
import type { CommandOptions } from './command.ts'

/** The thread has moved on since the caller read it. */
export class StaleSeq extends codedError('StaleSeq', 'stale-seq') {
  /** The last event of the thread. */
  readonly seq: number
  constructor(thread: string, expected: number, seq: number) {
    super(
      `thread '${thread}' is at event ${seq}, not ${expected}; read the new events and decide again`,
    )
    this.seq = seq
  }
}

/** Whether an error is a `StaleSeq`. */
export const isStaleSeq = guardOf(StaleSeq)

/** Checks the event that a caller has seen, unless the thread knows the command. @throws StaleSeq, UnknownThread */
export async function checkSeq(
  store: Store,
  thread: string,
  { expectSeq, id }: CommandOptions,
): Promise<void> {
  if (expectSeq === undefined) return
  if (id !== undefined && (await store.command(thread, id)).state !== 'unknown') return
  const { seq } = await summaryOf(store, thread)
  if (seq !== expectSeq) throw new StaleSeq(thread, expectSeq, seq)
}
