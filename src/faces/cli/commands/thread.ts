/** What all commands on a thread share: its store, its graph, and driving it. */
import type { AgentMachine } from '../../../core/graph/agent-machine.ts'
import type { Run, Started } from '../../../core/run.ts'
import { isWrapped } from '../../../core/wrapped-run.ts'
import type { Json } from '../../../core/watch/json.ts'
import { drive, type DriveOptions } from '../../../runtime/drive/drive.ts'
import type { Graph, Ports } from '../../../runtime/ports.ts'
import { replay } from '../../../runtime/store/replay.ts'
import { getSource } from '../../../runtime/store/source.ts'
import { isConflict, type Store, UnknownThread } from '../../../runtime/store/store.ts'
import { type App, type PortParts, UsageError } from '../app.ts'
import { liveOf } from '../live.ts'
import { nearest } from '../print/error.ts'

export interface StoreOption {
  readonly store: string
}

export interface OutputOptions extends StoreOption {
  readonly json?: boolean
  readonly progress: 'auto' | 'always' | 'never'
  readonly clock?: PortParts['clock']
}

export async function withStore<T>(
  app: App,
  { store: file }: StoreOption,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await app.openStore(file)
  try {
    return await use(store)
  } catch (error) {
    throw error instanceof UnknownThread ? await withNearest(error, store) : error
  } finally {
    await store.close()
  }
}

async function withNearest(error: UnknownThread, store: Store): Promise<Error> {
  const names = (await store.threads()).map(({ thread }) => thread)
  const near = nearest(error.thread, names).join(', ')
  if (near === '') return error
  return new UsageError(error.message, {
    hint: `did you mean ${near}? \`escapement threads\` lists all`,
    cause: error,
  })
}

/** The graph of a stored thread. @throws UnknownThread */
export async function graphOf(app: App, store: Store, thread: string): Promise<Graph> {
  return app.revive(await sourceIn(store, thread))
}

/** The machine of a stored thread, for commands that only look. @throws UnknownThread */
export async function machineOf(app: App, store: Store, thread: string): Promise<AgentMachine> {
  return app.machine(await sourceIn(store, thread))
}

async function sourceIn(store: Store, thread: string): Promise<Json> {
  const begun = await beginningOf(store, thread)
  if (!begun) throw new UnknownThread(thread)
  if (isWrapped(begun))
    throw new UsageError(
      `thread '${thread}' is recorded from an agent in another framework, which alone can carry it on`,
    )
  return getSource(store, thread, begun)
}

/** How a thread began; `undefined` if it has not. */
export async function beginningOf(store: Store, thread: string): Promise<Started | undefined> {
  const [first] = await store.rows(thread, -1, 1)
  return first?.event.type === 'thread.started' ? first.event : undefined
}

/** A thread keeps the clock it began with: its deadlines mean nothing to any other. */
function clockOf(
  thread: string,
  begun: Started | undefined,
  asked: PortParts['clock'] | undefined,
): PortParts['clock'] {
  const own = begun && (begun.clock ?? 'system')
  if (own && asked && asked !== own)
    throw new UsageError(`thread '${thread}' was started with --clock ${own}, and goes on with it`)
  return own ?? asked ?? 'system'
}

export interface DriveShownOptions {
  readonly graph: Graph
  readonly store: Store
  readonly thread: string
  readonly start?: DriveOptions['start']
  readonly seeded?: boolean
}

/** The ports of a thread, which keeps the clock it began with. */
export async function portsOf(
  app: App,
  { graph, store, thread, seeded = false }: DriveShownOptions,
  { clock: asked, live }: Pick<OutputOptions, 'clock'> & Pick<PortParts, 'live'>,
): Promise<Ports> {
  const summary = await store.thread(thread)
  const clock = clockOf(thread, await beginningOf(store, thread), asked)
  return app.ports({
    graph,
    store,
    clock,
    seeded,
    say: app.err,
    ...(summary ? { from: summary.at } : {}),
    ...(live ? { live } : {}),
  })
}

/** Drives a thread and prints its timeline on a terminal; `undefined` if another process drives it, then it calls `busy`. */
export async function driveShown(
  app: App,
  driven: DriveShownOptions,
  options: OutputOptions,
  busy: (message: string) => void = message => app.err(`${message}\n`),
): Promise<Run | undefined> {
  const shown =
    options.progress === 'always' || (options.progress === 'auto' && app.tty && !options.json)
  const { graph, thread, start } = driven
  const shows = shown ? liveOf(app, thread, graph.machine) : undefined
  const ports = await portsOf(app, driven, {
    ...options,
    ...(shows ? { live: shows.live } : {}),
  })
  try {
    return await drive(ports, thread, {
      ...(start ? { start } : {}),
      signal: app.signal,
      leave: app.leave,
    })
  } catch (error) {
    if (!isConflict(error)) throw error
    busy(error.message)
    return undefined
  } finally {
    shows?.end()
  }
}

/** The run of a thread as it is stored, after event `at` if given. @throws UnknownThread */
export async function storedRun(
  store: Store,
  machine: AgentMachine,
  thread: string,
  at?: number,
): Promise<Run> {
  const run = await replay(machine, store, thread, at)
  if (!run) throw new UnknownThread(thread)
  if (at !== undefined && run.seq !== at)
    throw new UsageError(
      `there is no event ${at} in thread '${thread}'; its last one is ${run.seq}`,
    )
  return run
}
