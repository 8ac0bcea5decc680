/** Imports threads from an archive. The whole archive is checked before anything is stored. */
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import type { Row, Run } from '../../core/run.ts'
import { isWrapped } from '../../core/wrapped-run.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { BadArchive, sourceOf, versionOf } from '../store/archive.ts'
import type { Archive, ArchivedThread } from '../store/archive.ts'
import { createFromRows, type CreatePorts } from './create-from-rows.ts'
import { checkName, ThreadExists } from '../store/store.ts'
import { callRecords } from '../call/call-record.ts'
import { foldRows } from '../store/replay.ts'
import { upcastSource } from '../store/upcast.ts'

export type ImportPorts = CreatePorts & {
  /** The machine of a stored graph. */
  readonly machineOf: (source: Json) => Promise<AgentMachine>
}

/**
 * Stores the threads of an archive in one transaction, and returns the main thread. `as` renames it and its child threads.
 *
 * @throws BadArchive, ThreadExists, ReservedName; then nothing has been stored
 */
export async function importThreads(
  ports: ImportPorts,
  { threads, kept }: Archive,
  as = threads[0]?.thread ?? '',
): Promise<{ readonly thread: string; readonly run: Run }> {
  const root = threads[0]?.thread ?? ''
  checkName(as)
  const ready = await Promise.all(
    threads.map(async each => ({
      thread: `${as}${each.thread.slice(root.length)}`,
      rows: each.rows,
      ...(await foldThread(ports, each, kept)),
    })),
  )
  for (const { thread, rows, run } of ready) {
    if (await ports.store.thread(thread)) throw new ThreadExists(thread)
    const open = as === root ? undefined : unfinishedWork(rows, run)
    if (open !== undefined)
      throw new BadArchive(
        `cannot be renamed: ${open} is unfinished and tied to the name of its thread; import it as '${root}'`,
      )
  }
  for (const [hash, value] of kept) await ports.store.putBlob(hash, value)
  const newThreads = ready.map(({ rows, run, ...of }) => ({ ...of, create: () => ({ rows, run }) }))
  await createFromRows(ports, newThreads.toReversed())
  return ready[0] as (typeof ready)[0]
}

/** Folds the journal of a thread with its machine, which compares every edge. */
async function foldThread(
  { machineOf }: ImportPorts,
  { thread, rows }: ArchivedThread,
  kept: Archive['kept'],
): Promise<{ readonly machine: AgentMachine; readonly run: Run }> {
  const [first] = rows
  const source = first && kept.get(sourceOf(first))
  if (isWrapped(first?.event))
    throw new BadArchive(
      `thread '${thread}' belongs to a wrapped agent: it can be read, not imported`,
    )
  if (source === undefined) throw new BadArchive(`thread '${thread}': its graph is missing`)
  try {
    const machine = await machineOf(upcastSource(versionOf(rows), source))
    return { machine, run: foldRows(machine, undefined, rows) as Run }
  } catch (cause) {
    const { message } = cause as Error
    throw new BadArchive(`thread '${thread}' cannot be replayed: ${message}`, { cause })
  }
}

/** The first unfinished work that is tied to the name of the thread: a child thread, or a write with an unknown outcome. */
function unfinishedWork(rows: readonly Row[], { pending, watch }: Run): string | undefined {
  const [child] = Object.keys(watch.account.reserved)
  if (child !== undefined) return `the child thread started by ${child}`
  const calls = pending.flatMap(({ id }) => [...callRecords(rows, id).calls])
  const open = new Set(calls.flatMap(([call, { state }]) => (state.kind === 'open' ? call : [])))
  for (const { event } of rows)
    if (event.type === 'tool.called' && event.effects === 'write' && open.has(event.call))
      return `a call of ${event.subject}`
  return undefined
}
