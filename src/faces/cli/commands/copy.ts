/** Commands that copy threads: a fork in the same store, and a file for another store. */
import { setImmediate } from 'node:timers/promises'
import { readArchive, writeLines } from '../../../adapters/node/files.ts'
import { nodeOwner } from '../../../adapters/node/ports.ts'
import { defined, type Json } from '../../../core/watch/data/json.ts'
import type { ForkEffects } from '../../../core/watch/event/event.ts'
import { loadPolicyChange, machineOfSource } from '../../../host/drive/load.ts'
import { fork, importThreads } from '../../../runtime/drive/copy.ts'
import type { ForkTerms } from '../../../runtime/drive/fork-terms.ts'
import { archiveLines, BadArchive } from '../../../runtime/store/archive.ts'
import { parseArchive } from '../../../runtime/store/archive-parser.ts'
import { type Store, UnknownThread } from '../../../runtime/store/store.ts'
import {
  checkNamed,
  type App,
  EXIT,
  jsonInput,
  parseWholeNumber,
  type Perform,
  readingExit,
  UsageError,
} from '../app/app.ts'
import { commandLine, quoted } from '../print/command-line.ts'
import { printThread, sourceOf, type StoreOptions, withHost, withStore } from './thread.ts'
import { newName } from '../../../host/thread/new-name.ts'

type ForkOptions = StoreOptions & { effects?: ForkEffects; set: readonly string[] } & {
  readonly [K in 'at' | 'as' | 'graph' | 'input']?: string
} & {
  readonly paused?: true
  readonly setChannel?: readonly string[]
  readonly answer?: readonly string[]
}

/** Copies a thread up to an event. Performs nothing yet. */
export async function forkThread(app: App, thread: string, options: ForkOptions): Promise<number> {
  const { effects, set } = options
  if (effects === undefined)
    throw new UsageError(
      '--effects is required: refuse (reads only), recorded (answers from the parent while the requests are the same), live (all effects)',
    )
  const at = options.at === undefined ? undefined : parseWholeNumber('--at', options.at)
  const change = set.length > 0 ? await loadPolicyChange(set, undefined) : undefined
  const terms = await termsOf(app, options)
  return withHost(app, { progress: 'never', ...options }, async ({ host }) => {
    const as = options.as ?? `${thread}-${newName()}`
    const ports = await host.portsOf(thread)
    const run = await fork(ports, { thread, as, effects, ...defined({ at, change }), ...terms })
    await printThread(app, host.store, as, run, options)
    const next = run.ended
      ? 'it has ended, too: --at selects an earlier event'
      : `to continue it: \`${commandLine(`resume ${quoted(as)}`, options)}\``
    app.err(`forked '${thread}' as '${as}'; ${next}\n`)
    return EXIT.goal
  })
}

async function termsOf(app: App, options: ForkOptions): Promise<ForkTerms> {
  const { paused, setChannel = [], answer = [] } = options
  const input = options.input === undefined ? undefined : await jsonInput(app, options.input)
  const channels = await Promise.all(setChannel.map(text => namedJson(app, '--set-channel', text)))
  const inject = await Promise.all(
    answer.map(async text => {
      const [of, result] = await namedJson(app, '--answer', text)
      const [, kind, name = ''] = /^(tool|model):(.+)$/.exec(of) ?? []
      if (kind !== 'tool' && kind !== 'model')
        throw new UsageError(`--answer '${text}': expected tool:NAME=JSON or model:NAME=JSON`)
      return { kind, name, result } as const
    }),
  )
  return {
    ...defined({ paused, input }),
    ...(channels.length > 0 && { channels: Object.fromEntries(channels) }),
    ...(inject.length > 0 && { inject }),
  }
}

async function namedJson(app: App, option: string, text: string): Promise<readonly [string, Json]> {
  const [, name, json] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (name === undefined || json === undefined)
    throw new UsageError(`${option} '${text}': expected NAME=JSON`)
  return [name, await jsonInput(app, json, `${option} ${name}`)]
}

const PAGE = 1_000

/** Prints the stored journal, one row a line; or, with `out`, writes a thread and its children into one file. */
export const exportThread: Perform<StoreOptions & { out?: string }> = (app, thread, options) => {
  const { out, store: file } = options
  return withStore(options, async store => {
    if (out !== undefined) {
      const keep = [file, `${file}-wal`, `${file}-shm`]
      await writeLines(out, archiveLines(store, thread), {
        ...{ keep, pack: true, own: true },
        signal: AbortSignal.any([app.signal, app.leave]),
      })
      app.err(`exported '${thread}' to ${out}; \`escapement import\` reads it into another store\n`)
      return EXIT.goal
    }
    if (!(await store.thread(thread))) throw new UnknownThread(thread)
    const stop = AbortSignal.any([app.signal, app.leave])
    for (let after = -1; ; ) {
      if (stop.aborted) return readingExit(app)
      const rows = await store.rows(thread, after, PAGE)
      for (const row of rows) app.out(`${JSON.stringify(row)}\n`)
      if (rows.length < PAGE) return EXIT.goal
      after = rows.at(-1)?.seq ?? after
    }
  })
}

/** Imports the threads of a file, all or none. */
export const importThread: Perform<StoreOptions & { as?: string }> = async (app, file, options) => {
  const { as } = options
  checkNamed('--as', as)
  return withStore({ ...options, creates: true }, async store => {
    const signal = AbortSignal.any([app.signal, app.leave])
    const ports = { ...nodeOwner(), store, machineOf: machineOfSource, pause: setImmediate, signal }
    const { thread, run } = await withFileName(file, async () =>
      importThreads(ports, await parseArchive(readArchive(file)), as),
    )
    await printThread(app, store, thread, run, options)
    app.err(`imported '${thread}'${await placeText(store, thread)}\n`)
    return EXIT.goal
  })
}

/** Adds the name of the file to the message about a bad archive. */
export async function withFileName<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error
    throw new UsageError(`${file}: ${error.message}`, { cause: error })
  }
}

/** Where an imported thread expects its files: its paths come from another machine. */
async function placeText(store: Store, thread: string): Promise<string> {
  const source = await sourceOf(store, await store.rows(thread, -1, 1))
  const { file, workspace } = (source ?? {}) as Record<string, string>
  return file === undefined || workspace === undefined
    ? ''
    : `; its graph is ${file}, and its tools are confined to ${workspace}`
}
