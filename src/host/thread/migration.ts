/** Moves threads of earlier versions of a graph to the version that a host holds. */
import { explain, type Reason } from '../../core/watch/reason/reason.ts'
import type { Migration } from '../../runtime/drive/migrate.ts'
import { migrateThread, previewMigration } from '../../runtime/drive/migrate.ts'
import { summaryOf } from '../../runtime/store/store.ts'
import type { CommandOptions, Settled } from '../drive/command.ts'
import type { Host } from '../drive/host.ts'
import { explainMissing, identifiedBy } from '../drive/once.ts'
import { checkSeq } from '../drive/stale-seq.ts'

/** The options of `migrate`. */
export interface MigrateOptions extends CommandOptions {
  /** The id of the graph that takes over the thread. Default: that of the thread. */
  readonly graph?: string
  /** Stores nothing: the result says what would happen. */
  readonly preview?: boolean
}

/** The result of `migrate`, with what it changes. */
export type Migrated = Settled & { readonly migration?: Migration }

/** @throws UnknownThread, ThreadPruned, StaleSeq, WrongGraph, Conflict while a process drives the thread */
export async function migrate(
  host: Host,
  thread: string,
  { graph: id, preview = false, ...given }: MigrateOptions = {},
): Promise<Migrated> {
  const { store } = host
  const options = identifiedBy(given)
  const summary = await summaryOf(store, thread).catch(async error => {
    throw await explainMissing(store, error, { thread, once: options.once })
  })
  const name = id ?? summary.graph
  const graph = host.newestGraph(name)
  if (!graph)
    return refusal({ code: 'unknown-name', params: { kind: 'graph', name, known: host.graphIds } })
  if (options.id !== undefined && (await hasTaken(host, thread, options.id)))
    return { applied: true }
  await checkSeq(store, thread, options)
  const ports = await host.portsOf(thread, graph)
  const { refused, migration } = preview
    ? await previewMigration(ports, thread)
    : await migrateThread(ports, thread, options)
  if (migration && !preview) host.changes.publish(thread)
  return refused ? refusal(refused) : { applied: true, migration }
}

const refusal = (reason: Reason) =>
  ({ applied: false, code: reason.code, because: explain(reason) }) as const

/** Whether a migration of the thread carries the id of a command. */
async function hasTaken({ store }: Host, thread: string, command: string): Promise<boolean> {
  const rows = await store.rows(thread)
  return rows.some(({ event }) => event.type === 'migrated' && event.command === command)
}
