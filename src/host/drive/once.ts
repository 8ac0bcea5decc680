/**
 * Requests that have an effect once, also after their thread is pruned: the store keeps the name of each beside the threads. It checks the
 * name again in the transaction of the effect. These checks come first, so that a repeated request leaves nothing behind.
 */
import { isUnknownThread, type Store, ThreadPruned } from '../../runtime/store/store.ts'
import type { CommandOptions } from './command.ts'
import { checkSeq } from './stale-seq.ts'

// The name is stored with the effect, so it is read first: what is stored later is then not missing.

/** Checks a request that creates a thread. @throws ThreadPruned */
export async function checkMade(store: Store, thread: string, once?: string): Promise<void> {
  if (once === undefined || !(await store.getBlob(once))) return
  if (!(await store.thread(thread))) throw new ThreadPruned(thread)
}

/** Keeps the name of a request that a thread answers which another request has made. `false`: the thread is missing. */
export const joined = async (store: Store, thread: string, once?: string): Promise<boolean> =>
  once === undefined || store.join(thread, once)

/** Checks a command to a thread, and the event that its caller has seen. A thread that has taken the name since does not know the command. @throws ThreadPruned, StaleSeq, UnknownThread */
export async function checkCommand(
  store: Store,
  thread: string,
  options: CommandOptions,
): Promise<void> {
  const { id, once } = options
  const isMade = id !== undefined && once !== undefined && (await store.getBlob(once))
  if (isMade && (await store.command(thread, id)).state === 'unknown')
    throw new ThreadPruned(thread)
  await checkSeq(store, thread, options)
}

/** The options of a command. Without an id of its own, the name of its request identifies it. */
export const identifiedBy = ({ id, once, ...options }: CommandOptions): CommandOptions =>
  once === undefined
    ? { ...options, ...(id !== undefined && { id }) }
    : { ...options, once, id: id ?? once }

/** The error of a request whose thread is missing. If the store knows the request, the thread was pruned while it was repeated. */
export async function explainMissing(
  store: Store,
  error: unknown,
  { thread, once }: { readonly thread: string; readonly once: string | undefined },
): Promise<unknown> {
  const isMade = once !== undefined && isUnknownThread(error) && (await store.getBlob(once))
  return isMade ? new ThreadPruned(thread) : error
}
