/** `escapement run`: starts a thread, or continues it. */
import { randomUUID } from 'node:crypto'
import { lint } from '../../../core/graph/lint/lint.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { bindLoaded, isModule, loadGraph, loadSpecs, SpecFaults } from '../../../host/drive/load.ts'
import type { Graph } from '../../../runtime/ports.ts'
import type { App } from '../app/app.ts'
import {
  checkFolder,
  checkNamed,
  jsonInput,
  parseScope,
  parseWholeNumber,
  UsageError,
} from '../app/app.ts'
import { type DriveOptions, driveThread, report, type Session, withHost } from './thread.ts'

export interface RunOptions extends DriveOptions {
  readonly input?: string
  readonly thread?: string
  readonly seed?: string
  readonly set: readonly string[]
  readonly workspace?: string
  /** `SCOPE=KEY` */
  readonly scope?: readonly string[]
}

/** Options that a thread keeps from its start. */
const START_OPTIONS = ['input', 'seed', 'workspace', 'scope'] as const

/** Starts a thread, or continues an existing one, until it ends or waits for a person. */
export async function run(app: App, file: string, options: RunOptions): Promise<number> {
  checkNamed('--thread', options.thread)
  const module = isModule(file)
  if (module && (options.set.length > 0 || options.workspace !== undefined))
    throw new UsageError(`--set and --workspace change a spec; ${file} is a module`)
  const graph = module ? await loadGraph(file) : await graphOfSpec(app, file, options)
  const start = await startOf(app, options)
  const hosted = {
    creates: true,
    ...(module && { held: graph }),
    seeded: options.seed !== undefined,
  }
  return withHost(app, { ...options, ...hosted }, async session => {
    const thread = options.thread ?? `${graph.machine.id}-${randomUUID().slice(0, 8)}`
    // An existing thread keeps its files and its workspace.
    const exists = await checkExisting(session, thread, graph, options)
    if (!exists) await checkModels(graph)
    // The commands that are printed next need the module, too.
    const named = module ? { ...session, options: { ...session.options, graph: file } } : session
    const result = await driveThread(named, thread, exists ? {} : { graph, start })
    return report(named, thread, result)
  })
}

/** Checks the models of a graph and of the graphs below it before a thread starts. @throws NoEndpoint, MissingPackage */
async function checkModels(graph: Graph, seen = new Set<Graph>()): Promise<void> {
  if (seen.has(graph)) return
  seen.add(graph)
  for (const model of Object.values(graph.models)) await model.check?.()
  for (const below of Object.values(graph.graphs ?? {})) await checkModels(below, seen)
}

/** The graph of a spec. @throws SpecFaults if the spec has an error that it does not accept by name */
async function graphOfSpec(app: App, file: string, options: RunOptions): Promise<Graph> {
  const loaded = await loadSpecs(file, options.set)
  const errors = lint(loaded.spec, loaded).flatMap(({ severity, accepted, rule, path, message }) =>
    severity === 'error' && !accepted
      ? [{ file, path, message: `${message} (to accept it, add \`accept: ['${rule} ${path}']\`)` }]
      : [],
  )
  if (errors.length > 0) throw new SpecFaults(errors)
  const { workspace = app.cwd } = options
  if (options.workspace !== undefined) await checkFolder('--workspace', workspace)
  return bindLoaded(loaded, { workspace })
}

async function startOf(app: App, { input, seed, scope = [] }: RunOptions) {
  const keys = scope.map(text => parseScope('--scope', text))
  return {
    input: input === undefined ? ({} as Json) : await jsonInput(app, input),
    seed:
      seed === undefined ? Math.floor(Math.random() * 2 ** 31) : parseWholeNumber('--seed', seed),
    keys: Object.fromEntries(keys.map(({ scope, key }) => [scope, key])),
  }
}

/** Whether the thread exists. @throws UsageError if it runs another graph, or an option is only for a new thread */
async function checkExisting({ host }: Session, thread: string, graph: Graph, options: RunOptions) {
  const known = await host.store.thread(thread)
  if (!known) return false
  const given = START_OPTIONS.find(option => options[option] !== undefined)
  if (given)
    throw new UsageError(
      `thread '${thread}' exists; --${given} is only for a new thread: choose another --thread, or omit --${given} to continue this one`,
    )
  if (known.specHash !== graph.machine.hash)
    throw new UsageError(
      `thread '${thread}' runs another graph, or another version of '${known.graph}'; use \`escapement resume ${thread}\``,
    )
  return true
}
