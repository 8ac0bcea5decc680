/** The child threads that a thread waits for. */
import type { Run } from '../core/run.ts'
import { childrenWaitedFor, waitsForPerson } from '../core/view.ts'
import type { Host } from './host.ts'

/** The children that a run waits for, each followed by its own. */
export async function childrenOf<T extends { readonly run: Run }>(
  run: Run,
  load: (thread: string) => Promise<T>,
): Promise<readonly (T & { readonly thread: string })[]> {
  const families = childrenWaitedFor(run).map(async ({ thread }) => {
    const child = await load(thread)
    return [{ thread, ...child }, ...(await childrenOf(child.run, load))]
  })
  return (await Promise.all(families)).flat()
}

/** Whether only a person can continue the thread: it waits, and so do the children it waits for. */
export async function waitsForPeople(host: Host, run: Run): Promise<boolean> {
  if (!waitsForPerson(run)) return false
  if (childrenWaitedFor(run).length === 0) return true
  // A child that cannot be read here is continued elsewhere.
  const children = await childrenOf(run, child => host.runOf(child)).catch(() => [])
  return children.every(child => waitsForPerson(child.run))
}
