/** Moves waiting threads of earlier versions of a graph to the version of a module. */
import { createRuntime } from '../../../host/runtime.ts'
import { loadGraph } from '../../../host/drive/load.ts'
import { migrate } from '../../../host/thread/migration.ts'
import { isConflict } from '../../../runtime/store/store.ts'
import { type App, EXIT, printResult, UsageError } from '../app/app.ts'
import { type MigratedThread, migrationsTable } from '../print/tables.ts'
import { type StoreOptions, withHost } from './thread.ts'

interface MigrationOptions extends StoreOptions {
  readonly graph: string
  readonly allStale?: boolean
  readonly dryRun?: boolean
}

/** Migrates the named threads, or all open threads of other versions. A thread that cannot migrate does not block the others. */
export async function migrateThreads(
  app: App,
  named: readonly string[],
  options: MigrationOptions,
): Promise<number> {
  const { graph: file, allStale = false, dryRun: preview = false } = options
  if (allStale === named.length > 0) throw new UsageError('name threads, or use --all-stale')
  const graph = await loadGraph(file)
  const terms = { ...options, held: graph, progress: 'never' } as const
  return withHost(app, terms, async ({ host }) => {
    const { store } = host
    const stale = () => createRuntime({ store, graphs: [graph] }).unreachable()
    const threads = allStale ? (await stale()).map(({ thread }) => thread) : named
    const results: MigratedThread[] = []
    for (const thread of threads) {
      const result = await migrate(host, thread, { graph: graph.machine.id, preview }).catch(
        refused,
      )
      results.push({ thread, ...result })
    }
    printResult(app, options, results, () => migrationsTable(results, preview))
    return results.every(({ applied }) => applied) ? EXIT.goal : EXIT.ended
  })
}

/** Another process drives the thread. */
function refused(error: unknown): Omit<MigratedThread, 'thread'> {
  if (!isConflict(error)) throw error
  return { applied: false, because: error.message }
}
