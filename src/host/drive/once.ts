/** Requests that have an effect once, also after their thread is pruned: the store keeps the name of each beside the threads. */
import { type Store, ThreadPruned } from '../../runtime/store/store.ts'
import type { CommandOptions } from './command.ts'

// The name is stored with the effect, so it is read first: what is stored later is then not missing.

/** Checks a request that creates a thread. @throws ThreadPruned */
export async function checkMade(store: Store, thread: string, once?: string): Promise<void> {
  if (once === undefined || !(await store.getBlob(once))) return
  if (!(await store.thread(thread))) throw new ThreadPruned(thread)
}

/** Checks a command to a thread. A thread that has taken the name since does not know it. @throws ThreadPruned */
export async function checkOnce(
  store: Store,
  thread: string,
  { id, once }: CommandOptions,
): Promise<void> {
  if (id === undefined || once === undefined || !(await store.getBlob(once))) return
  if ((await store.command(thread, id)).state === 'unknown') throw new ThreadPruned(thread)
}
