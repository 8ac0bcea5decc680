/** The watches of an agent that many conversations share: one for each thread, and one for each call without a thread. */
import { breakerCell } from '../failure/breaker.ts'
import { type Watchdog, type WatchdogOptions, watchdog } from './watchdog.ts'

/** The number of threads in memory. Beyond it, the thread without a call for the longest time is dropped. */
const THREADS_MAX = 1_000

export interface Watches<W> {
  /** The watchdog of the latest call, also after later calls. */
  readonly watchdog: Watchdog
  /** The watch of a thread. Without a thread, a new watch. */
  open(thread?: string): W
  /** The watch of a known thread. */
  find(thread: string): W | undefined
}

/** A given `thread` or `state` belongs to one conversation: all calls share its watch. `id` returns a different id each time. */
export function watchesOf<W extends { readonly watchdog: Watchdog }>(
  options: WatchdogOptions,
  id: () => string,
  make: (monitor: Watchdog) => W,
): Watches<W> {
  const { thread: only, state, agent = 'agent', breakers = breakerCell(), ...rest } = options
  const open = (thread: string) =>
    make(watchdog({ ...rest, agent, breakers, thread, ...(state ? { state } : {}) }))
  const single = only !== undefined || state !== undefined ? open(only ?? agent) : undefined
  const byThread = new Map<string, W>()
  let latest = single ?? open(agent)
  return {
    watchdog: new Proxy({} as Watchdog, { get: (_, key) => Reflect.get(latest.watchdog, key) }),
    open(thread) {
      if (thread === undefined) latest = single ?? open(`${agent}-${id()}`)
      else {
        latest = byThread.get(thread) ?? open(thread)
        byThread.delete(thread)
        byThread.set(thread, latest)
        const [oldest] = byThread.keys()
        if (byThread.size > THREADS_MAX && oldest !== undefined) byThread.delete(oldest)
      }
      return latest
    },
    find: thread => byThread.get(thread) ?? (thread === only ? single : undefined),
  }
}
