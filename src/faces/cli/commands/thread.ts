/** What all commands on a thread share: its store, its host, and driving it. */
import type { AgentMachine } from '../../../core/graph/agent-machine.ts'
import type { Run } from '../../../core/run.ts'
import type { Host, HostedDrive } from '../../../host/host.ts'
import { loadGraph } from '../../../host/load.ts'
import { openStore, storedHost } from '../../../host/stored.ts'
import type { Graph, Live } from '../../../runtime/ports.ts'
import { replay } from '../../../runtime/store/replay.ts'
import { isConflict, type Store, UnknownThread } from '../../../runtime/store/store.ts'
import { type App, UsageError } from '../app/app.ts'
import { liveOf } from '../app/live.ts'
import { nearest } from '../print/error.ts'

export interface StoreOption {
  readonly store: string
}

export interface OutputOptions extends StoreOption {
  readonly json?: boolean
  readonly progress: 'auto' | 'always' | 'never'
  readonly clock?: 'system' | 'virtual'
}

export async function withStore<T>(
  { store: file }: StoreOption,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(file)
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

/** A command that drives: the host of its store, and what is printed of the threads it drives. */
export interface Session {
  readonly app: App
  readonly host: Host
  readonly options: OutputOptions
  /** The timelines that are printed now, by their threads. */
  readonly shown: Map<string, (news: Live) => void>
}

export interface SessionOptions extends OutputOptions {
  /** `FILE#NAME`: the module that exports the graph. */
  readonly graph?: string
}

export async function withHost<T>(
  app: App,
  { graph, ...options }: SessionOptions & { readonly held?: Graph; readonly seeded?: boolean },
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const held = options.held ?? (graph === undefined ? undefined : await loadGraph(graph))
  return withStore(options, async store => {
    const shown: Session['shown'] = new Map()
    const host = storedHost({
      store,
      signal: app.signal,
      leave: app.leave,
      say: app.err,
      live: (news, root) => shown.get(root)?.(news),
      ...(options.clock ? { kind: options.clock } : {}),
      ...(held ? { graphs: [held] } : {}),
      ...(options.seeded ? { seeded: true } : {}),
    })
    return use({ app, host, options, shown })
  })
}

/** Prints the timeline of a thread while something drives it. */
export async function showing<T>(
  { app, options, shown }: Session,
  thread: string,
  graph: Graph,
  work: () => Promise<T>,
): Promise<T> {
  const { progress, json } = options
  if (progress !== 'always' && (progress !== 'auto' || !app.tty || json)) return work()
  const { live, end } = liveOf(app, thread, graph.machine)
  shown.set(thread, live)
  try {
    return await work()
  } finally {
    shown.delete(thread)
    end()
  }
}

/** Drives a thread and prints its timeline on a terminal; `undefined` if another process drives it, then it calls `busy`. */
export async function driveShown(
  session: Session,
  thread: string,
  { graph, start }: Pick<HostedDrive, 'graph' | 'start'> = {},
  busy: (message: string) => void = message => session.app.err(`${message}\n`),
): Promise<Run | undefined> {
  const { host } = session
  const bound = graph ?? (await host.graphOf(thread))
  try {
    return await showing(session, thread, bound, () =>
      host.drive(thread, { graph: bound, ...(start ? { start } : {}) }),
    )
  } catch (error) {
    if (!isConflict(error)) throw error
    busy(error.message)
    return undefined
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
