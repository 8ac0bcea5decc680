/** Commands that carry threads from store to store, as one file. */
import type { Json } from '../../../core/watch/data/json.ts'
import { archiveLines, BadArchive, parseArchive } from '../../../runtime/store/archive.ts'
import { importThreads } from '../../../runtime/drive/import.ts'
import { readArchive, writeArchive } from '../../../adapters/node/archive-file.ts'
import { nodeOwner } from '../../../adapters/node/ports.ts'
import { machineOfSource } from '../../../host/load.ts'
import { type App, UsageError, EXIT } from '../app/app.ts'
import { printThread } from './report.ts'
import { type StoreOption, withStore } from './thread.ts'

export interface ArchiveOptions extends StoreOption {
  readonly json?: boolean
}

/** Writes a thread, and those it has begun, into one file. */
export async function exportArchive(
  app: App,
  thread: string,
  { out, ...options }: ArchiveOptions & { readonly out: string },
): Promise<number> {
  return withStore(options, async store => {
    await withFileName(out, () => writeArchive(out, archiveLines(store, thread)))
    app.err(`'${thread}' is in ${out}; \`escapement import\` takes it over into another store\n`)
    return EXIT.goal
  })
}

/** Takes the threads of a file over, if all of it is sound. */
export async function importArchive(
  app: App,
  file: string,
  { as, ...options }: ArchiveOptions & { readonly as?: string },
): Promise<number> {
  if (as?.trim() === '') throw new UsageError('--as expects a name')
  return withStore(options, async store => {
    const ports = { ...nodeOwner(), store, machineOf: machineOfSource }
    const { thread, run } = await withFileName(file, async () =>
      importThreads(ports, await parseArchive(readArchive(file)), as),
    )
    await printThread(app, { store, thread, run }, options)
    app.err(
      `'${thread}' is here${placeText(await store.getBlob(sourceIn(await store.rows(thread, -1, 1))))}\n`,
    )
    return EXIT.goal
  })
}

/** What is wrong with an archive is told with the name of its file. */
async function withFileName<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof BadArchive
      ? new UsageError(`${file}: ${error.message}`, { cause: error })
      : error
  }
}

function sourceIn(
  rows: readonly { readonly event: { readonly type: string; readonly source?: string } }[],
): string {
  return rows[0]?.event.source ?? ''
}

/** Where the thread looks for its files: a thread that comes from elsewhere should not surprise whoever goes on with it. */
function placeText(source: Json | undefined): string {
  const { file, workspace } = (source ?? {}) as {
    readonly file?: string
    readonly workspace?: string
  }
  return file === undefined || workspace === undefined
    ? ''
    : `; its graph is ${file}, and its tools are confined to ${workspace}`
}
