/** Taking over a thread from an archive: checked as a whole before anything of it is kept. */
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import type { Row, Run } from '../../core/run.ts'
import { isWrapped } from '../../core/wrapped-run.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { type Archive, type Archived, BadArchive, versionOf } from '../store/archive.ts'
import { createFromRows, type CreatePorts } from './create-from-rows.ts'
import { ThreadExists } from '../store/store.ts'
import { callRecords } from '../call/call-record.ts'
import { foldRows } from '../store/replay.ts'
import { upcastSource } from '../store/upcast.ts'

export interface Imported {
  readonly thread: string
  readonly run: Run
}

export type ImportPorts = Omit<CreatePorts, 'graph'> & {
  /** The machine of a graph as it was kept. */
  readonly machineOf: (source: Json) => Promise<AgentMachine>
}

/**
 * Stores the threads of an archive, the one it is about last; returns that. `as`: its name here, also in the names of those it has begun.
 *
 * @throws BadArchive, ThreadExists; nothing has been stored then
 */
export async function importThreads(
  ports: ImportPorts,
  { threads, kept }: Archive,
  as?: string,
): Promise<Imported> {
  const root = threads[0]?.thread ?? ''
  const renamed = (thread: string) =>
    as === undefined ? thread : `${as}${thread.slice(root.length)}`
  const ready = await Promise.all(
    threads.map(async each => ({
      thread: renamed(each.thread),
      rows: each.rows,
      ...(await foldThread(ports, each, kept)),
    })),
  )
  for (const { thread, rows, run } of ready) {
    if (await ports.store.thread(thread)) throw new ThreadExists(thread)
    const out = as === undefined || as === root ? undefined : unfinishedWork(rows, run)
    if (out !== undefined)
      throw new BadArchive(
        `${out} is on its way in it, and belongs to its name: import it as '${root}'`,
      )
  }
  for (const [hash, value] of kept) await ports.store.putBlob(hash, value)
  let last: Imported | undefined
  for (const { thread, rows, run, machine } of ready.toReversed())
    last = {
      thread,
      run: await createFromRows({ ...ports, graph: { machine } }, thread, () => ({ rows, run })),
    }
  return last as Imported
}

/** How a thread stands: its journal is folded by its machine, and every edge compared. */
async function foldThread(
  { machineOf }: ImportPorts,
  { thread, rows }: Archived,
  kept: Archive['kept'],
): Promise<{ readonly machine: AgentMachine; readonly run: Run }> {
  const first = rows[0]?.event
  const source =
    first?.type === 'thread.started' ? kept.get(first.source ?? first.specHash) : undefined
  if (isWrapped(first))
    throw new BadArchive(
      `thread '${thread}' belongs to a wrapped agent: it can be read, not imported`,
    )
  if (source === undefined) throw new BadArchive(`thread '${thread}': its graph is missing`)
  try {
    const machine = await machineOf(upcastSource(versionOf(rows), source))
    return { machine, run: foldRows(machine, undefined, rows) as Run }
  } catch (cause) {
    throw new BadArchive(`thread '${thread}' cannot be followed: ${(cause as Error).message}`, {
      cause,
    })
  }
}

/** What bears the name of the thread and is not over: a write of which nobody knows yet whether it took effect, or a thread it has begun. */
function unfinishedWork(rows: readonly Row[], { pending, watch }: Run): string | undefined {
  const [child] = Object.keys(watch.account.reserved)
  if (child !== undefined) return `the thread it has begun with ${child}`
  const open = new Set(
    pending.flatMap(({ id }) =>
      [...callRecords(rows, id).calls].flatMap(([call, { state }]) =>
        state.kind === 'open' ? [call] : [],
      ),
    ),
  )
  const write = rows
    .map(({ event }) => event)
    .find(
      event => event.type === 'tool.called' && event.effects === 'write' && open.has(event.call),
    )
  return write?.type === 'tool.called' ? `a call of ${write.subject}` : undefined
}
