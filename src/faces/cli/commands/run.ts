import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { lint } from '../../../core/graph/lint/lint.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { bindLoaded, isModule, loadGraph, loadSpecs } from '../../../host/load.ts'
import type { Graph } from '../../../runtime/ports.ts'
import { type App, UsageError } from '../app/app.ts'
import { jsonInput } from '../app/input.ts'
import { report } from './report.ts'
import { scopeKey } from './scopes.ts'
import { driveShown, type OutputOptions, type Session, withHost } from './thread.ts'

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
  const { workspace } = options
  const module = isModule(file)
  if (module && (options.set.length > 0 || workspace !== undefined))
    throw new UsageError(`--set and --workspace change a spec; ${file} is a module`)
  const graph = module ? await loadGraph(file) : await soundGraph(app, file, options)
  const start = await startOf(options)
  const held = module ? { held: graph } : {}
  const seeded = options.seed === undefined ? {} : { seeded: true }
  return withHost(app, { ...options, ...held, ...seeded }, async session => {
    const thread = options.thread ?? `${graph.machine.id}-${randomUUID().slice(0, 8)}`
    const known = await checkKnown(session, thread, graph, options)
    // One that exists goes on with the files and the workspace it began with.
    const driven = await driveShown(session, thread, known ? {} : { graph, start })
    return report(session, thread, driven)
  })
}

/** The graph of a spec without errors that were not accepted by name. */
async function soundGraph(app: App, file: string, options: RunOptions): Promise<Graph> {
  const loaded = await loadSpecs(file, options.set)
  const errors = lint(loaded.spec, loaded.recursive).filter(
    ({ severity, accepted }) => severity === 'error' && !accepted,
  )
  if (errors.length > 0)
    throw new UsageError(
      `${errors.map(({ rule, path, message }) => `${file}: ${path}: ${message} (accept it by name with \`accept: ['${rule} ${path}']\`)`).join('\n')}`,
    )
  const { workspace = app.cwd } = options
  if (options.workspace !== undefined) await checkFolder('--workspace', workspace)
  return bindLoaded(loaded, { workspace })
}

async function startOf({ input, seed, scope = [] }: RunOptions) {
  const keys = scope.map(text => scopeKey('--scope', text))
  return {
    input: input === undefined ? ({} as Json) : await jsonInput(input),
    seed: seed === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber('--seed', seed),
    keys: Object.fromEntries(keys.map(({ scope, key }) => [scope, key])),
  }
}

/** Whether the thread exists. @throws UsageError where it is of another graph, or was given what only a new one takes */
async function checkKnown(
  { host }: Session,
  thread: string,
  graph: Graph,
  options: RunOptions,
): Promise<boolean> {
  const known = await host.store.thread(thread)
  if (!known) return false
  const given = ONLY_NEW.find(option => options[option] !== undefined)
  if (given)
    throw new UsageError(
      `thread '${thread}' has been started already; --${given} is only for a new one`,
    )
  if (known.specHash !== graph.machine.hash)
    throw new UsageError(
      `thread '${thread}' runs another graph, or another version of '${known.graph}'; use \`escapement resume ${thread}\``,
    )
  return true
}

async function checkFolder(name: string, folder: string): Promise<void> {
  const is = await stat(folder).then(
    found => found.isDirectory(),
    () => undefined,
  )
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
