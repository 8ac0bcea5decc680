/** Finds threads that no event will continue: parents whose child has ended unnoticed, and children whose parent has ended. */
import { systemClock } from '../adapters/node/ports.ts'
import { childrenWaitedFor } from '../core/view.ts'
import type { ThreadSummary } from '../runtime/store/store.ts'
import type { Host } from './host.ts'

/** The parent in the name of a child, `PARENT/STATE#1/2`. */
const CHILD = /^(.+)\/[^/]+#\d[^/]*\/\d+$/

/** The time in ms between two sweeps. */
const SWEEP_EVERY = 60_000

/** Returns the threads to drive, at once and then every minute. A pair in order is not read again before it changes. */
export function sweeper(host: Host): () => Promise<readonly string[]> {
  const checked = new Set<string>()
  let next = 0
  return async () => {
    const now = systemClock.now()
    if (now < next) return []
    next = now + SWEEP_EVERY
    return sweep(host, checked)
  }
}

/** Driving such a thread is enough: its driver looks at the parent and at the children. */
export async function sweep(host: Host, checked = new Set<string>()): Promise<readonly string[]> {
  const threads = new Map((await host.store.threads()).map(of => [of.thread, of]))
  const stuck = new Set<string>()
  for (const child of threads.values()) {
    const parent = threads.get(CHILD.exec(child.thread)?.[1] ?? '')
    const waiting = parent && stuckOf(parent, child)
    if (!parent || !waiting || host.drives(waiting.thread) || !host.owns(waiting)) continue
    const pair = `${child.thread} ${child.seq} ${parent.seq}`
    if (checked.has(pair)) continue
    // A thread that cannot be read here is continued elsewhere.
    if (await isStuck(host, parent, child).catch(() => false)) stuck.add(waiting.thread)
    else checked.add(pair)
  }
  return [...stuck]
}

function stuckOf(parent: ThreadSummary, child: ThreadSummary): ThreadSummary | undefined {
  if (child.status === 'ended') return parent.status === 'waiting' ? parent : undefined
  return parent.status === 'ended' && child.status === 'waiting' ? child : undefined
}

/** Names are only a hint: another thread may have the name of a child. */
async function isStuck(host: Host, parent: ThreadSummary, child: ThreadSummary): Promise<boolean> {
  if (child.status !== 'ended')
    return (await host.runOf(child.thread)).run.parent?.thread === parent.thread
  const { run } = await host.runOf(parent.thread)
  return childrenWaitedFor(run).some(({ thread }) => thread === child.thread)
}
