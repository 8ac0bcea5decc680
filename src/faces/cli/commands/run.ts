import { lint } from '../../../core/graph/lint.ts'
import { type App, UsageError } from '../app.ts'
import { jsonInput } from '../input.ts'
import { scopeKey } from './scopes.ts'
import { report } from './report.ts'
import { driveShown, graphOf, type OutputOptions, withStore } from './thread.ts'

export interface RunOptions extends OutputOptions {
  readonly input?: string
  readonly thread?: string
  readonly seed?: string
  readonly set: readonly string[]
  readonly workspace?: string
  /** `SCOPE=KEY` */
  readonly scope?: readonly string[]
}

/** What a thread begins with, and keeps. */
const ONLY_NEW = ['input', 'seed', 'workspace', 'scope'] as const

/** Starts a thread, or takes up one that was started before, and drives it to its end or to a person. */
export async function run(app: App, file: string, options: RunOptions): Promise<number> {
  if (options.thread?.trim() === '') throw new UsageError('--thread expects a name')
  const loaded = await app.load(file, options.set)
  const errors = lint(loaded.spec, loaded.recursive).filter(
    ({ severity, accepted }) => severity === 'error' && !accepted,
  )
  if (errors.length > 0)
    throw new UsageError(
      `${errors.map(({ rule, path, message }) => `${file}: ${path}: ${message} (accept it by name with \`accept: ['${rule} ${path}']\`)`).join('\n')}`,
    )
  const input = options.input === undefined ? {} : await jsonInput(app, options.input)
  const seed =
    options.seed === undefined
      ? Math.floor(app.random() * 2 ** 31)
      : wholeNumber('--seed', options.seed)
  const keys = Object.fromEntries(
    (options.scope ?? [])
      .map(text => scopeKey('--scope', text))
      .map(({ scope, key }) => [scope, key]),
  )
  if (options.workspace !== undefined) await checkFolder(app, '--workspace', options.workspace)
  const graph = await app.bind(loaded, options.workspace ?? app.cwd)
  return withStore(app, options, async store => {
    const thread =
      options.thread ?? `${loaded.spec.id}-${Math.floor(app.random() * 36 ** 8).toString(36)}`
    const known = await store.thread(thread)
    const given = ONLY_NEW.find(option => options[option] !== undefined)
    if (known && given)
      throw new UsageError(
        `thread '${thread}' has been started already; --${given} is only for a new one`,
      )
    if (known && known.specHash !== graph.machine.hash)
      throw new UsageError(
        `thread '${thread}' runs another graph, or another version of '${known.graph}'; use \`escapement resume ${thread}\``,
      )
    // One that exists goes on with the files and the workspace it began with.
    const driven = {
      graph: known ? await graphOf(app, store, thread) : graph,
      store,
      thread,
      start: { input, seed, keys },
      seeded: options.seed !== undefined,
    }
    return report(app, driven, await driveShown(app, driven, options), options)
  })
}

async function checkFolder(app: App, name: string, folder: string): Promise<void> {
  const is = await app.isFolder(folder)
  if (!is)
    throw new UsageError(
      `${name} ${folder}: ${is === undefined ? 'there is no such folder' : 'is no folder'}`,
    )
}

export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`${name} expects a whole number, not '${text}'`)
  return Number(text)
}
