/** The command that deletes threads that ended long ago. */
import { spanIn } from '../../../core/watch/data/duration.ts'
import { pruneThreads } from '../../../host/prune.ts'
import { type App, EXIT, printResult, UsageError } from '../app/app.ts'
import { type StoreOptions, withStore } from './thread.ts'

interface PruneCommand extends StoreOptions {
  readonly keep: string
  readonly yes?: boolean
}

/** The names that are printed as text. `--json` prints all. */
const SHOWN = 20

export async function prune(app: App, options: PruneCommand): Promise<number> {
  const keep = spanIn(options.keep)
  if (keep === undefined)
    throw new UsageError(`--keep ${options.keep}: expected a duration, such as 30d`)
  const preview = options.yes !== true
  const threads = await withStore(options, store =>
    pruneThreads(store, Date.now(), { keep, preview }),
  )
  printResult(app, options, { deleted: !preview, threads }, () => [
    ...threads.slice(0, SHOWN).map(thread => ({ wrap: [thread], hang: 2 })),
    ...(threads.length > SHOWN ? [`and ${threads.length - SHOWN} more`] : []),
    textOf(threads.length, preview),
  ])
  return EXIT.goal
}

function textOf(count: number, preview: boolean): string {
  const threads = `${count === 0 ? 'no' : count} thread${count === 1 ? '' : 's'}`
  if (count === 0) return `${threads} to delete`
  return preview ? `${threads} to delete; --yes deletes them` : `${threads} deleted`
}
