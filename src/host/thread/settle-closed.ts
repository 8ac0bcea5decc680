/** Lets callers know of the end of a host only once it has closed: they may end the process while other threads are still being left. */
import type { Host } from '../drive/host.ts'
import { isHostClosed } from '../drive/host-closed.ts'

/** Wraps the methods of an object in place: a rejection with `HostClosed` waits until all threads are left. */
export function settleClosed<T extends object>(host: Pick<Host, 'closed'>, methods: T): T {
  const wait = async (error: unknown): Promise<never> => {
    if (isHostClosed(error)) await host.closed.promise
    throw error
  }
  const wrapped = methods as Record<string, unknown>
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method !== 'function') continue
    wrapped[name] = (...args: readonly unknown[]) => {
      const value = method(...args)
      return value instanceof Promise ? value.catch(wait) : value
    }
  }
  return methods
}
