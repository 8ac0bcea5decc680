/** Drives a thread together with the children it waits for that have commands. The drive of a thread that waits leaves its children alone. */
import type { Run } from '../../core/run/run.ts'
import { summaryOf } from '../../runtime/store/store.ts'
import { childrenOf } from './children.ts'
import type { Host } from './host.ts'
import type { HostedDrive } from './host-parts.ts'

/** Starts the drive. Resolves once the children that have commands are driven, too. */
export async function startFamily(host: Host, thread: string, options: HostedDrive): Promise<void> {
  for (const child of options.turns === 0 ? [] : await commandedChildren(host, thread))
    inBackground(host.driveWithParents(child))
  inBackground(host.driveWithParents(thread, options))
}

/** Drives the children that have commands, and then the thread, until it ends or waits. @throws Conflict while another process drives the thread */
export async function driveFamily(host: Host, thread: string): Promise<Run> {
  const children = await commandedChildren(host, thread)
  // Another process may drive a child.
  await Promise.allSettled(children.map(child => host.driveWithParents(child)))
  return host.driveWithParents(thread)
}

/** Whether a command is queued for a thread, or for a child it waits for, that this process drives. */
export async function isCommandDue(host: Host, thread: string, run: Run): Promise<boolean> {
  if (host.drives(thread) && (await hasCommands(host, thread))) return true
  const children = await childrenIn(host, run)
  for (const child of children)
    if (host.drives(child) && (await hasCommands(host, child))) return true
  return false
}

async function commandedChildren(host: Host, thread: string): Promise<readonly string[]> {
  const { status, waits = [] } = await summaryOf(host.store, thread)
  if (status !== 'waiting' || waits.length === 0) return []
  const children = await childrenIn(host, (await host.runOf(thread)).run)
  const found: string[] = []
  for (const child of children) if (await hasCommands(host, child)) found.push(child)
  return found
}

/** A child that cannot be read here is continued elsewhere. */
async function childrenIn(host: Host, run: Run): Promise<readonly string[]> {
  const children = await childrenOf(run, child => host.runOf(child)).catch(() => [])
  return children.map(child => child.thread)
}

const hasCommands = async ({ store }: Host, thread: string) =>
  (await store.inbox(thread)).length > 0

/** The host keeps the error, and `result()` rejects with it. */
function inBackground(driven: Promise<Run>): void {
  driven.catch(() => {})
}
