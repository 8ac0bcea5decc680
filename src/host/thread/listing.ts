/** A thread as lists show it. */
import type { ThreadSummary } from '../../runtime/store/store.ts'

/** The status and the last event of a thread. */
export type ThreadListing = Omit<ThreadSummary, 'lease'>

/** The lease names a process: it stays inside. */
export const listingOf = ({ lease: _, ...listing }: ThreadSummary): ThreadListing => listing
