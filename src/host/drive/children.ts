/** The child threads that a thread waits for. */
import type { Run } from '../../core/run/run.ts'
import { childrenWaitedFor, waitsForPerson } from '../../core/run/view.ts'
import type { Command } from '../../runtime/store/person-event.ts'

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

/** What reads and commands the threads of a family. */
interface Family {
  runOf(thread: string): Promise<{ readonly run: Run }>
  deliver(thread: string, command: Command): Promise<unknown>
}

/** Whether only a person can continue the thread: it waits, and so do the children it waits for. */
export async function waitsForPeople(family: Pick<Family, 'runOf'>, run: Run): Promise<boolean> {
  if (!waitsForPerson(run)) return false
  if (childrenWaitedFor(run).length === 0) return true
  // A child that cannot be read here is continued elsewhere.
  const children = await childrenOf(run, child => family.runOf(child)).catch(() => [])
  return children.every(child => waitsForPerson(child.run))
}

/** Pauses the children that a paused thread waits for. Its driver pauses those that it runs. */
export async function pauseChildren(family: Family, thread: string): Promise<void> {
  const { run } = await family.runOf(thread)
  if (!run.paused) return
  const command = { type: 'pause', inherited: run.paused.since } as const
  // A child that has ended or cannot be read here needs no pause.
  const children = childrenWaitedFor(run)
  await Promise.allSettled(children.map(child => family.deliver(child.thread, command)))
}
