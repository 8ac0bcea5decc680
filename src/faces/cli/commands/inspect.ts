/** `escapement inspect`: the inspector on a graph with a new thread, on a stored thread, or on an archive. */
import { existsSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { readArchive } from '../../../adapters/node/files.ts'
import { nodeOwner } from '../../../adapters/node/ports.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { graphOfThread } from '../../../host/drive/stored.ts'
import { isModule, loadGraph, machineOfSource } from '../../../host/drive/load.ts'
import { createRuntime, type Runtime } from '../../../host/runtime.ts'
import type { Graph } from '../../../runtime/ports.ts'
import { importThreads } from '../../../runtime/drive/copy.ts'
import { parseArchive } from '../../../runtime/store/archive-parser.ts'
import { type Store, UnknownThread } from '../../../runtime/store/store.ts'
import { type App, EXIT, jsonInput, parsePort, untilServed, UsageError } from '../app/app.ts'
import { commandLine, quoted } from '../print/command-line.ts'
import { withFileName } from './copy.ts'
import { run } from './run.ts'
import { graphsIn } from './serve.ts'
import { type DriveOptions, withStore } from './thread.ts'

interface InspectOptions extends DriveOptions {
  readonly port: string
  readonly graphs?: string
  /** The input of a new thread, as JSON. */
  readonly input?: string
  readonly once?: boolean
}

/** What the page shows first. */
interface Opened {
  readonly graphs: readonly Graph[]
  /** Names the thread, once the service listens. */
  readonly thread?: (runtime: Runtime) => Promise<string>
}

export async function inspect(
  app: App,
  subject: string | undefined,
  options: InspectOptions,
): Promise<number> {
  // A wrong port is reported before the store is opened.
  parsePort(options.port)
  const isFile = subject !== undefined && existsSync(subject)
  if (subject !== undefined && (/\.ya?ml$|\.json$/.test(subject) || isModule(subject))) {
    if (options.graphs !== undefined) throw unused('--graphs', 'a stored thread, not a graph')
    // A pipe gets the report of the run.
    if (options.once || !app.interactive)
      return run(app, subject, { ...options, set: [], progress: 'always' })
    const graph = await loadGraph(subject, { workspace: app.cwd })
    const input = options.input === undefined ? {} : await jsonInput(app, options.input)
    return serve(app, { ...options, creates: true }, async () => startOf(graph, input))
  }
  if (options.once) throw withoutGraph(subject, { ...options, isFile })
  if (options.input !== undefined) throw unused('--input', 'a graph, which starts a new thread')
  if (isFile) {
    if (options.graphs !== undefined) throw unused('--graphs', 'a stored thread, not an archive')
    return serve(app, { ...options, store: ':memory:' }, store => archiveIn(store, subject))
  }
  return serve(app, options, async store => {
    const held = options.graphs === undefined ? [] : await graphsIn(app, options.graphs)
    return subject === undefined ? { graphs: held } : threadIn(store, subject, held)
  })
}

/** The error of an option that the subject does not use. */
const unused = (option: string, expected: string): UsageError =>
  new UsageError(`${option} is for ${expected}`)

/** The error of `--once` without a graph to run. */
function withoutGraph(
  subject: string | undefined,
  { isFile, store }: { readonly isFile: boolean; readonly store: string },
): UsageError {
  const expected = '--once runs a graph without the page; expected a spec or a module'
  if (subject === undefined) return new UsageError(expected)
  const given = isFile ? `file ${subject}` : `thread '${subject}'`
  const hint = isFile ? {} : { hint: commandLine(`show ${quoted(subject)}`, { store }) }
  return new UsageError(`${expected}, not ${given}`, hint)
}

function startOf(graph: Graph, input: Json): Opened {
  const thread = `${graph.machine.id}-${randomUUID().slice(0, 8)}`
  return {
    graphs: [graph],
    thread: async runtime => (await runtime.start(graph, input, { thread })).id,
  }
}

/** Commands need the graph of the thread. Without it, the page only shows the thread. @throws UnknownThread */
async function threadIn(store: Store, thread: string, held: readonly Graph[]): Promise<Opened> {
  if (!(await store.thread(thread))) throw new UnknownThread(thread)
  const own = await graphOfThread(store, thread).catch(() => undefined)
  return { graphs: own ? [...held, own] : held, thread: async () => thread }
}

/** The threads of a file are only shown: they belong to another store. */
async function archiveIn(store: Store, file: string): Promise<Opened> {
  const ports = { ...nodeOwner(), store, machineOf: machineOfSource, pause: setImmediate }
  const { thread } = await withFileName(file, async () =>
    importThreads(ports, await parseArchive(readArchive(file))),
  )
  return { graphs: [], thread: async () => thread }
}

async function serve(
  app: App,
  options: InspectOptions & { readonly creates?: boolean },
  open: (store: Store) => Promise<Opened>,
): Promise<number> {
  return withStore(options, async store => {
    const { graphs, thread } = await open(store)
    const runtime = createRuntime({ store, graphs, workspace: app.cwd })
    const failed = Promise.withResolvers<never>()
    const show = async (url: string, token: string) => {
      const place = thread ? `threads/${encodeURIComponent(await thread(runtime))}` : 'threads'
      const link = `${url}/#/${place}?token=${token}`
      if (options.json) app.out(`${JSON.stringify({ url, token, link })}\n`)
      else app.out(`inspector: ${link}\nCtrl+C ends it; its threads continue later\n`)
    }
    const served = app.serve(runtime, {
      host: '127.0.0.1',
      port: Number(options.port),
      keys: [],
      signal: AbortSignal.any([app.signal, app.leave]),
      allowWrites: false,
      drain: DRAIN,
      hurried: app.drainsFor(DRAIN),
      logLevel: 'error',
      writeLog: line => app.err(line),
      listening: (url, token) => void show(url, token).catch(failed.reject),
    })
    const ended = untilServed({ port: Number(options.port) }, served)
    await Promise.race([ended, failed.promise])
    return EXIT.goal
  })
}

/** The time in ms for turns in progress to end. */
const DRAIN = 5_000
