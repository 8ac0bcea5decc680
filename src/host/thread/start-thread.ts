/** Starts a thread, unless another call or another process starts it at the same time. */
import type { Graph } from '../../runtime/ports.ts'
import { isConflict, isThreadExists, ThreadExists } from '../../runtime/store/store.ts'
import type { Host } from '../drive/host.ts'
import type { HostedDrive } from '../drive/host-parts.ts'

type Start = HostedDrive & { readonly graph: Graph }

/** The command whose message starts a thread: the thread takes its id, so that a repetition is not sent to it. */
export type FirstCommand = { readonly command?: string }

/** Resolves once the first event is stored. @throws ThreadExists, ThreadPruned, InvalidInput; nothing is stored then */
export async function startThread(host: Host, thread: string, options: Start): Promise<void> {
  for (;;) {
    if (!host.drives(thread) && (await isStarted(host, thread, options))) return
    if (await host.store.thread(thread)) throw new ThreadExists(thread)
    // Another start has not stored its first event yet. If it fails, this one follows.
    await host.changes.next(thread, host.closing)
  }
}

/** Starts a thread with its first message, or sends the message if another one has started it. */
export async function sendOrStart<T>(
  isStored: boolean,
  { send, start }: { readonly send: () => Promise<T>; readonly start: () => Promise<T> },
): Promise<T> {
  if (isStored) return send()
  try {
    return await start()
  } catch (error) {
    if (isThreadExists(error)) return send()
    throw error
  }
}

/** `false`: another process has the lease of the thread. */
async function isStarted(host: Host, thread: string, options: Start): Promise<boolean> {
  const stored = Promise.withResolvers<void>()
  const end = host.changes.subscribe(thread, live => live?.kind === 'rows' && stored.resolve())
  const driven = host.driveWithParents(thread, { ...options, fresh: true })
  try {
    await Promise.race([stored.promise, driven])
    return true
  } catch (error) {
    if (!isConflict(error)) throw error
    return false
  } finally {
    end()
  }
}
